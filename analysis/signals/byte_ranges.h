/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes that a write changes: one stretch of them, or of a strided one,
   stretches as far apart from each other. */
#ifndef GASPDB_ANALYSIS_SIGNALS_BYTE_RANGES_H
#define GASPDB_ANALYSIS_SIGNALS_BYTE_RANGES_H

#include "analysis/access/arguments.h"

struct gaspdb_stretches {
	int64_t first, bytes, stride; /* stride: from one to the next, > 0 */
	int64_t n;
};

/* The arguments that tell of strides. */
#define GASPDB_STRETCHES_WANTED                                           \
	(GASPDB_ACCESS_BIT(ELEMENT_BYTES) | GASPDB_ACCESS_BIT(ELEMENTS) | \
	 GASPDB_ACCESS_BIT(TARGET_STRIDE))

/* What a write at that object of so many bytes (NONE: one) changes. */
struct gaspdb_stretches
gaspdb_stretches_of(int64_t object, int64_t bytes,
		    const struct gaspdb_access_told *told);
/* What its signal does; none, if it has no signal. */
struct gaspdb_stretches
gaspdb_stretches_signal(const struct gaspdb_access_told *told);
/* The last byte of the last. */
int64_t gaspdb_stretches_last(const struct gaspdb_stretches *s);
/* Where one of them begins. */
int64_t gaspdb_stretches_at(const struct gaspdb_stretches *s, int64_t i);
/* Is there any byte of so many from that object on among them? */
bool gaspdb_stretches_meet(const struct gaspdb_stretches *s, int64_t object,
			   int64_t bytes);

#endif
