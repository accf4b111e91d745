/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report's tables: cells in human units, never wider than the page. */
#ifndef GASPDB_CLI_REPORT_TABLE_H
#define GASPDB_CLI_REPORT_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include <sqlite3.h>

#include "cli/database/words.h"

enum {
	GASPDB_REPORT_WIDTH =
		100, /* of a page that is no terminal, and at most */
	GASPDB_REPORT_LEAST_WIDTH = 60
};

/* Columns of the page: as many as the terminal has, if out is one. */
int gaspdb_report_width(FILE *out);
/* From now on as many as that stream's page has: what is printed goes through a
 * pager to it. */
void gaspdb_report_keep_width(FILE *out);

enum gaspdb_report_kind {
	GASPDB_REPORT_TEXT,   /* cut first where a row is too long */
	GASPDB_REPORT_PLACE,  /* cut last: what stands before its location */
	GASPDB_REPORT_NUMBER, /* ids, lines: as they are */
	GASPDB_REPORT_COUNT,  /* 1,234 */
	GASPDB_REPORT_TIME,   /* ns */
	GASPDB_REPORT_SIZE,   /* bytes */
	GASPDB_REPORT_SHARE,  /* of 100 */
	GASPDB_REPORT_REAL,
	GASPDB_REPORT_FLAG /* yes, NO */
};

struct gaspdb_report_column {
	const char *name;    /* of the analysis' column; NULL ends a list */
	const char *heading; /* with words to fill in */
	enum gaspdb_report_kind kind;
};

struct gaspdb_report_table;

/* In the headings stand the words for {thread} and the like (cli/database/words.h). */
struct gaspdb_report_table *
gaspdb_report_table_new(const struct gaspdb_report_column *columns,
			const struct gaspdb_run_words *words);
/* The next cell, row by row.  NULL and what is not known appear as "-". */
void gaspdb_report_table_text(struct gaspdb_report_table *t, const char *text);
void gaspdb_report_table_integer(struct gaspdb_report_table *t, int64_t value);
void gaspdb_report_table_real(struct gaspdb_report_table *t, double value);
void gaspdb_report_table_value(struct gaspdb_report_table *t,
			       sqlite3_stmt *stmt, int column);
void gaspdb_report_table_free(struct gaspdb_report_table *t);
/* Print it, and free it.  Columns in which all cells are "-" are left out;
 * where the page is too narrow for the rest, rows take several lines. */
void gaspdb_report_table_print(struct gaspdb_report_table *t, FILE *out);

/* "--- title ---...", after an empty line */
void gaspdb_report_rule(FILE *out, const char *title);

/* The text in lines of the page's width, each after indent columns; the first
 * line starts where the output stands: column. */
void gaspdb_report_wrap(FILE *out, const char *text, int column, int indent);

#endif
