/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variance of durations. Sums of squares are integers of 128 bits, exact to the
 * ns^2: as doubles they would lose the differences of long, nearly equal calls.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_VARIATION_H
#define GASPDB_IMPORTER_ROLLUPS_VARIATION_H

#include <stdint.h>

#include "common/wide.h"

/* Number of calls, sum of their durations, sum of the squares. */
struct gaspdb_durations {
	gaspdb_wide n, sum_ns, squares;
};

/* calls^2 x variance in ns^2: an integer, rounded to a double. */
double gaspdb_variation(const struct gaspdb_durations *d);

static inline gaspdb_wide gaspdb_square(int64_t ns)
{
	return (gaspdb_wide)(uint64_t)ns * (uint64_t)ns;
}

#endif
