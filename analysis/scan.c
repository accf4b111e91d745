/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/scan.h"

#include <string.h>

#include "analysis/lane.h"
#include "analysis/table.h"

struct scan {
	struct gaspdb_run *run;
	size_t n;
	struct gaspdb_taker takers[GASPDB_LANES_MAX + 1], *end;
};

static bool take_row(void *user, const int64_t *values)
{
	const struct scan *scan = user;
	const struct gaspdb_event *event = gaspdb_event_of(values);

	if (event->nested)
		return true;
	for (const struct gaspdb_taker *t = scan->takers; t < scan->end; t++)
		t->fn(t->user, event);
	return scan->run->status == GASPDB_OK;
}

static void scan_all(struct scan *scan)
{
	struct gaspdb_lane *waited = scan->run->waits;
	struct gaspdb_table events;

	scan->n += gaspdb_lanes_scan_begins(scan->run, scan->takers + scan->n);
	scan->end = scan->takers + scan->n;
	gaspdb_table_open(&events, scan->run, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_scan_all(&events, take_row, scan);
	gaspdb_table_close(&events);
	gaspdb_lanes_scan_ends(waited);
}

void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user)
{
	scan_all(&(struct scan){
		.run = run, .n = 1, .takers = { { fn, user } } });
}

void gaspdb_scan_events_for_others(struct gaspdb_run *run)
{
	scan_all(&(struct scan){ .run = run });
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
