/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums by thread, and the longest segments of the critical path: from one scan
 * of table wait_total and one of critical_path, faster than by GROUP BY and
 * ORDER BY. Temporary tables have the result: page_thread (time on the path,
 * waiting) and page_segment (ids of the segments).
 */
#ifndef GASPDB_CLI_HTML_SUMS_H
#define GASPDB_CLI_HTML_SUMS_H

#include "cli/report/report.h"

/* Makes and fills the tables. A failure is in the report's error. */
void gaspdb_sums_read(struct gaspdb_report *r);

#endif
