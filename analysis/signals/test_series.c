/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Series of failed tests, stored as ranges of event ids. */
#include "analysis/signals/test_series.h"

#include <stdlib.h>

#include "common/sum.h"

typedef struct gaspdb_test_series series;

void gaspdb_test_series_open(series *s, struct gaspdb_run *run)
{
	*s = (series){ .run = run, .current.first = GASPDB_NONE };
	gaspdb_polls_open(&s->polls, run);
}

/* Did a gap of the thread begin since the last test of the current series? */
static bool crosses_gap(const series *s, const struct gaspdb_event *e)
{
	return s->current.first != GASPDB_NONE &&
	       gaspdb_polls_last_gap(&s->polls, e->thread, e->start_ns) >
		       s->last_ns;
}

void gaspdb_test_series_consume(series *s, const struct gaspdb_event *e,
				enum gaspdb_test_call call)
{
	if (e->thread != s->thread || crosses_gap(s, e))
		s->current.first = GASPDB_NONE;
	s->thread = e->thread;
	s->last_ns = e->start_ns;
	if (call == GASPDB_TEST_FAILS) {
		if (s->current.first == GASPDB_NONE)
			s->current.first = e->id;
		s->current.last = e->id;
		return;
	}
	if (call == GASPDB_TEST_SUCCEEDS && s->current.first != GASPDB_NONE &&
	    gaspdb_grow(s->run, &s->ended, s->n, &s->room, sizeof *s->ended)) {
		s->current.end = e->id;
		s->ended[s->n++] = s->current;
	}
	s->current.first = GASPDB_NONE;
}

/* The first series that ends with an event, or later; NULL: none. */
static const struct gaspdb_test_range *find(const series *s, int64_t event)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (s->ended[middle].end < event)
			low = middle + 1;
		else
			high = middle;
	}
	return low < s->n ? &s->ended[low] : NULL;
}

bool gaspdb_test_series_has(const series *s, int64_t event)
{
	const struct gaspdb_test_range *r = find(s, event);

	return r && r->first <= event && event <= r->last;
}

void gaspdb_test_series_propose(series *s, struct gaspdb_wait_writer *writer,
				const struct gaspdb_wait *wait)
{
	const struct gaspdb_test_range *r = find(s, wait->event);

	if (r && r->end == wait->event)
		gaspdb_polls_before(
			&s->polls, wait->event, gaspdb_wait_propose_part,
			&(struct gaspdb_wait_part){ writer, *wait });
}

void gaspdb_test_series_close(series *s)
{
	gaspdb_polls_close(&s->polls);
	free(s->ended);
}
