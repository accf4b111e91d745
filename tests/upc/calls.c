/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that calls each collective once, in a line of its own.  What
 * tests/e2e/upc_collectives.sh expects follows from the arguments here.
 */
#include "collectives.h"

#include <unistd.h>

#include "runtime.h"

#define MY (UPC_IN_MYSYNC | UPC_OUT_MYSYNC)

/* The packed pointer to an address of a thread. */
static size_t at(size_t thread, size_t address)
{
	return thread << 48 | address;
}

static const void *pointer(size_t word)
{
	return (const void *)word;
}

static float sum_of(float a, float b)
{
	return a + b;
}

static __thread size_t expected; /* what rt_calls.sum has to be */
#pragma GCC diagnostic ignored "-Wint-conversion"

#define MOVE(name, target, source, bytes, flags)                  \
	(expected += (target) + 3 * (source) + (bytes) + (flags), \
	 name(pointer(target), pointer(source), bytes, flags))
#define REDUCE(name, target, source, elements, block, function)            \
	(expected += (target) + 3 * (source) + UPC_FUNC + 7 * (elements) + \
		     9 * (block) + (size_t)(function),                     \
	 name(pointer(target), pointer(source), UPC_FUNC, elements, block, \
	      function, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC))

/* The root is thread 1 with thread 2 late, then 2, then 3; then there is
   none. */
static void relocations(void)
{
	if (rt_thread() == 2)
		usleep(30000);
	MOVE(upc_all_broadcast, at(0, 0x10), at(1, 0x20), 21, 0);
	MOVE(upc_all_scatter, at(0, 0x10), at(2, 0x20), 22, MY);
	MOVE(upc_all_gather, at(3, 0x10), at(0, 0x20), 23, MY);
	MOVE(upc_all_gather_all, at(0, 0x10), at(0, 0x20), 24, 0);
	MOVE(upc_all_exchange, at(0, 0x10), at(0, 0x20), 25, 0);
	expected += at(0, 0x10) + 3 * at(0, 0x20) + 5 * at(0, 0x30) + 26;
	upc_all_permute(pointer(at(0, 0x10)), pointer(at(0, 0x20)),
			pointer(at(0, 0x30)), 26, 0);
}

/* Of ten elements in blocks of two, from thread 1 on: to thread 2. */
static void reductions(void)
{
	REDUCE(upc_all_reduceC, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceUC, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceS, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceUS, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceI, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceUI, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceL, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceUL, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceF, at(2, 0x10), at(1, 0x20), 10, 2, sum_of);
	REDUCE(upc_all_reduceD, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
	REDUCE(upc_all_reduceLD, at(2, 0x10), at(1, 0x20), 10, 2, NULL);
}

/* Of six in blocks of four, from thread 0 on. */
static void prefix_reductions(void)
{
	REDUCE(upc_all_prefix_reduceC, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceUC, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceS, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceUS, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceI, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceUI, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceL, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceUL, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceF, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceD, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
	REDUCE(upc_all_prefix_reduceLD, at(0, 0x10), at(0, 0x20), 6, 4, NULL);
}

/* Nine of eight bytes in blocks of three, from thread 0, phase 1 on. */
static void sort(void)
{
	expected += at(0, 0x1000) + 8 + 7 * 9 + 9 * 3;
	upc_all_sort(pointer(at(0, 0x1000)), 8, 9, 3, NULL, 0);
}

int rt_collectives(void)
{
	rt_wait_for_all();
	relocations();
	reductions();
	prefix_reductions();
	sort();
	return rt_calls.n == 29 && rt_calls.sum == expected ? 0 : 7;
}
