/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saturating sums and products, for numbers from logs, which may be absurd;
   minimum and maximum. */
#ifndef GASPDB_COMMON_SUM_H
#define GASPDB_COMMON_SUM_H

#include <stdint.h>

#include "common/value.h"

static inline int64_t gaspdb_plus(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? -INT64_MAX : INT64_MAX;
	return sum;
}

static inline int64_t gaspdb_times(int64_t a, int64_t b)
{
	int64_t product;

	if (__builtin_mul_overflow(a, b, &product))
		return (a < 0) != (b < 0) ? -INT64_MAX : INT64_MAX;
	return product;
}

static inline void gaspdb_add_to(int64_t *sum, int64_t v)
{
	*sum = gaspdb_plus(*sum, v);
}

/* Adds a number unless GASPDB_NULL, to a sum that is GASPDB_NULL until the
   first. */
static inline void gaspdb_add_known(int64_t *sum, int64_t v)
{
	if (v != GASPDB_NULL)
		*sum = gaspdb_plus(*sum == GASPDB_NULL ? 0 : *sum, v);
}

static inline int64_t gaspdb_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t gaspdb_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

#endif
