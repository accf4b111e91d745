/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Welford's recurrence: differences of squares of large times would leave
 * nothing of a small deviation.
 */
#include "importer/rollups/spread.h"

#include "common/sum.h"

void gaspdb_spread_add(struct gaspdb_spread *s, int64_t thread, int64_t value)
{
	const double from_old = (double)value - s->mean;

	if (!s->threads || value > s->maximum) {
		s->maximum = value;
		s->max_thread = thread;
	}
	if (!s->threads || value < s->minimum) {
		s->minimum = value;
		s->min_thread = thread;
	}
	s->threads++;
	gaspdb_add_to(&s->total, value);
	s->mean += from_old / (double)s->threads;
	s->square += from_old * ((double)value - s->mean);
}
