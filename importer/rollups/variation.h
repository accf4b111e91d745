/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much durations vary.  In floating point, sums of squares lose what tells
 * long calls of nearly equal length apart; 128 bits hold them to the ns^2.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_VARIATION_H
#define GASPDB_IMPORTER_ROLLUPS_VARIATION_H

#include <stdint.h>

#include "common/wide.h"

/* Calls, the sum of their durations, and that of the squares. */
struct gaspdb_durations {
	gaspdb_wide n, sum_ns, squares;
};

/* calls^2 x variance: whole, and exact as far as a double can be. */
double gaspdb_variation(const struct gaspdb_durations *d);

static inline gaspdb_wide gaspdb_square(int64_t ns)
{
	return (gaspdb_wide)(uint64_t)ns * (uint64_t)ns;
}

#endif
