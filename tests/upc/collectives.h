/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the collectives of the pretend UPC library were called with. */
#ifndef TEST_UPC_COLLECTIVES_H
#define TEST_UPC_COLLECTIVES_H

#include "upc_collective.h"

/* Calls of this thread, and the sum of their arguments: target + 3 source +
   5 permutation + bytes or operator, + 7 elements + 9 block + function +
   flags. */
extern __thread struct rt_calls {
	size_t n, sum;
} rt_calls;

/* A call of a collective: counts it, and has the barriers of its flags. */
void rt_collective(size_t arguments, upc_flag_t flags);

/* The program "collectives". */
int rt_collectives(void);

#endif
