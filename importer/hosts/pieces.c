/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of a clock. */
#include "importer/hosts/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

/* The last piece is for all later ticks. */
#define SPAN_MAX (UINT64_MAX / 2)

void gaspdb_clock_pieces_free(struct gaspdb_clock_pieces *p)
{
	free(p->line);
	memset(p, 0, sizeof *p);
}

void gaspdb_clock_pieces_select(const struct gaspdb_clock_pieces *p,
				uint64_t ticks, struct gaspdb_clock_line *line)
{
	size_t from = 0, to = p->n;

	if (!p->n)
		return;
	while (to - from > 1) {
		const size_t middle = from + (to - from) / 2;

		if ((int64_t)(ticks - p->line[middle].ticks0) >= 0)
			from = middle;
		else
			to = middle;
	}
	*line = p->line[from];
}

#define ONE_NS ((gaspdb_fine_ns)1 << GASPDB_RATE_SHIFT)

/* The first ticks at which own, a line, has reached ns. */
static uint64_t ticks_at(const struct gaspdb_clock_line *own, int64_t ns)
{
	gaspdb_fine_ns missing = (gaspdb_fine_ns)ns * ONE_NS - own->at0;
	gaspdb_fine_ns ticks = missing / own->rate;

	ticks += ticks * own->rate < missing;
	return own->ticks0 + (uint64_t)(int64_t)ticks;
}

static gaspdb_fine_ns fine_at(const struct gaspdb_clock_line *own,
			      uint64_t ticks)
{
	return (gaspdb_fine_ns)(int64_t)(ticks - own->ticks0) * own->rate +
	       own->at0;
}

static void add(struct gaspdb_clock_pieces *p, uint64_t ticks,
		gaspdb_fine_ns at0, int64_t rate)
{
	p->line = gaspdb_mem_grow(p->line, &p->capacity, p->n + 1,
				  sizeof *p->line);
	p->line[p->n++] = (struct gaspdb_clock_line){
		.at0 = at0, .ticks0 = ticks, .rate = rate, .span = SPAN_MAX
	};
}

/*
 * Each piece begins where the one before ends, so that time does not step back,
 * and has the rate that leads to the next knot.
 */
void gaspdb_clock_pieces_make(struct gaspdb_clock_pieces *p,
			      const struct gaspdb_timeline *t, int64_t zero_ns,
			      const struct gaspdb_clock_host *h,
			      int64_t moved_ns)
{
	const struct gaspdb_clock_line own = gaspdb_timeline_from(t, zero_ns);
	const struct gaspdb_knot *k = h->knots;
	uint64_t ticks;
	gaspdb_fine_ns at;

	p->n = 0;
	if (!h->n_knots || own.rate <= 0)
		return;
	ticks = ticks_at(&own, k->ns);
	at = fine_at(&own, ticks) +
	     ((gaspdb_fine_ns)k->offset_ns + moved_ns) * ONE_NS;
	for (size_t i = 1; i < h->n_knots; i++) {
		const uint64_t next = ticks_at(&own, k[i].ns);
		const int64_t length = (int64_t)(next - ticks);
		gaspdb_fine_ns to =
			fine_at(&own, next) +
			((gaspdb_fine_ns)k[i].offset_ns + moved_ns) * ONE_NS;

		if (length <= 0)
			continue;
		add(p, ticks, at, to > at ? (int64_t)((to - at) / length) : 0);
		p->line[p->n - 1].span = (uint64_t)length;
		at += (gaspdb_fine_ns)length * p->line[p->n - 1].rate;
		ticks = next;
	}
	add(p, ticks, at, own.rate + (int64_t)((double)own.rate * h->tail));
}
