/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Wrappers of the UPC collectives, which record them where the runtime raises
 * no events of them (GNU UPC, Clang UPC).  Compile it as gaspdb_upcalls.upc,
 * without instrumentation, and link with gaspcc, or with -Wl,--wrap=NAME for
 * each.  Berkeley's runtime raises the events itself: for it nothing is here.
 */
#ifndef __BERKELEY_UPC__
#include <upc.h>
#include <upc_collective.h>

#include "gaspdb_upc.h"

int gaspdb_upc_records_collectives(void)
{
	return 1;
}

#define PLACE	   __builtin_return_address(0)
#define ADDRESS(p) ((uintptr_t)&(p))

/* Elements with affinity to this thread among the first n of an array that
   begins in thread 0 with phase 0. */
static size_t own_of_first(size_t n, size_t block)
{
	const size_t row = block * THREADS, before = block * MYTHREAD;
	const size_t rest = n % row;

	return n / row * block + (rest <= before	  ? 0
				  : rest - before < block ? rest - before
							  : block);
}

/* Bytes with affinity to this thread; block 0: all elements are in one. */
static size_t own_bytes(shared const void *p, size_t n, size_t block,
			size_t element_bytes)
{
	const size_t owner = upc_threadof((shared void *)p);
	size_t first;

	if (!block)
		return owner == (size_t)MYTHREAD ? n * element_bytes : 0;
	first = owner * block + upc_phaseof((shared void *)p) % block;
	return (own_of_first(first + n, block) - own_of_first(first, block)) *
	       element_bytes;
}

/* The body of a wrapper: arguments as logged, and as passed on. */
#define PASS_ON(function, kind, passed, ...)                                  \
	static const struct gaspdb_upc_collective call = { #function, kind }; \
	gaspdb_upc_collective_start(&call, PLACE, passed);                    \
	__real_##function(__VA_ARGS__);                                       \
	gaspdb_upc_collective_end(&call, PLACE)

#define RELOCATION(function, kind)                                             \
	void __real_##function(shared void *target, shared const void *source, \
			       size_t bytes, upc_flag_t flags);                \
	void __wrap_##function(shared void *target, shared const void *source, \
			       size_t bytes, upc_flag_t flags)                 \
	{                                                                      \
		const uint64_t passed[] = { ADDRESS(target), ADDRESS(source),  \
					    bytes, (uint64_t)flags };          \
		PASS_ON(function, kind, passed, target, source, bytes, flags); \
	}

RELOCATION(upc_all_broadcast, GASPDB_UPC_BROADCAST)
RELOCATION(upc_all_scatter, GASPDB_UPC_SCATTER)
RELOCATION(upc_all_gather, GASPDB_UPC_GATHER)
RELOCATION(upc_all_gather_all, GASPDB_UPC_GATHER_ALL)
RELOCATION(upc_all_exchange, GASPDB_UPC_EXCHANGE)

void __real_upc_all_permute(shared void *target, shared const void *source,
			    shared const int *permutation, size_t bytes,
			    upc_flag_t flags);
void __wrap_upc_all_permute(shared void *target, shared const void *source,
			    shared const int *permutation, size_t bytes,
			    upc_flag_t flags)
{
	const shared void *first = (const shared void *)permutation;
	const uint64_t passed[] = { ADDRESS(target), ADDRESS(source),
				    ADDRESS(first), bytes, (uint64_t)flags };

	PASS_ON(upc_all_permute, GASPDB_UPC_PERMUTE, passed, target, source,
		permutation, bytes, flags);
}

#define REDUCTION(function, kind, type, gasp_type)                             \
	void __real_##function(shared void *target, shared const void *source, \
			       upc_op_t op, size_t elements, size_t block,     \
			       type (*combine)(type, type), upc_flag_t flags); \
	void __wrap_##function(shared void *target, shared const void *source, \
			       upc_op_t op, size_t elements, size_t block,     \
			       type (*combine)(type, type), upc_flag_t flags)  \
	{                                                                      \
		const uint64_t passed[] = { ADDRESS(target),                   \
					    ADDRESS(source),                   \
					    (uint64_t)op,                      \
					    elements,                          \
					    block,                             \
					    (uintptr_t)combine,                \
					    (uint64_t)flags,                   \
					    gasp_type,                         \
					    own_bytes(source, elements, block, \
						      sizeof(type)) };         \
		PASS_ON(function, kind, passed, target, source, op, elements,  \
			block, combine, flags);                                \
	}

/* gasp_type: the value of gasp_upc_reduction_t. */
#define BOTH(letters, type, gasp_type)                                         \
	REDUCTION(upc_all_reduce##letters, GASPDB_UPC_REDUCE, type, gasp_type) \
	REDUCTION(upc_all_prefix_reduce##letters, GASPDB_UPC_PREFIX_REDUCE,    \
		  type, gasp_type)

BOTH(C, signed char, 0)
BOTH(UC, unsigned char, 1)
BOTH(S, signed short, 2)
BOTH(US, unsigned short, 3)
BOTH(I, signed int, 4)
BOTH(UI, unsigned int, 5)
BOTH(L, signed long, 6)
BOTH(UL, unsigned long, 7)
BOTH(F, float, 8)
BOTH(D, double, 9)
BOTH(LD, long double, 10)

void __real_upc_all_sort(shared void *target, size_t element_bytes,
			 size_t elements, size_t block,
			 int (*compare)(shared void *, shared void *),
			 upc_flag_t flags);
void __wrap_upc_all_sort(shared void *target, size_t element_bytes,
			 size_t elements, size_t block,
			 int (*compare)(shared void *, shared void *),
			 upc_flag_t flags)
{
	const uint64_t passed[] = { ADDRESS(target),
				    element_bytes,
				    elements,
				    block,
				    (uintptr_t)compare,
				    (uint64_t)flags,
				    own_bytes(target, elements, block,
					      element_bytes) };

	PASS_ON(upc_all_sort, GASPDB_UPC_SORT, passed, target, element_bytes,
		elements, block, compare, flags);
}
#endif
