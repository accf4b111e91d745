/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polls, found by stepping back through the ids of a thread's events, which are
   in the order of their starts. */
#include "analysis/waits/polls.h"

#include <stdlib.h>

#include "analysis/engine/scan.h"
#include "common/lower_bound.h"
#include "sql/passes/engine.h"

enum { GAPS_MAX = 1 << 20 };

static void load_gaps(struct gaspdb_polls *polls)
{
	sqlite3_stmt *stmt = gaspdb_prepare(polls->run, gaspdb_sql_gap_starts);

	while (polls->n_gaps <= GAPS_MAX && gaspdb_row(polls->run, stmt) &&
	       gaspdb_grow(polls->run, &polls->gaps, polls->n_gaps,
			   &polls->room, sizeof *polls->gaps))
		polls->gaps[polls->n_gaps++] =
			(struct gaspdb_poll_gap){ sqlite3_column_int64(stmt, 0),
						  sqlite3_column_int64(stmt,
								       1) };
	sqlite3_finalize(stmt);
}

void gaspdb_polls_open(struct gaspdb_polls *polls, struct gaspdb_run *run)
{
	*polls = (struct gaspdb_polls){ .run = run };
	gaspdb_table_open(&polls->events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_event_args_open(&polls->arguments, run);
	polls->is_other = gaspdb_argument_roles(
		run, (const char *const[]){ "success" }, 1, &polls->n_roles);
	load_gaps(polls);
}

int64_t gaspdb_polls_last_gap(const struct gaspdb_polls *polls, int64_t thread,
			      int64_t before_ns)
{
	const struct gaspdb_poll_gap *g = polls->gaps;
	size_t n;

	GASPDB_LOWER_BOUND(n, polls->n_gaps, i,
			   g[i].thread < thread || (g[i].thread == thread &&
						    g[i].start_ns < before_ns));
	return n && g[n - 1].thread == thread ? g[n - 1].start_ns : GASPDB_NONE;
}

bool gaspdb_polls_failed(struct gaspdb_polls *polls, int64_t event)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&polls->arguments, event, args);

	for (size_t i = 0; i < n; i++) {
		const int64_t argument = args[i].argument;

		if (argument >= 0 && argument < polls->n_roles &&
		    !polls->is_other[argument])
			return args[i].value == 0;
	}
	return false;
}

void gaspdb_polls_before(struct gaspdb_polls *polls, int64_t event,
			 gaspdb_poll_fn fn, void *user)
{
	int64_t row[GASPDB_EVENT_COLUMNS];
	int64_t thread, next_ns, gap_ns;

	if (polls->n_gaps > GAPS_MAX ||
	    !gaspdb_table_get(&polls->events, event, GASPDB_EVENT_COLUMNS, row))
		return;
	thread = row[GASPDB_EVENT_THREAD];
	next_ns = row[GASPDB_EVENT_START];
	gap_ns = gaspdb_polls_last_gap(polls, thread, next_ns);
	while (gaspdb_table_get(&polls->events, --event, GASPDB_EVENT_COLUMNS,
				row) &&
	       row[GASPDB_EVENT_THREAD] == thread) {
		const struct gaspdb_run_source *source =
			gaspdb_run_source(polls->run, row[GASPDB_EVENT_SOURCE]);
		const int64_t start_ns = row[GASPDB_EVENT_START];
		const int64_t end_ns = start_ns + row[GASPDB_EVENT_DURATION];

		if (!source || !source->call || row[GASPDB_EVENT_NESTED])
			continue;
		if ((!gaspdb_type_polls(source->type) &&
		     source->type != GASPDB_TYPE_wait_test) ||
		    row[GASPDB_EVENT_OPEN] || end_ns > next_ns ||
		    start_ns < gap_ns || !gaspdb_polls_failed(polls, event))
			return;
		fn(user, event, start_ns, end_ns);
		next_ns = start_ns;
	}
}

void gaspdb_polls_close(struct gaspdb_polls *polls)
{
	gaspdb_table_close(&polls->events);
	gaspdb_event_args_close(&polls->arguments);
	free(polls->is_other);
	free(polls->gaps);
}
