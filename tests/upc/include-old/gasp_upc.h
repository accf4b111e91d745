/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gasp_upc.h of GASP 1.3: its exit events and types have other names. */
#ifndef TEST_OLD_GASP_UPC_H
#define TEST_OLD_GASP_UPC_H

#include "gasp.h"

typedef void gasp_upc_pts_t;
typedef void gasp_upc_PTS_t; /* it uses both */
typedef void gasp_upc_lock_t;
typedef void *gasp_upc_nb_handle_t;

#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)

#define GASP_C_FUNC		   300
#define GASP_C_MALLOC		   301
#define GASP_C_REALLOC		   302
#define GASP_C_FREE		   303
#define GASP_COLLECTIVE_EXIT	   310
#define GASP_NONCOLLECTIVE_EXIT	   311
#define GASP_UPC_NOTIFY		   320
#define GASP_UPC_WAIT		   321
#define GASP_UPC_BARRIER	   322
#define GASP_UPC_FENCE		   323
#define GASP_UPC_FORALL		   324
#define GASP_UPC_GLOBAL_ALLOC	   330
#define GASP_UPC_ALL_ALLOC	   331
#define GASP_UPC_ALLOC		   332
#define GASP_UPC_FREE		   333
#define GASP_UPC_GLOBAL_LOCK_ALLOC 334
#define GASP_UPC_ALL_LOCK_ALLOC	   335
#define GASP_UPC_LOCK_FREE	   336
#define GASP_UPC_LOCK		   337
#define GASP_UPC_LOCK_ATTEMPT	   338
#define GASP_UPC_UNLOCK		   339
#define GASP_UPC_MEMCPY		   340
#define GASP_UPC_MEMGET		   341
#define GASP_UPC_MEMPUT		   342
#define GASP_UPC_MEMSET		   343
#define GASP_UPC_GET		   350
#define GASP_UPC_PUT		   351
#define GASP_UPC_NB_GET_INIT	   360
#define GASP_UPC_NB_GET_DATA	   361
#define GASP_UPC_NB_PUT_INIT	   362
#define GASP_UPC_NB_PUT_DATA	   363
#define GASP_UPC_NB_SYNC	   364
#define GASP_UPC_CACHE_MISS	   370
#define GASP_UPC_CACHE_HIT	   371
#define GASP_UPC_ALL_BROADCAST	   380

typedef enum {
	GASP_UPC_REDUCE_C,
	GASP_UPC_REDUCE_UC,
	GASP_UPC_REDUCE_S,
	GASP_UPC_REDUCE_US,
	GASP_UPC_REDUCE_I,
	GASP_UPC_REDUCE_UI,
	GASP_UPC_REDUCE_L,
	GASP_UPC_REDUCE_UL,
	GASP_UPC_REDUCE_F,
	GASP_UPC_REDUCE_D,
	GASP_UPC_REDUCE_LD
} gasp_upc_reduc_t;

#endif
