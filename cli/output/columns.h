/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aligned rows as sqlite3 writes them: modes box, markdown and column. */
#ifndef GASPDB_CLI_OUTPUT_COLUMNS_H
#define GASPDB_CLI_OUTPUT_COLUMNS_H

#include "cli/output/output.h"

struct gaspdb_output_columns;

/* The names are copied. */
struct gaspdb_output_columns *
gaspdb_output_columns_new(FILE *out, const struct gaspdb_output_style *style,
			  char *const *names, int n_columns);
/* Before the first row: break texts so that rows take no more columns, where
   that suffices.  0: any number. */
void gaspdb_output_columns_fit(struct gaspdb_output_columns *c, size_t width);
void gaspdb_output_columns_row(struct gaspdb_output_columns *c,
			       const struct gaspdb_output_cell *cells);
/* Write what is still held, and free. */
void gaspdb_output_columns_free(struct gaspdb_output_columns *c);

#endif
