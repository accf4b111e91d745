/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary search. */
#ifndef GASPDB_COMMON_LOWER_BOUND_H
#define GASPDB_COMMON_LOWER_BOUND_H

#include <stddef.h>

/*
 * Set `low` to the index of the first of n elements for which `before` is
 * false; n: none. before: an expression of the index i, which must be true for
 * the elements up to some index and false from there on.
 */
#define GASPDB_LOWER_BOUND(low, n, i, before)                         \
	do {                                                          \
		size_t high_ = (n);                                   \
                                                                      \
		for ((low) = 0; (low) < high_;) {                     \
			const size_t i = (low) + (high_ - (low)) / 2; \
                                                                      \
			if (before)                                   \
				(low) = i + 1;                        \
			else                                          \
				high_ = i;                            \
		}                                                     \
	} while (0)

#endif
