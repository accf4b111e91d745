/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one writer of rows: as a table to be read, CSV (a header line, then a
 * record a row, RFC 4180) or JSON (an array of objects).
 */
#ifndef GASPDB_OUTPUT_H
#define GASPDB_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <sqlite3.h>

enum gaspdb_output_format {
	GASPDB_OUTPUT_TABLE,
	GASPDB_OUTPUT_CSV,
	GASPDB_OUTPUT_JSON
};

/* Names of the formats, for help and completion: "table|csv|json". */
#define GASPDB_OUTPUT_FORMATS "table|csv|json"

/* Returns false if there is no such format. */
bool gaspdb_output_format_parse(const char *name,
				enum gaspdb_output_format *format);

struct gaspdb_output_column {
	const char *name;
	/*
	 * Of its numbers: "ns" and "B" are shown in a larger unit in
	 * tables, "count" with thousands separators, "%" with one decimal;
	 * "" and the rest as they are.
	 */
	const char *unit;
};

struct gaspdb_output_cell {
	int type; /* SQLITE_NULL, SQLITE_INTEGER ... */
	int64_t integer;
	double real;
	const void *bytes; /* text and blobs; borrowed */
	size_t n;
};

struct gaspdb_output;

/* The columns are copied.  terminal: nothing that a terminal would obey may
 * be written, whatever the format. */
struct gaspdb_output *
gaspdb_output_open(FILE *out, enum gaspdb_output_format format, bool terminal,
		   const struct gaspdb_output_column *columns, int n_columns);
/* Before the first row: a table is to fit the terminal (COLUMNS, if that is
   set), for which texts may be cut, or rows take several lines.  Neither is so
   in other formats, or elsewhere. */
void gaspdb_output_fit(struct gaspdb_output *o);
/* Columns of the terminal: COLUMNS, if that is set; 0: not known. */
size_t gaspdb_output_terminal_width(void);
/* As many cells as columns. */
void gaspdb_output_row(struct gaspdb_output *o,
		       const struct gaspdb_output_cell *cells);
/* Finish and free. */
void gaspdb_output_close(struct gaspdb_output *o);

/* Step the statement to its end.  Returns its last result, SQLITE_DONE if all
 * is well; *n_rows (NULL allowed) is the number of rows written. */
int gaspdb_output_statement(struct gaspdb_output *o, sqlite3_stmt *stmt,
			    int64_t *n_rows);

/* The cell as a value of JSON. */
void gaspdb_output_json(FILE *out, const struct gaspdb_output_cell *cell);
/* A cell of the statement's row. */
struct gaspdb_output_cell gaspdb_output_column(sqlite3_stmt *stmt, int column);

struct gaspdb_output_cell gaspdb_output_text(const char *s);
struct gaspdb_output_cell gaspdb_output_integer(int64_t n);

#endif
