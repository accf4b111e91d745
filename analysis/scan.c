/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scan of table event: of its pages, or, where it is in no file, as an
 * aggregate function without a result.
 */
#include "analysis/scan.h"

#include "sql/page_scan.h"

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
		.object = value(values[8]),
		.open = sqlite3_value_int(values[9])
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
	gaspdb_function(run, "gaspdb_scan", 10, step, finish);
}

/* The columns of table event. */
enum {
	ID,
	THREAD,
	SOURCE,
	PARENT,
	START,
	DURATION,
	SELF,
	BYTES,
	PEER,
	OBJECT,
	NESTED,
	OPEN,
	N_COLUMNS
};

static bool take_row(void *user, const int64_t *v)
{
	const struct scan *scan = user;
	const struct gaspdb_event event = { .id = v[ID],
					    .thread = v[THREAD],
					    .source = v[SOURCE],
					    .start_ns = v[START],
					    .duration_ns = v[DURATION],
					    .bytes = v[BYTES],
					    .peer = v[PEER],
					    .object = v[OBJECT],
					    .open = v[OPEN] };

	if (!v[NESTED])
		scan->fn(scan->user, &event);
	return scan->run->status == GASPDB_OK;
}

/* By SQLite, in the order of ids: that of a scan of the whole table. */
static void select_events(struct scan *scan)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		scan->run, "SELECT gaspdb_scan(?, id, thread_id, source_id, "
			   "start_ns, duration_ns, bytes, peer, object, "
			   "open) "
			   "FROM event NOT INDEXED WHERE nested = 0");

	if (stmt)
		sqlite3_bind_pointer(stmt, 1, scan, POINTER, NULL);
	gaspdb_row(scan->run, stmt);
	sqlite3_finalize(stmt);
}

void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user)
{
	struct scan scan = { run, fn, user };
	bool bad;

	if (run->status != GASPDB_OK)
		return;
	if (!gaspdb_page_scan(run->db, "event", N_COLUMNS, take_row, &scan,
			      &bad))
		select_events(&scan);
	else if (bad && run->status == GASPDB_OK)
		run->status = gaspdb_fail(run->err, GASPDB_FAILED,
					  "table 'event' cannot be read");
}
