/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * GASP 1.5: events and types of C and UPC (sections 4 and 5 of the
 * specification).  For runtimes that ship no header of their own.  The tags
 * are those of the event tables, collector/events/{c,upc}.tbl.h, which say
 * what each event carries.
 */
#ifndef _GASP_UPC_H
#define _GASP_UPC_H

#include "gasp.h"

/* That from which on Berkeley's events have all their arguments. */
#define GASP_UPC_VERSION 0x020311

/* Opaque: a pointer-to-shared and a lock are passed by their address. */
typedef void gasp_upc_PTS_t;
typedef void gasp_upc_lock_t;
typedef void *gasp_upc_nb_handle_t;

/* The operation was complete when its initiation ended. */
#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)
#define GASP_UPC_NB_TRIVIAL GASP_NB_TRIVIAL /* Berkeley's name for it */

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

/* Tags of user events, inclusive; system events lie below. */
#define GASP_UPC_USEREVT_START 10000
#define GASP_UPC_USEREVT_END   19999

#define GASP_C_FUNC                       1
#define GASP_C_MALLOC                     2
#define GASP_C_REALLOC                    3
#define GASP_C_FREE                       4
#define GASP_UPC_COLLECTIVE_EXIT          100
#define GASP_UPC_NONCOLLECTIVE_EXIT       101
#define GASP_UPC_NOTIFY                   110
#define GASP_UPC_WAIT                     111
#define GASP_UPC_BARRIER                  112
#define GASP_UPC_FENCE                    113
#define GASP_UPC_FORALL                   120
#define GASP_UPC_GLOBAL_ALLOC             130
#define GASP_UPC_ALL_ALLOC                131
#define GASP_UPC_ALLOC                    132
#define GASP_UPC_FREE                     133
#define GASP_UPC_GLOBAL_LOCK_ALLOC        134
#define GASP_UPC_ALL_LOCK_ALLOC           135
#define GASP_UPC_LOCK_FREE                136
#define GASP_UPC_LOCK                     137
#define GASP_UPC_LOCK_ATTEMPT             138
#define GASP_UPC_UNLOCK                   139
#define GASP_UPC_MEMCPY                   140
#define GASP_UPC_MEMGET                   141
#define GASP_UPC_MEMPUT                   142
#define GASP_UPC_MEMSET                   143
#define GASP_UPC_GET                      150
#define GASP_UPC_PUT                      151
#define GASP_UPC_NB_GET_INIT              160
#define GASP_UPC_NB_GET_DATA              161
#define GASP_UPC_NB_PUT_INIT              162
#define GASP_UPC_NB_PUT_DATA              163
#define GASP_UPC_NB_SYNC                  164
#define GASP_UPC_CACHE_MISS               170
#define GASP_UPC_CACHE_HIT                171
#define GASP_UPC_CACHE_INVALIDATE         172
#define GASP_UPC_ALL_BROADCAST            180
#define GASP_UPC_ALL_SCATTER              181
#define GASP_UPC_ALL_GATHER               182
#define GASP_UPC_ALL_GATHER_ALL           183
#define GASP_UPC_ALL_EXCHANGE             184
#define GASP_UPC_ALL_PERMUTE              185
#define GASP_UPC_ALL_REDUCE               186
#define GASP_UPC_ALL_PREFIX_REDUCE        187
#define GASP_BUPC_NB_TRYSYNC              200
#define GASP_BUPC_NB_MEMGET_INIT          201
#define GASP_BUPC_NB_MEMPUT_INIT          202
#define GASP_BUPC_NB_MEMCPY_INIT          203
#define GASP_BUPC_STATIC_SHARED           204

/* Names of GASP 1.3. */
#define GASP_COLLECTIVE_EXIT    GASP_UPC_COLLECTIVE_EXIT
#define GASP_NONCOLLECTIVE_EXIT GASP_UPC_NONCOLLECTIVE_EXIT
#define GASP_USEREVT_START      GASP_UPC_USEREVT_START
#define GASP_USEREVT_END        GASP_UPC_USEREVT_END
#define gasp_upc_pts_t          gasp_upc_PTS_t
#define gasp_upc_reduc_t        gasp_upc_reduction_t
#define GASP_UPC_REDUCE_C       GASP_UPC_REDUCTION_C
#define GASP_UPC_REDUCE_UC      GASP_UPC_REDUCTION_UC
#define GASP_UPC_REDUCE_S       GASP_UPC_REDUCTION_S
#define GASP_UPC_REDUCE_US      GASP_UPC_REDUCTION_US
#define GASP_UPC_REDUCE_I       GASP_UPC_REDUCTION_I
#define GASP_UPC_REDUCE_UI      GASP_UPC_REDUCTION_UI
#define GASP_UPC_REDUCE_L       GASP_UPC_REDUCTION_L
#define GASP_UPC_REDUCE_UL      GASP_UPC_REDUCTION_UL
#define GASP_UPC_REDUCE_F       GASP_UPC_REDUCTION_F
#define GASP_UPC_REDUCE_D       GASP_UPC_REDUCTION_D
#define GASP_UPC_REDUCE_LD      GASP_UPC_REDUCTION_LD

#endif
