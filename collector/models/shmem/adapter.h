/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The OpenSHMEM adapter.  Most wrappers are generated (wrappers.awk, from
 * families.tbl and the header of the OpenSHMEM at hand); what they call, and
 * the wrappers written by hand, lie in this folder.
 */
#ifndef GASPDB_SHMEM_ADAPTER_H
#define GASPDB_SHMEM_ADAPTER_H

#include <stdint.h>

#include "api.h"
#include "collector.h"
#include "compiler.h"

/* --- contexts.c ----------------------------------------------------------- */

#define GASPDB_SHMEM_DEFAULT_CONTEXT UINT64_C(0)

/* A new context: its serial number in the process, from 1. */
uint64_t gaspdb_shmem_context_new(shmem_ctx_t ctx);
uint64_t gaspdb_shmem_context_find(shmem_ctx_t ctx);

static inline uint64_t gaspdb_shmem_context(shmem_ctx_t ctx)
{
	return ctx == SHMEM_CTX_DEFAULT ? GASPDB_SHMEM_DEFAULT_CONTEXT
					: gaspdb_shmem_context_find(ctx);
}

/*
 * The world PE that pe is on a context.  Up to OpenSHMEM 1.4 it is pe; those
 * of contexts made from teams (1.5) would be translated here.
 */
static inline int64_t gaspdb_shmem_peer(uint64_t context, int pe)
{
	(void)context;
	return pe;
}

/* --- teams.c -------------------------------------------------------------- */

/* A collective as the calling PE takes part in it. */
struct gaspdb_shmem_collective {
	uint64_t id;	   /* of the team; 0: not known, memory ran out */
	uint64_t sequence; /* of the collective on it */
	int64_t first;	   /* world PE of rank 0 */
	int rank;	   /* own, in the team */
};

/*
 * The next collective of all PEs, or of an active set.  A team that the
 * thread's log does not know yet is told to it first.
 */
struct gaspdb_shmem_collective gaspdb_shmem_all(struct gaspdb_context *c);
struct gaspdb_shmem_collective gaspdb_shmem_active_set(struct gaspdb_context *c,
						       int first,
						       int log_stride,
						       int size);

/* Once, when OpenSHMEM has started. */
void gaspdb_shmem_teams_init(struct gaspdb_context *c, int pe, int n_pes);

/* --- segments.c ----------------------------------------------------------- */

/* The symmetric static data of the program and its libraries. */
void gaspdb_shmem_modules(int pe);

/* What an allocation returned: its heap is told when it is the first one in
   it.  NULL is no allocation. */
void gaspdb_shmem_heap(struct gaspdb_context *c, const void *address);

/* --- values --------------------------------------------------------------- */

/* Comparisons as logged (events/README.md). */
enum {
	GASPDB_SHMEM_EQUAL,
	GASPDB_SHMEM_NOT_EQUAL,
	GASPDB_SHMEM_GREATER,
	GASPDB_SHMEM_GREATER_EQUAL,
	GASPDB_SHMEM_LESS,
	GASPDB_SHMEM_LESS_EQUAL
};

/* Implementations number them differently.  -1: none of them. */
static inline int gaspdb_shmem_comparison(int cmp)
{
	return cmp == SHMEM_CMP_EQ   ? GASPDB_SHMEM_EQUAL
	       : cmp == SHMEM_CMP_NE ? GASPDB_SHMEM_NOT_EQUAL
	       : cmp == SHMEM_CMP_GT ? GASPDB_SHMEM_GREATER
	       : cmp == SHMEM_CMP_GE ? GASPDB_SHMEM_GREATER_EQUAL
	       : cmp == SHMEM_CMP_LT ? GASPDB_SHMEM_LESS
	       : cmp == SHMEM_CMP_LE ? GASPDB_SHMEM_LESS_EQUAL
				     : -1;
}

#endif
