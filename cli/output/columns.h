/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Aligned rows in the style of sqlite3: modes box, markdown and column. */
#ifndef GASPDB_CLI_OUTPUT_COLUMNS_H
#define GASPDB_CLI_OUTPUT_COLUMNS_H

#include "cli/output/output.h"

struct gaspdb_output_columns;

/* The names are copied. */
struct gaspdb_output_columns *
gaspdb_output_columns_new(FILE *out, const struct gaspdb_output_style *style,
			  char *const *names, int n_columns);
/* Sets the page's width, before the first row: texts are wrapped to fit it, if
   possible. 0: unlimited. */
void gaspdb_output_columns_fit(struct gaspdb_output_columns *c, size_t width);
void gaspdb_output_columns_row(struct gaspdb_output_columns *c,
			       const struct gaspdb_output_cell *cells);
/* Writes held rows, and frees. */
void gaspdb_output_columns_free(struct gaspdb_output_columns *c);

#endif
