/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits for a thread and the path's segments on it pass by side by side.  What
 * several wait for at the same time counts once: of the waits of one kind and
 * line the union is taken.
 */
#include "analysis/path_blame.h"

#include <stdlib.h>

#include "analysis/scan.h"
#include "sum.h"

/* The waits of a kind and line that go on: what is not counted of them yet. */
struct gaspdb_path_interval {
	int64_t kind, source;
	int64_t start_ns, end_ns;
};

void gaspdb_path_blame_open(struct gaspdb_path_blame *b, struct gaspdb_run *run)
{
	*b = (struct gaspdb_path_blame){ .run = run,
					 .event = GASPDB_NONE,
					 .thread = GASPDB_NONE };
	gaspdb_sorter_init(&b->waits, run, 6, 2);
	gaspdb_groups_init(&b->totals, 3, 1);
	gaspdb_table_open(&b->events, run, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_open(&b->table, run, "wait", GASPDB_WAIT_COLUMNS);
}

void gaspdb_path_blame_wait(struct gaspdb_path_blame *b, const int64_t *w,
			    enum gaspdb_wait_kind kind, int64_t cause_source)
{
	/* What never came has no line but that of who waited. */
	const int64_t line = w[GASPDB_WAIT_CAUSE_EVENT] != GASPDB_NONE
				     ? w[GASPDB_WAIT_CAUSE_EVENT]
				     : w[GASPDB_WAIT_EVENT];

	if (w[GASPDB_WAIT_CAUSE_THREAD] != GASPDB_NONE &&
	    !w[GASPDB_WAIT_BELOW_ERROR])
		gaspdb_sorter_add(&b->waits,
				  (int64_t[]){ w[GASPDB_WAIT_CAUSE_THREAD],
					       w[GASPDB_WAIT_START],
					       w[GASPDB_WAIT_END], kind, line,
					       cause_source });
}

static void add(struct gaspdb_path_blame *b, int64_t kind, int64_t thread,
		int64_t source, int64_t ns)
{
	int64_t *sum = gaspdb_group(b->run, &b->totals,
				    (int64_t[]){ kind, thread, source });

	if (sum)
		gaspdb_add_to(sum, ns);
}

/* Count what lies in the segment. */
static void count(struct gaspdb_path_blame *b, struct gaspdb_path_interval *i,
		  const struct gaspdb_path_segment *s)
{
	const int64_t from_ns =
		i->start_ns > s->start_ns ? i->start_ns : s->start_ns;
	const int64_t to_ns = i->end_ns < s->end_ns ? i->end_ns : s->end_ns;

	if (to_ns <= from_ns)
		return;
	add(b, i->kind, s->thread, i->source, to_ns - from_ns);
	i->start_ns = to_ns;
}

static int64_t source_of(struct gaspdb_path_blame *b, int64_t event)
{
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (event == b->event)
		return b->event_source;
	b->event = event;
	b->event_source = gaspdb_table_get(&b->events, event,
					   GASPDB_EVENT_SOURCE + 1, row)
				  ? row[GASPDB_EVENT_SOURCE]
				  : GASPDB_NONE;
	return b->event_source;
}

/* The next wait joins those of its kind and line. */
static void join_next(struct gaspdb_path_blame *b,
		      const struct gaspdb_path_segment *s)
{
	const int64_t *next = b->next;
	const struct gaspdb_path_interval w = {
		.kind = next[3],
		.source = next[5] != GASPDB_NONE ? next[5]
						 : source_of(b, next[4]),
		.start_ns = next[1],
		.end_ns = next[2]
	};

	for (size_t i = 0; i < b->n_open; i++) {
		struct gaspdb_path_interval *o = &b->open[i];

		if (o->kind != w.kind || o->source != w.source)
			continue;
		if (o->end_ns < w.start_ns) {
			count(b, o, s);
			*o = w;
		} else if (o->end_ns < w.end_ns) {
			o->end_ns = w.end_ns;
		}
		return;
	}
	if (gaspdb_grow(b->run, &b->open, b->n_open, &b->open_room,
			sizeof *b->open))
		b->open[b->n_open++] = w;
}

static void running(struct gaspdb_path_blame *b,
		    const struct gaspdb_path_segment *s)
{
	size_t kept = 0;

	if (!b->reading)
		b->next = gaspdb_sorter_next(&b->waits);
	b->reading = true;
	if (s->thread != b->thread)
		b->n_open = 0;
	b->thread = s->thread;
	for (; b->next && (b->next[0] < s->thread ||
			   (b->next[0] == s->thread && b->next[1] < s->end_ns));
	     b->next = gaspdb_sorter_next(&b->waits))
		if (b->next[0] == s->thread && b->next[2] > s->start_ns)
			join_next(b, s);
	for (size_t i = 0; i < b->n_open; i++) {
		count(b, &b->open[i], s);
		if (b->open[i].end_ns > s->end_ns)
			b->open[kept++] = b->open[i];
	}
	b->n_open = kept;
}

/* Nobody is known to wait for: it goes to the line that waited. */
static void waiting(struct gaspdb_path_blame *b,
		    const struct gaspdb_path_segment *s)
{
	int64_t w[GASPDB_WAIT_COLUMNS];

	if (gaspdb_table_get(&b->table, s->wait, GASPDB_WAIT_KIND + 1, w))
		add(b, gaspdb_wait_kind_of(w[GASPDB_WAIT_KIND]), GASPDB_NONE,
		    source_of(b, w[GASPDB_WAIT_EVENT]),
		    s->end_ns - s->start_ns);
}

void gaspdb_path_blame_segment(struct gaspdb_path_blame *b,
			       const struct gaspdb_path_segment *s)
{
	if (s->kind == GASPDB_PATH_RUNNING)
		running(b, s);
	else if (s->kind == GASPDB_PATH_WAITING)
		waiting(b, s);
}

void gaspdb_path_blame_close(struct gaspdb_path_blame *b)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		b->run, "INSERT INTO path_wait(thread_id, source_id, time_ns, "
			"kind) VALUES(?, ?, ?, ?)");

	gaspdb_groups_sort(&b->totals);
	for (size_t i = 0; i < b->totals.n; i++) {
		const int64_t *row = gaspdb_groups_row(&b->totals, i);

		gaspdb_write(
			b->run, stmt, 3, row + 1,
			gaspdb_wait_kind_name((enum gaspdb_wait_kind)row[0]));
	}
	sqlite3_finalize(stmt);
	gaspdb_table_close(&b->events);
	gaspdb_table_close(&b->table);
	gaspdb_groups_fini(&b->totals);
	gaspdb_sorter_fini(&b->waits);
	free(b->open);
}
