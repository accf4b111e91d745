/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables to be read: the part of output.c that aligns. */
#ifndef GASPDB_CLI_OUTPUT_TABLE_H
#define GASPDB_CLI_OUTPUT_TABLE_H

#include "cli/output/output.h"

struct gaspdb_output_table;

struct gaspdb_output_table *
gaspdb_output_table_new(FILE *out, const struct gaspdb_output_style *style,
			const struct gaspdb_output_column *columns,
			int n_columns);
/* Before the first row: break headings, and cut texts in their middles, so that
   rows take no more columns; neither, where that does not suffice.  0: any
   number. */
void gaspdb_output_table_fit(struct gaspdb_output_table *t, size_t width);
void gaspdb_output_table_row(struct gaspdb_output_table *t,
			     const struct gaspdb_output_cell *cells);
/* Write what is still held, and free. */
void gaspdb_output_table_free(struct gaspdb_output_table *t);

#endif
