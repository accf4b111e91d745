/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Choice of the events that a page has one by one. */
#ifndef GASPDB_CLI_HTML_WINDOWS_H
#define GASPDB_CLI_HTML_WINDOWS_H

#include "cli/report/report.h"

#define GASPDB_PAGE_EVENTS 300000 /* at most, about */

/*
 * Fills the temporary table page_event: all events, or else those in windows
 * round the worst waits and the longest segments of the critical path. Writes
 * the chunk "windows": start and end in ns; of all events one row without
 * bounds.
 */
enum gaspdb_status gaspdb_windows_choose(struct gaspdb_report *r, FILE *out);

#endif
