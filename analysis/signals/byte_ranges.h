/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes that a write changes: one stretch of them, or of a strided one,
   stretches as far apart from each other. */
#ifndef GASPDB_ANALYSIS_SIGNALS_BYTE_RANGES_H
#define GASPDB_ANALYSIS_SIGNALS_BYTE_RANGES_H

#include "analysis/access/arguments.h"

struct gaspdb_byte_ranges {
	int64_t first, bytes, stride; /* stride: from one to the next, > 0 */
	int64_t n;
};

/* The arguments that tell of strides. */
#define GASPDB_BYTE_RANGES_NEEDED                                         \
	(GASPDB_ACCESS_BIT(ELEMENT_BYTES) | GASPDB_ACCESS_BIT(ELEMENTS) | \
	 GASPDB_ACCESS_BIT(TARGET_STRIDE))

/* What a write at that object of so many bytes (NONE: one) changes. */
struct gaspdb_byte_ranges
gaspdb_byte_ranges_of(int64_t object, int64_t bytes,
		      const struct gaspdb_access_values *given);
/* What its signal does; none, if it has no signal. */
struct gaspdb_byte_ranges
gaspdb_byte_ranges_signal(const struct gaspdb_access_values *given);
/* The last byte of the last. */
int64_t gaspdb_byte_ranges_last(const struct gaspdb_byte_ranges *s);
/* Where one of them begins. */
int64_t gaspdb_byte_ranges_at(const struct gaspdb_byte_ranges *s, int64_t i);
/* Is there any byte of so many from that object on among them? */
bool gaspdb_byte_ranges_meet(const struct gaspdb_byte_ranges *s, int64_t object,
			     int64_t bytes);

#endif
