/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/scan.h"

#include "analysis/table.h"

struct scan {
	struct gaspdb_run *run;
	gaspdb_event_fn fn;
	void *user;
};

_Static_assert(sizeof(struct gaspdb_event) ==
		       GASPDB_EVENT_COLUMNS * sizeof(int64_t),
	       "a row has a name for each column");

/* Rows are not copied: it would take as long as to read them. */
static bool take_row(void *user, const int64_t *values)
{
	const struct scan *scan = user;
	const struct gaspdb_event *event = (const void *)values;

	if (!event->nested)
		scan->fn(scan->user, event);
	return scan->run->status == GASPDB_OK;
}

void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user)
{
	struct scan scan = { run, fn, user };
	struct gaspdb_table events;

	gaspdb_table_open(&events, run, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_table_scan(&events, INT64_MIN, take_row, &scan);
	gaspdb_table_close(&events);
}
