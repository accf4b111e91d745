/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the importer noted of the events (sql/store/event_index.h). */
#include "analysis/collectives/marks.h"

#include "analysis/engine/scan.h"
#include "analysis/rows/table.h"
#include "sql/store/event_index.h"
#include "common/sum.h"

void gaspdb_collective_marks_open(struct gaspdb_collective_marks *m,
				  const struct gaspdb_run *run)
{
	*m = (struct gaspdb_collective_marks){ .events = run->marks };
}

void gaspdb_collective_marks_source(struct gaspdb_collective_marks *m,
				    int64_t source, bool collective, bool other)
{
	if (collective)
		m->collective |= gaspdb_event_mark(source);
	if (other)
		m->other |= gaspdb_event_mark(source);
}

/* --- looking for them ----------------------------------------------------- */

struct scan {
	const struct gaspdb_collective_marks *marks;
	gaspdb_row_fn take;
	bool (*others)(const void *user);
	void *user;
	int64_t until; /* events before that are of interest, too */
	int64_t from;  /* the event that it goes on at; NONE: it does not */
};

/* The first id from that one on that is of interest; NONE: there is none. */
static int64_t find(struct scan *s, int64_t id)
{
	const struct gaspdb_collective_marks *m = s->marks;
	const bool others = s->others && s->others(s->user);
	const uint64_t wanted = m->collective | (others ? m->other : 0);
	const struct gaspdb_event_marks *of = m->events;
	size_t i;

	if (!of) {
		s->until = INT64_MAX;
		return id;
	}
	i = (size_t)(id >> of->shift);
	while (i < of->n && !(of->bits[i] & wanted))
		i++;
	if (i >= of->n)
		return GASPDB_NONE;
	s->until = (int64_t)(i + 1) << of->shift;
	return gaspdb_max(id, (int64_t)i << of->shift);
}

/* Is the event that is next of interest? */
static __attribute__((noinline)) bool goes_on(struct scan *s, int64_t id)
{
	const int64_t next = find(s, id);

	if (next != id)
		s->from = next;
	return next == id;
}

static bool take_row(void *user, const int64_t *values)
{
	struct scan *s = user;
	const int64_t id = gaspdb_event_of(values)->id;

	return (id < s->until || goes_on(s, id)) && s->take(s->user, values);
}

void gaspdb_collective_marks_scan(const struct gaspdb_collective_marks *m,
				  struct gaspdb_run *run, gaspdb_row_fn take,
				  bool (*others)(const void *user), void *user)
{
	struct scan s = { m, take, others, user, 0, GASPDB_NONE };
	struct gaspdb_table events;

	gaspdb_table_open(&events, run, "event", GASPDB_EVENT_COLUMNS);
	for (int64_t at = find(&s, 0); at != GASPDB_NONE; at = s.from) {
		s.from = GASPDB_NONE;
		gaspdb_table_scan(&events, at, take_row, &s);
	}
	gaspdb_table_close(&events);
}
