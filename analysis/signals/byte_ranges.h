/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Byte ranges of a write: one range, or for a strided write n of equal size and
   distance. */
#ifndef GASPDB_ANALYSIS_SIGNALS_BYTE_RANGES_H
#define GASPDB_ANALYSIS_SIGNALS_BYTE_RANGES_H

#include "analysis/access/arguments.h"

struct gaspdb_byte_ranges {
	int64_t first, bytes; /* of the first range */
	int64_t stride;	      /* distance of their starts, > 0 */
	int64_t n;	      /* 0: none */
};

/* Arguments that describe strides. */
#define GASPDB_BYTE_RANGES_NEEDED                                         \
	(GASPDB_ACCESS_BIT(ELEMENT_BYTES) | GASPDB_ACCESS_BIT(ELEMENTS) | \
	 GASPDB_ACCESS_BIT(TARGET_STRIDE))

/* The ranges of a write to an object. bytes NONE: one byte. */
struct gaspdb_byte_ranges
gaspdb_byte_ranges_of(int64_t object, int64_t bytes,
		      const struct gaspdb_access_values *given);
/* The range of a put's signal word; n 0: no signal. */
struct gaspdb_byte_ranges
gaspdb_byte_ranges_signal(const struct gaspdb_access_values *given);
/* The last byte of the last range. */
int64_t gaspdb_byte_ranges_last(const struct gaspdb_byte_ranges *s);
/* The start of range i. */
int64_t gaspdb_byte_ranges_at(const struct gaspdb_byte_ranges *s, int64_t i);
/* Do the ranges contain any of the bytes from an object on? */
bool gaspdb_byte_ranges_overlap(const struct gaspdb_byte_ranges *s,
				int64_t object, int64_t bytes);

#endif
