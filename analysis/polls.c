/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of a thread have ids in the order in which they began. */
#include "analysis/polls.h"

#include <stdlib.h>

#include "analysis/scan.h"

static void next_gap(struct gaspdb_polls *polls)
{
	const bool any = gaspdb_row(polls->run, polls->gaps);

	polls->gap_thread =
		any ? sqlite3_column_int64(polls->gaps, 0) : INT64_MAX;
	polls->gap_ns = any ? sqlite3_column_int64(polls->gaps, 1) : 0;
}

void gaspdb_polls_open(struct gaspdb_polls *polls, struct gaspdb_run *run)
{
	polls->run = run;
	polls->thread = GASPDB_NONE;
	gaspdb_table_open(&polls->events, run, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_open(&polls->arguments, run, "event_arg",
			  GASPDB_EVENT_ARG_COLUMNS);
	polls->is_other = gaspdb_argument_roles(
		run, (const char *const[]){ "success" }, 1, &polls->n_roles);
	polls->gaps = gaspdb_prepare(run, "SELECT thread_id, start_ns FROM gap "
					  "WHERE kind <> 'tool' ORDER BY 1, 2");
	next_gap(polls);
}

/* When a gap of that thread last began before then; NONE: never. */
static int64_t last_gap(struct gaspdb_polls *polls, int64_t thread,
			int64_t before_ns)
{
	while (polls->gap_thread < thread ||
	       (polls->gap_thread == thread && polls->gap_ns < before_ns)) {
		polls->thread = polls->gap_thread;
		polls->last_ns = polls->gap_ns;
		next_gap(polls);
	}
	return polls->thread == thread ? polls->last_ns : GASPDB_NONE;
}

/* Does the log say that it did not succeed? */
static bool in_vain(struct gaspdb_polls *polls, int64_t event)
{
	int64_t row[GASPDB_EVENT_ARG_COLUMNS];
	int64_t id = event * GASPDB_ARGS_OF_EVENT;

	while (gaspdb_table_get(&polls->arguments, id++,
				GASPDB_EVENT_ARG_COLUMNS, row)) {
		const int64_t argument = row[GASPDB_EVENT_ARG_ARGUMENT];

		if (argument >= 0 && argument < polls->n_roles &&
		    !polls->is_other[argument])
			return row[GASPDB_EVENT_ARG_VALUE] == 0;
	}
	return false;
}

static enum gaspdb_type type_of(const struct gaspdb_polls *polls,
				const int64_t *event, bool *call)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(polls->run, event[GASPDB_EVENT_SOURCE]);

	*call = source && source->call && !event[GASPDB_EVENT_NESTED];
	return source ? source->type : GASPDB_N_TYPES;
}

void gaspdb_polls_before(struct gaspdb_polls *polls, int64_t event,
			 gaspdb_poll_fn fn, void *user)
{
	int64_t row[GASPDB_EVENT_COLUMNS];
	int64_t thread, next_ns, gap_ns;
	bool call;

	if (!gaspdb_table_get(&polls->events, event, GASPDB_EVENT_COLUMNS, row))
		return;
	thread = row[GASPDB_EVENT_THREAD];
	next_ns = row[GASPDB_EVENT_START];
	gap_ns = last_gap(polls, thread, next_ns);
	while (gaspdb_table_get(&polls->events, --event, GASPDB_EVENT_COLUMNS,
				row) &&
	       row[GASPDB_EVENT_THREAD] == thread) {
		const enum gaspdb_type type = type_of(polls, row, &call);
		const int64_t start_ns = row[GASPDB_EVENT_START];
		const int64_t end_ns = start_ns + row[GASPDB_EVENT_DURATION];

		if (!call)
			continue;
		if (!gaspdb_type_polls(type) || row[GASPDB_EVENT_OPEN] ||
		    end_ns > next_ns || start_ns < gap_ns ||
		    !in_vain(polls, event))
			return;
		fn(user, event, start_ns, end_ns);
		next_ns = start_ns;
	}
}

void gaspdb_polls_close(struct gaspdb_polls *polls)
{
	gaspdb_table_close(&polls->events);
	gaspdb_table_close(&polls->arguments);
	free(polls->is_other);
	sqlite3_finalize(polls->gaps);
}
