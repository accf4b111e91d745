/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choice of the events that a page has one by one: all, or else those in
 * windows round the worst waits and the longest segments of the critical path.
 * Temporary tables have the choice: page_range (ids of events, and of their
 * waits, from first to last), page_waiting (ids of the events that wait
 * longest), page_message and page_collective (ids of these).
 */
#ifndef GASPDB_CLI_HTML_WINDOWS_H
#define GASPDB_CLI_HTML_WINDOWS_H

#include "cli/report/report.h"
#include "sql/store/table.h"

/* Events at most, about: of runs that are in the page as a whole; in windows.
 */
#define GASPDB_PAGE_EVENTS	  300000
#define GASPDB_PAGE_WINDOW_EVENTS 40000

struct gaspdb_windows;

/* Chooses the windows, after gaspdb_sums_read(), and makes the tables. The caller frees the result. */
struct gaspdb_windows *gaspdb_windows_new(struct gaspdb_report *r);
/* The waits of an event: the first id, their number, the longest one. */
struct gaspdb_event_waits {
	int64_t first, n, longest_ns;
};
/* Takes the row of the next event, in the order of ids. */
void gaspdb_windows_take(struct gaspdb_windows *w, const int64_t *event,
			 const struct gaspdb_event_waits *waits);
/* Fills the tables after the last event, and writes the chunk "windows": list
   of [start, end] in ns. */
enum gaspdb_status gaspdb_windows_write(struct gaspdb_windows *w, FILE *out);
void gaspdb_windows_free(struct gaspdb_windows *w);

#endif
