/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chunks that are results of SQL. */
#ifndef GASPDB_CLI_HTML_TABLES_H
#define GASPDB_CLI_HTML_TABLES_H

#include "cli/report/report.h"

/* Writes the chunks in which the page opens, and all others. */
enum gaspdb_status gaspdb_tables_write_first(struct gaspdb_report *r,
					     FILE *out);
enum gaspdb_status gaspdb_tables_write_rest(struct gaspdb_report *r, FILE *out);

#endif
