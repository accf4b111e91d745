/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report as one JSON object (docs/report-json.md). */
#ifndef GASPDB_CLI_REPORT_JSON_H
#define GASPDB_CLI_REPORT_JSON_H

#include <stdbool.h>

struct gaspdb_report;

/* Writes the sections with wanted[index]; NULL: all. */
void gaspdb_report_json(struct gaspdb_report *r, const bool *wanted);

#endif
