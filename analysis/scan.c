/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan of table event as an aggregate function without a result. */
#include "analysis/scan.h"

#define POINTER "gaspdb_scan"

struct scan {
	struct gaspdb_run *run;
	gaspdb_event_fn fn;
	void *user;
};

static int64_t value(sqlite3_value *v)
{
	return sqlite3_value_type(v) == SQLITE_NULL ? GASPDB_NONE
						    : sqlite3_value_int64(v);
}

static void step(sqlite3_context *context, int n, sqlite3_value **values)
{
	struct scan *scan = sqlite3_value_pointer(values[0], POINTER);
	const struct gaspdb_event event = {
		.id = sqlite3_value_int64(values[1]),
		.thread = sqlite3_value_int64(values[2]),
		.source = sqlite3_value_int64(values[3]),
		.start_ns = sqlite3_value_int64(values[4]),
		.duration_ns = sqlite3_value_int64(values[5]),
		.bytes = value(values[6]),
		.peer = value(values[7]),
		.object = value(values[8])
	};

	(void)n;
	if (!scan || scan->run->status != GASPDB_OK)
		sqlite3_result_error(context, "stopped", -1);
	else
		scan->fn(scan->user, &event);
}

static void finish(sqlite3_context *context)
{
	(void)context;
}

void gaspdb_scan_register(struct gaspdb_run *run)
{
	gaspdb_function(run, "gaspdb_scan", 9, step, finish);
}

void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user)
{
	struct scan scan = { run, fn, user };
	sqlite3_stmt *stmt;

	/* A scan of the whole table: its order is that of the ids. */
	stmt = gaspdb_prepare(run, "SELECT gaspdb_scan(?, id, thread_id, "
				   "source_id, start_ns, duration_ns, bytes, "
				   "peer, object) FROM event NOT INDEXED "
				   "WHERE nested = 0");
	if (stmt)
		sqlite3_bind_pointer(stmt, 1, &scan, POINTER, NULL);
	gaspdb_row(run, stmt);
	sqlite3_finalize(stmt);
}
