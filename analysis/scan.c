/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "analysis/scan.h"

#include "analysis/table.h"

struct scan {
	struct gaspdb_run *run;
	gaspdb_event_fn fn;
	void *user;
};

static bool take_row(void *user, const int64_t *v)
{
	const struct scan *scan = user;
	const struct gaspdb_event event = { .id = v[GASPDB_EVENT_ID],
					    .thread = v[GASPDB_EVENT_THREAD],
					    .source = v[GASPDB_EVENT_SOURCE],
					    .start_ns = v[GASPDB_EVENT_START],
					    .duration_ns =
						    v[GASPDB_EVENT_DURATION],
					    .bytes = v[GASPDB_EVENT_BYTES],
					    .peer = v[GASPDB_EVENT_PEER],
					    .object = v[GASPDB_EVENT_OBJECT],
					    .open = v[GASPDB_EVENT_OPEN] };

	if (!v[GASPDB_EVENT_NESTED])
		scan->fn(scan->user, &event);
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
