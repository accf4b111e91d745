/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blame, from a merge of the waits for each thread and the path's segments on
 * it. Of the waits of one kind and spot the union of intervals counts, because
 * several threads may wait at the same time.
 */
#include "analysis/path/blame.h"

#include <stdlib.h>

#include "analysis/engine/scan.h"
#include "analysis/findings/spots.h"
#include "analysis/path/walk.h"
#include "analysis/rows/groups.h"
#include "analysis/rows/shared_sorter.h"
#include "analysis/waits/unserved.h"
#include "common/sum.h"
#include "sql/passes/path.h"
#include "sql/store/table.h"

/* The open interval of the waits of a kind and spot; start_ns moves up to what
   has been counted. */
struct interval {
	int64_t kind, spot;
	int64_t start_ns, end_ns;
	int64_t error_ns; /* of start_ns, as a wait's; NONE: unknown */
};

struct blame {
	struct gaspdb_run *run;
	struct gaspdb_spot *spots;
	struct gaspdb_sorter *waits;	   /* by causing thread, start */
	const int64_t *next;		   /* the next wait; NULL: none */
	struct gaspdb_table events, table; /* table: wait */
	int64_t event, event_spot;	   /* the last look-up */
	int64_t thread;
	struct interval *open; /* of that thread */
	size_t n_open, open_room;
	struct gaspdb_groups totals; /* kind, thread, spot: ns, error, number of
					unknown errors */
};

static struct gaspdb_sorter *share_waits(struct gaspdb_run *run)
{
	return gaspdb_sorter_share(run, &run->shared.path_blame, 7, 2);
}

void gaspdb_path_blame_wait(struct gaspdb_run *run, const int64_t *w,
			    enum gaspdb_wait_kind kind, int64_t cause_source)
{
	struct gaspdb_sorter *waits = share_waits(run);
	/* A cause that never occurred has only the line of the wait. */
	const int64_t line = w[GASPDB_WAIT_CAUSE_EVENT] != GASPDB_NONE
				     ? w[GASPDB_WAIT_CAUSE_EVENT]
				     : w[GASPDB_WAIT_EVENT];

	if (waits && w[GASPDB_WAIT_CAUSE_THREAD] != GASPDB_NONE &&
	    !w[GASPDB_WAIT_BELOW_ERROR])
		gaspdb_sorter_add(waits,
				  (int64_t[]){ w[GASPDB_WAIT_CAUSE_THREAD],
					       w[GASPDB_WAIT_START],
					       w[GASPDB_WAIT_END], kind, line,
					       cause_source,
					       w[GASPDB_WAIT_ERROR] });
}

static int64_t *sums_of(struct blame *b, int64_t kind, int64_t thread,
			int64_t spot)
{
	return gaspdb_group(b->run, &b->totals,
			    (int64_t[]){ kind, thread, spot });
}

static void add_error(int64_t *sums, int64_t error_ns)
{
	if (error_ns == GASPDB_NONE)
		sums[2]++;
	else
		gaspdb_add_to(&sums[1], error_ns);
}

/* Count the part of an interval that lies in a segment. */
static void count(struct blame *b, struct interval *i,
		  const struct gaspdb_path_segment *s)
{
	const int64_t from_ns =
		i->start_ns > s->start_ns ? i->start_ns : s->start_ns;
	const int64_t to_ns = i->end_ns < s->end_ns ? i->end_ns : s->end_ns;

	int64_t *sums;

	if (to_ns <= from_ns)
		return;
	sums = sums_of(b, i->kind, s->thread, i->spot);
	if (sums) {
		gaspdb_add_to(&sums[0], to_ns - from_ns);
		if (i->start_ns > s->start_ns)
			add_error(sums, i->error_ns);
		if (to_ns == s->end_ns)
			add_error(sums, s->error_ns);
	}
	i->start_ns = to_ns;
}

static int64_t spot_of(struct blame *b, int64_t event)
{
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (event == b->event)
		return b->event_spot;
	b->event = event;
	b->event_spot = gaspdb_table_get(&b->events, event,
					 GASPDB_EVENT_SOURCE + 1, row)
				? b->spots[row[GASPDB_EVENT_SOURCE]].spot
				: GASPDB_NONE;
	return b->event_spot;
}

/* Merge the next wait into the interval of its kind and spot. */
static void merge_next(struct blame *b, const struct gaspdb_path_segment *s)
{
	const int64_t *next = b->next;
	const struct interval w = { .kind = next[3],
				    .spot = next[5] != GASPDB_NONE
						    ? b->spots[next[5]].spot
						    : spot_of(b, next[4]),
				    .start_ns = next[1],
				    .end_ns = next[2],
				    .error_ns = next[6] };

	for (size_t i = 0; i < b->n_open; i++) {
		struct interval *o = &b->open[i];

		if (o->kind != w.kind || o->spot != w.spot)
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

/* Count the waits for the thread of a segment. */
static void add_running(struct blame *b, const struct gaspdb_path_segment *s)
{
	size_t kept = 0;

	if (s->thread != b->thread)
		b->n_open = 0;
	b->thread = s->thread;
	for (; b->next && (b->next[0] < s->thread ||
			   (b->next[0] == s->thread && b->next[1] < s->end_ns));
	     b->next = gaspdb_sorter_next(b->waits))
		if (b->next[0] == s->thread && b->next[2] > s->start_ns)
			merge_next(b, s);
	for (size_t i = 0; i < b->n_open; i++) {
		count(b, &b->open[i], s);
		if (b->open[i].end_ns > s->end_ns)
			b->open[kept++] = b->open[i];
	}
	b->n_open = kept;
}

/* Count a segment of waiting without a known cause, for the line that waits. */
static void add_waiting(struct blame *b, const struct gaspdb_path_segment *s)
{
	int64_t w[GASPDB_WAIT_COLUMNS];

	int64_t *sums;

	if (!gaspdb_table_get(&b->table, s->wait, GASPDB_WAIT_KIND + 1, w))
		return;
	sums = sums_of(b, gaspdb_wait_kind_of(w[GASPDB_WAIT_KIND]), GASPDB_NONE,
		       spot_of(b, w[GASPDB_WAIT_EVENT]));
	if (!sums)
		return;
	gaspdb_add_to(&sums[0], s->end_ns - s->start_ns);
	add_error(sums, s->error_ns);
}

static void read_segments(struct blame *b)
{
	sqlite3_stmt *stmt = gaspdb_prepare(b->run, gaspdb_sql_path_segments);

	while (gaspdb_row(b->run, stmt)) {
		const struct gaspdb_path_segment s = {
			.thread = sqlite3_column_int64(stmt, 0),
			.start_ns = sqlite3_column_int64(stmt, 1),
			.end_ns = sqlite3_column_int64(stmt, 2),
			.wait = gaspdb_column(stmt, 3),
			.error_ns = gaspdb_column(stmt, 5)
		};

		if (sqlite3_column_int(stmt, 4))
			add_running(b, &s);
		else
			add_waiting(b, &s);
	}
	sqlite3_finalize(stmt);
}

static void write_totals(struct blame *b)
{
	sqlite3_stmt *stmt = gaspdb_prepare(b->run, gaspdb_sql_path_wait_add);

	gaspdb_groups_sort(&b->totals);
	for (size_t i = 0; i < b->totals.n; i++) {
		const int64_t *row = gaspdb_groups_row(&b->totals, i);

		gaspdb_write(
			b->run, stmt, 5, row + 1,
			gaspdb_wait_kind_name((enum gaspdb_wait_kind)row[0]));
	}
	sqlite3_finalize(stmt);
}

enum gaspdb_status gaspdb_pass_path_blame(struct gaspdb_run *run)
{
	struct blame b = { .run = run,
			   .spots = gaspdb_spots_read(run),
			   .waits = share_waits(run),
			   .event = GASPDB_NONE,
			   .thread = GASPDB_NONE };

	if (!b.spots || !b.waits) {
		free(b.spots);
		return run->status;
	}
	gaspdb_groups_init(&b.totals, 3, 3);
	gaspdb_table_open(&b.events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_table_open(&b.table, &run->tables, "wait", GASPDB_WAIT_COLUMNS);
	b.next = gaspdb_sorter_next(b.waits);
	read_segments(&b);
	write_totals(&b);
	gaspdb_unserved_path(run);
	gaspdb_sorter_empty(b.waits);
	gaspdb_table_close(&b.events);
	gaspdb_table_close(&b.table);
	gaspdb_groups_fini(&b.totals);
	free(b.open);
	free(b.spots);
	return run->status;
}
