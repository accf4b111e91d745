/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for people: the aligned format of output.c. */
#ifndef GASPDB_CLI_OUTPUT_TABLE_H
#define GASPDB_CLI_OUTPUT_TABLE_H

#include "cli/output/output.h"

struct gaspdb_output_table;

struct gaspdb_output_table *
gaspdb_output_table_new(FILE *out, const struct gaspdb_output_style *style,
			const struct gaspdb_output_column *columns,
			int n_columns);
/*
 * Sets the page's width, before the first row: headings are broken and texts
 * cut in the middle to fit; if that does not suffice, rows take several lines.
 * 0: unlimited.
 */
void gaspdb_output_table_fit(struct gaspdb_output_table *t, size_t width);
void gaspdb_output_table_row(struct gaspdb_output_table *t,
			     const struct gaspdb_output_cell *cells);
/* Writes held rows, and frees. */
void gaspdb_output_table_free(struct gaspdb_output_table *t);

#endif
