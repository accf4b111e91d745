/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of rows, in the formats listed below. */
#ifndef GASPDB_CLI_OUTPUT_OUTPUT_H
#define GASPDB_CLI_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <sqlite3.h>

/* Formats: id, name, headings by default, description. All except the first
   three are those of sqlite3. */
#define GASPDB_OUTPUT_LIST(X)                                                 \
	X(TABLE, "table", true, "aligned, with units; fits the terminal")     \
	X(CSV, "csv", true, "comma-separated values (RFC 4180)")              \
	X(JSON, "json", false, "an array of objects")                         \
	X(LINE, "line", false, "a value a line, NAME = VALUE")                \
	X(BOX, "box", true, "aligned, with lines around the cells")           \
	X(MARKDOWN, "markdown", true, "a Markdown table")                     \
	X(COLUMN, "column", true, "aligned, as they are stored")              \
	X(LIST, "list", false, "values with | between")                       \
	X(TABS, "tabs", false, "values with tabs between")                    \
	X(QUOTE, "quote", false, "values as SQL writes them")

#define GASPDB_OUTPUT_ID(id, name, headings, doc) GASPDB_OUTPUT_##id,
enum gaspdb_output_format { GASPDB_OUTPUT_LIST(GASPDB_OUTPUT_ID) };

/* Their names for help, each preceded by a blank. */
#define GASPDB_OUTPUT_NAME(id, name, headings, doc) " " name
#define GASPDB_OUTPUT_FORMATS			    GASPDB_OUTPUT_LIST(GASPDB_OUTPUT_NAME)

/* The same list by id; ends with a NULL name. */
struct gaspdb_output_mode {
	const char *name;
	bool headings;
	const char *doc;
};
extern const struct gaspdb_output_mode gaspdb_output_modes[];

/* Finds a format by name or unambiguous prefix; false: none. */
bool gaspdb_output_format_parse(const char *name,
				enum gaspdb_output_format *format);

enum gaspdb_output_headings {
	GASPDB_OUTPUT_HEADINGS_USUAL, /* the format's default */
	GASPDB_OUTPUT_HEADINGS_ON,
	GASPDB_OUTPUT_HEADINGS_OFF
};

struct gaspdb_output_style {
	enum gaspdb_output_format format;
	/* Make texts safe for a terminal. */
	bool terminal;
	enum gaspdb_output_headings headings;
	/*
	 * Minimum widths of the first n_widths columns in aligned formats;
	 * longer texts are wrapped there (in a table: cut). Negative:
	 * right-aligned. 0: automatic. Borrowed.
	 */
	const int *widths;
	int n_widths;
	int wrap; /* for the other columns, except in a table; 0: none */
};

struct gaspdb_output_column {
	const char *name;
	/*
	 * Unit of its numbers in tables: "ns" and "B" are scaled, "s" has nine
	 * decimals, "count" has thousands separators, "%" one decimal, "" as
	 * many decimals in each row; ":COLUMN" is the unit of that column's
	 * value (time, bytes, calls); NULL: unformatted.
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

/* Style and columns are copied. */
struct gaspdb_output *
gaspdb_output_open(FILE *out, const struct gaspdb_output_style *style,
		   const struct gaspdb_output_column *columns, int n_columns);
/*
 * Fits aligned formats to the terminal's width (or COLUMNS), before the first
 * row: texts may be cut or wrapped, and rows may take several lines. No effect
 * on other formats or other outputs.
 */
void gaspdb_output_fit(struct gaspdb_output *o);
/* Width of the terminal: COLUMNS if set; 0: unknown. */
size_t gaspdb_output_terminal_width(void);
/* Writes a row; as many cells as columns. */
void gaspdb_output_row(struct gaspdb_output *o,
		       const struct gaspdb_output_cell *cells);
/* Finishes the output and frees it. */
void gaspdb_output_close(struct gaspdb_output *o);

/* Writes all rows of a statement. Returns its last result, SQLITE_DONE on
   success; *n_rows (may be NULL): number of rows written. */
int gaspdb_output_statement(struct gaspdb_output *o, sqlite3_stmt *stmt,
			    int64_t *n_rows);

/* Writes a cell as a JSON value. */
void gaspdb_output_json(FILE *out, const struct gaspdb_output_cell *cell);
/* A cell of the statement's row. */
struct gaspdb_output_cell gaspdb_output_column(sqlite3_stmt *stmt, int column);

struct gaspdb_output_cell gaspdb_output_text(const char *s);
struct gaspdb_output_cell gaspdb_output_integer(int64_t n);
/* A cell as safe text, as sqlite3 shows it; a blob in hexadecimal. The caller
   frees it. */
char *gaspdb_output_cell_text(const struct gaspdb_output_cell *cell);

#endif
