/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: tables with cells in human units, never wider than the page. */
#ifndef GASPDB_CLI_REPORT_TABLE_H
#define GASPDB_CLI_REPORT_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include <sqlite3.h>

#include "cli/database/words.h"

enum {
	GASPDB_REPORT_WIDTH = 100, /* width if not a terminal, and maximum */
	GASPDB_REPORT_LEAST_WIDTH = 60
};

/* Width of the page: the terminal's, if out is one. */
int gaspdb_report_width(FILE *out);
/* Fixes the width to that of this stream, because a pager will follow. */
void gaspdb_report_fix_width(FILE *out);

enum gaspdb_report_kind {
	GASPDB_REPORT_TEXT,   /* cut first if a row is too long */
	GASPDB_REPORT_PLACE,  /* cut last, before its location */
	GASPDB_REPORT_NUMBER, /* ids, lines: unformatted */
	GASPDB_REPORT_COUNT,  /* 1,234 */
	GASPDB_REPORT_TIME,   /* ns */
	GASPDB_REPORT_SIZE,   /* bytes */
	GASPDB_REPORT_SHARE,  /* of 100 */
	GASPDB_REPORT_REAL,
	GASPDB_REPORT_FLAG /* yes, NO */
};

struct gaspdb_report_column {
	const char *name;    /* the analysis's column; NULL ends a list */
	const char *heading; /* with placeholders for words */
	enum gaspdb_report_kind kind;
};

struct gaspdb_report_table;

/* Creates a table; placeholders in headings become words
   (cli/database/words.h). */
struct gaspdb_report_table *
gaspdb_report_table_new(const struct gaspdb_report_column *columns,
			const struct gaspdb_run_words *words);
/* Add the next cell, row by row. NULL and unknown values appear as "-". */
void gaspdb_report_table_text(struct gaspdb_report_table *t, const char *text);
void gaspdb_report_table_integer(struct gaspdb_report_table *t, int64_t value);
void gaspdb_report_table_real(struct gaspdb_report_table *t, double value);
void gaspdb_report_table_value(struct gaspdb_report_table *t,
			       sqlite3_stmt *stmt, int column);
void gaspdb_report_table_free(struct gaspdb_report_table *t);
/* Prints and frees a table. Columns with only "-" are left out; if the page is
   too narrow, rows take several lines. */
void gaspdb_report_table_print(struct gaspdb_report_table *t, FILE *out);

/* Prints "--- title ---...", after an empty line. */
void gaspdb_report_rule(FILE *out, const char *title);

/* Prints a text wrapped to the page's width, with indent columns before each
   line except the first, which starts at `column`. */
void gaspdb_report_wrap(FILE *out, const char *text, int column, int indent);

#endif
