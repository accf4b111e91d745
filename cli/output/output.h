/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one writer of rows, in any of the formats listed below. */
#ifndef GASPDB_CLI_OUTPUT_OUTPUT_H
#define GASPDB_CLI_OUTPUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <sqlite3.h>

/*
 * The formats: id, name, whether names stand above the rows unless that is
 * asked for otherwise, and what it is.  All but the first three are those of
 * sqlite3.
 */
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

/* Their names for help, each after a blank. */
#define GASPDB_OUTPUT_NAME(id, name, headings, doc) " " name
#define GASPDB_OUTPUT_FORMATS			    GASPDB_OUTPUT_LIST(GASPDB_OUTPUT_NAME)

/* The same list by id; ends with a NULL name. */
struct gaspdb_output_mode {
	const char *name;
	bool headings;
	const char *doc;
};
extern const struct gaspdb_output_mode gaspdb_output_modes[];

/* By its name, or a beginning that no other has.  Returns false if there is no
   such format. */
bool gaspdb_output_format_parse(const char *name,
				enum gaspdb_output_format *format);

enum gaspdb_output_headings {
	GASPDB_OUTPUT_HEADINGS_USUAL, /* as the format has them */
	GASPDB_OUTPUT_HEADINGS_ON,
	GASPDB_OUTPUT_HEADINGS_OFF
};

struct gaspdb_output_style {
	enum gaspdb_output_format format;
	/* Nothing that a terminal would obey may be written. */
	bool terminal;
	enum gaspdb_output_headings headings;
	/*
	 * Of the first n_widths columns, where they are aligned: the least
	 * width; longer texts are broken (in a table: cut) there.  Negative:
	 * to the right.  0: as wide as need be.  Borrowed.
	 */
	const int *widths;
	int n_widths;
	int wrap; /* of the other columns; 0: none; not of a table */
};

struct gaspdb_output_column {
	const char *name;
	/*
	 * Of its numbers, in tables: "ns" and "B" are shown in a larger
	 * unit, "s" with nine decimals, "count" with thousands separators,
	 * "%" with one decimal, "" with as many decimals in each row;
	 * ":COLUMN" is the unit of what that column says (time, bytes,
	 * calls); NULL: as they are.
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
/* Before the first row: what is aligned is to fit the terminal (COLUMNS, if
   that is set), for which texts may be cut or broken, or rows take several
   lines.  Neither is so in other formats, or elsewhere. */
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
/* What sqlite3 shows of it, as safe text; of a blob its hexadecimal digits.
   The caller frees it. */
char *gaspdb_output_cell_text(const struct gaspdb_output_cell *cell);

#endif
