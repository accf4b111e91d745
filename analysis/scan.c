/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/scan.h"

#include <string.h>

#include "analysis/lane.h"
#include "analysis/table.h"

struct scan {
	struct gaspdb_run *run;
	gaspdb_event_fn fn, other; /* other: NULL, or of a pass that waited */
	void *user, *others;
};

static bool take_row(void *user, const int64_t *values)
{
	const struct scan *scan = user;
	const struct gaspdb_event *event = gaspdb_event_of(values);

	if (event->nested)
		return true;
	scan->fn(scan->user, event);
	if (scan->other)
		scan->other(scan->others, event);
	return scan->run->status == GASPDB_OK;
}

void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user)
{
	struct scan scan = { .run = run, .fn = fn, .user = user };
	struct gaspdb_lane *waited = run->waits;
	struct gaspdb_table events;

	if (waited)
		scan.other = gaspdb_lane_scan_begins(waited, &scan.others);
	gaspdb_table_open(&events, run, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_scan_all(&events, take_row, &scan);
	gaspdb_table_close(&events);
	if (scan.other)
		gaspdb_lane_scan_ends(waited);
}

enum gaspdb_status gaspdb_run_event_pass(sqlite3 *db, struct gaspdb_error *err,
					 const struct gaspdb_event_pass *pass)
{
	struct gaspdb_run run;
	void *object;

	gaspdb_run_open(&run, db, err);
	object = pass->open(&run);
	if (object) {
		gaspdb_scan_events(&run, pass->take, object);
		pass->close(object);
	}
	return gaspdb_run_close(&run);
}

unsigned char *gaspdb_argument_roles(struct gaspdb_run *run,
				     const char *const *names, unsigned char n,
				     int64_t *n_ids)
{
	unsigned char *role = NULL;
	sqlite3_stmt *stmt = gaspdb_prepare(
		run, "SELECT id, name, (SELECT max(id) FROM argument) "
		     "FROM argument WHERE id >= 0");

	*n_ids = 0;
	while (gaspdb_row(run, stmt)) {
		const char *name = (const char *)sqlite3_column_text(stmt, 1);
		unsigned char i = 0;

		if (!role) {
			const int64_t ids = sqlite3_column_int64(stmt, 2) + 1;

			role = gaspdb_zeroed(run, (size_t)ids, 1);
			if (!role)
				break;
			memset(role, n, (size_t)ids);
			*n_ids = ids;
		}
		while (i < n && strcmp(name, names[i]) != 0)
			i++;
		role[sqlite3_column_int64(stmt, 0)] = i;
	}
	sqlite3_finalize(stmt);
	return role;
}
