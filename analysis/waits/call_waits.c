/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cursor over table wait in the order of events. */
#include "analysis/waits/call_waits.h"

#include "analysis/waits/waits.h"
#include "common/sum.h"

typedef struct gaspdb_call_waits waits;

enum { AHEAD = 64 }; /* rows */

static void read_next(waits *w)
{
	const int64_t *row = gaspdb_cursor_next(&w->rows);

	w->event = INT64_MAX;
	if (!row)
		return;
	w->event = row[GASPDB_WAIT_EVENT];
	w->start_ns = row[GASPDB_WAIT_START];
	w->end_ns = row[GASPDB_WAIT_END];
}

void gaspdb_call_waits_open(waits *w, struct gaspdb_run *run)
{
	gaspdb_table_open(&w->table, &run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_cursor_open(&w->rows, &w->table, AHEAD);
	read_next(w);
}

bool gaspdb_call_waits_at(waits *w, int64_t event, int64_t at_ns,
			  int64_t *until_ns)
{
	while (w->event < event || (w->event == event && w->end_ns <= at_ns))
		read_next(w);
	if (w->event != event)
		return false;
	if (w->start_ns > at_ns) {
		*until_ns = gaspdb_min(*until_ns, w->start_ns);
		return false;
	}
	*until_ns = gaspdb_min(*until_ns, w->end_ns);
	return true;
}

void gaspdb_call_waits_close(waits *w)
{
	gaspdb_cursor_close(&w->rows);
	gaspdb_table_close(&w->table);
}
