/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gasp_upc.h numbered as GNU's and Clang's: many events are missing, and user
 * events have the numbers of Berkeley's system events.
 */
#ifndef TEST_GNU_GASP_UPC_H
#define TEST_GNU_GASP_UPC_H

#include "gasp.h"

#define GASP_UPC_VERSION 40302

typedef void gasp_upc_PTS_t;
typedef void gasp_upc_lock_t;
typedef void *gasp_upc_nb_handle_t;

#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)

#define GASP_UPC_EVT_NONE	    0
#define GASP_C_FUNC		    1
#define GASP_UPC_COLLECTIVE_EXIT    5
#define GASP_UPC_NONCOLLECTIVE_EXIT 6
#define GASP_UPC_NOTIFY		    7
#define GASP_UPC_WAIT		    8
#define GASP_UPC_BARRIER	    9
#define GASP_UPC_FORALL		    11
#define GASP_UPC_GLOBAL_ALLOC	    12
#define GASP_UPC_ALL_ALLOC	    13
#define GASP_UPC_ALLOC		    14
#define GASP_UPC_FREE		    15
#define GASP_UPC_GLOBAL_LOCK_ALLOC  16
#define GASP_UPC_ALL_LOCK_ALLOC	    17
#define GASP_UPC_LOCK_FREE	    18
#define GASP_UPC_LOCK		    19
#define GASP_UPC_LOCK_ATTEMPT	    20
#define GASP_UPC_UNLOCK		    21
#define GASP_UPC_MEMCPY		    22
#define GASP_UPC_MEMGET		    23
#define GASP_UPC_MEMPUT		    24
#define GASP_UPC_MEMSET		    25
#define GASP_UPC_GET		    26
#define GASP_UPC_PUT		    27

#define GASP_UPC_USEREVT_START 1000
#define GASP_UPC_USEREVT_END   1999

typedef enum {
	GASP_UPC_REDUCTION_C,
	GASP_UPC_REDUCTION_UC,
	GASP_UPC_REDUCTION_S,
	GASP_UPC_REDUCTION_US,
	GASP_UPC_REDUCTION_I,
	GASP_UPC_REDUCTION_UI,
	GASP_UPC_REDUCTION_L,
	GASP_UPC_REDUCTION_UL,
	GASP_UPC_REDUCTION_F,
	GASP_UPC_REDUCTION_D,
	GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

#endif
