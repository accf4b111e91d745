/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables to be read: the part of output.c that aligns. */
#ifndef GASPDB_OUTPUT_TABLE_H
#define GASPDB_OUTPUT_TABLE_H

#include "output.h"

struct gaspdb_output_table;

struct gaspdb_output_table *
gaspdb_output_table_new(FILE *out, const struct gaspdb_output_column *columns,
			int n_columns);
void gaspdb_output_table_row(struct gaspdb_output_table *t,
			     const struct gaspdb_output_cell *cells);
/* Write what is still held, and free. */
void gaspdb_output_table_free(struct gaspdb_output_table *t);

#endif
