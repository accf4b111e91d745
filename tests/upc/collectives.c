/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The collectives of a UPC library: of their work only the barriers that the
 * flags ask for.  Each counts its calls and adds up its arguments, so that a
 * program sees whether they arrived.
 */
#include "collectives.h"

#include <string.h>

#include "runtime.h"

__thread struct rt_calls rt_calls;

void rt_collective(size_t arguments, upc_flag_t flags)
{
	rt_calls.n++;
	rt_calls.sum += arguments + (size_t)flags;
	if (!(flags & UPC_IN_NOSYNC))
		rt_wait_for_all();
	if (!(flags & UPC_OUT_NOSYNC))
		rt_wait_for_all();
}

static size_t sum(const void *target, const void *source)
{
	return (size_t)target + 3 * (size_t)source;
}

/* A runtime that has a tag for it raises the event itself. */
static void raise_broadcast(const char *name, gasp_evttype_t type,
			    const void *target, const void *source,
			    size_t bytes, upc_flag_t flags)
{
#ifdef GASP_UPC_ALL_BROADCAST
	if (!strcmp(name, "upc_all_broadcast"))
		rt_notify(GASP_UPC_ALL_BROADCAST, type, "runtime.upc", 1,
			  &target, &source, bytes, flags);
#else
	(void)name, (void)type, (void)target, (void)source, (void)bytes,
		(void)flags;
#endif
}

#define RELOCATION(name)                                                  \
	void name(const void *target, const void *source, size_t bytes,   \
		  upc_flag_t flags)                                       \
	{                                                                 \
		raise_broadcast(#name, GASP_START, target, source, bytes, \
				flags);                                   \
		rt_collective(sum(target, source) + bytes, flags);        \
		raise_broadcast(#name, GASP_END, target, source, bytes,   \
				flags);                                   \
	}
UPC_RELOCATIONS(RELOCATION)

void upc_all_permute(const void *target, const void *source,
		     const int *permutation, size_t bytes, upc_flag_t flags)
{
	rt_collective(sum(target, source) + 5 * (size_t)permutation + bytes,
		      flags);
}

static void reduce(const void *target, const void *source, upc_op_t op,
		   size_t elements, size_t block, size_t combine,
		   upc_flag_t flags)
{
	rt_collective(sum(target, source) + op + 7 * elements + 9 * block +
			      combine,
		      flags);
}

#define REDUCTION(letters, type)                                            \
	void upc_all_reduce##letters(                                       \
		const void *target, const void *source, upc_op_t op,        \
		size_t elements, size_t block, type (*combine)(type, type), \
		upc_flag_t flags)                                           \
	{                                                                   \
		reduce(target, source, op, elements, block,                 \
		       (size_t)combine, flags);                             \
	}                                                                   \
	void upc_all_prefix_reduce##letters(                                \
		const void *target, const void *source, upc_op_t op,        \
		size_t elements, size_t block, type (*combine)(type, type), \
		upc_flag_t flags)                                           \
	{                                                                   \
		reduce(target, source, op, elements, block,                 \
		       (size_t)combine, flags);                             \
	}
UPC_REDUCTIONS(REDUCTION)
