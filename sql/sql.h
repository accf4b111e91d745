/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema and the analyses of sql/, embedded at build time. */
#ifndef GASPDB_SQL_SQL_H
#define GASPDB_SQL_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define GASPDB_SCHEMA_VERSION 2
/* event.object of private memory: this bit and the address. */
#define GASPDB_OBJECT_PRIVATE ((int64_t)1 << 62)
#define GASPDB_APPLICATION_ID 0x67617370 /* "gasp" */

extern const char *const gaspdb_schema; /* the tables */
extern const char *const gaspdb_views;	/* on top of them, stored */
extern const char *const gaspdb_derived; /* on top of these, in no file */
/* The SQL of sql/compare/: its tables, the statements that fill them from a
   run, and the statements after that. */
extern const char *const gaspdb_compare_sql_tables,
	*const gaspdb_compare_sql_facts, *const gaspdb_compare_sql_match;

struct gaspdb_analysis_param {
	const char *name;	 /* as it is typed, "min-share" */
	const char *variable;	 /* in the SQL, after the colon */
	const char *type, *unit; /* unit "" if none */
	const char *value;	 /* default; NULL: bind NULL */
	const char *doc;
	const char *choices; /* "a|b|c": no other values; NULL: any */
	const char *least;   /* the smallest number; NULL: any */
	/* "table.column": the value must occur in that column of the run,
	   unless the column is empty. */
	const char *found_in; /* NULL: any */
	bool power_of_two;    /* or 0; no other numbers */
	/* A list of numbers and ranges of found_in, such as 0,3..5; bound as
	   "0..0,3..5,". */
	bool is_list;
};

struct gaspdb_analysis_column {
	const char *name, *type, *unit;
	const char *doc;
};

struct gaspdb_analysis {
	const char *name; /* that of the file */
	const char *summary;
	int group; /* its place in gaspdb_analysis_groups */
	bool needs_trace; /* a profile has no rows of it */
	const struct gaspdb_analysis_param *params; /* ends with NULL name */
	const struct gaspdb_analysis_column *columns;
	const char *doc; /* Markdown */
	const char *sql; /* one SELECT, parameters :name */
};

/* The analyses, sorted by name; a NULL name ends the list. */
extern const struct gaspdb_analysis gaspdb_analyses[];

/* The headings of the list of analyses, in order; NULL ends them. */
extern const char *const gaspdb_analysis_groups[];

/* The analysis of that name; NULL: none. */
const struct gaspdb_analysis *gaspdb_analysis_find(const char *name);

/*
 * Create temporary views of analyses, analysis_NAME with '_' for '-'. They
 * return all rows; the other parameters have their defaults. The derived views
 * must exist. Return SQLite's result.
 */
int gaspdb_analysis_make_view(sqlite3 *db, const struct gaspdb_analysis *a);
int gaspdb_analyses_make_views(sqlite3 *db);

/* An SQL script that creates all these views. For sqlite3_free(); NULL: out of
   memory. */
char *gaspdb_analyses_script(void);

/* One SELECT of the same rows that reads only tables and views of the file. For
   sqlite3_free(); NULL: out of memory. */
char *gaspdb_analysis_sql(const struct gaspdb_analysis *a);

/* The minor version of SQLite 3 that a text needs: 35 for 3.35; 26 at least. */
int gaspdb_sql_min_version(const char *sql);

/* Fill table analysis. Returns SQLite's result. */
int gaspdb_analyses_add(sqlite3 *db);

/* The schema's text from a table's CREATE statement on; NULL: no such table. */
const char *gaspdb_table_sql(const char *name);

/*
 * Add the rows of table analysis and the views to a database. Call it last:
 * this connection does not see the views. That saves half of the time of CREATE
 * VIEW and a second parse of the schema. Returns SQLite's result.
 */
int gaspdb_views_add(sqlite3 *db);

/* Is a view one of gaspdb_derived? */
bool gaspdb_view_is_derived(const char *name);

/* Create the derived views as temporary views; if stored, the stored views too:
   they hide those of the file. Returns SQLite's result. */
int gaspdb_views_make_temporary(sqlite3 *db, bool stored);

/*
 * SQL that materializes a view's steps as temporary tables, each computed once.
 * Without it SQLite expands each step at every use, and to prepare the query
 * takes longer than to run it. The database need not have the views. Temporary
 * views of these names stay, or replace drops them first. For sqlite3_free();
 * NULL: out of memory.
 */
char *gaspdb_views_hold(const char *view, bool replace);

/*
 * SQL that creates the temporary views model_word and run_word, the words for
 * the members of a run. They read table thread only. For sqlite3_free(); NULL:
 * out of memory.
 */
char *gaspdb_views_words(void);

/*
 * Word for a process of a model, by view model_word: "rank" for "MPI".  For
 * free(); NULL: a model without a word, or no memory.
 */
char *gaspdb_model_word(const char *model);

/* Does a database have all these tables and views, with identical SQL? It may
   have more. */
bool gaspdb_schema_is_ours(sqlite3 *db);

/* Register a sum() that saturates at the largest and smallest integer where
   SQLite's sum() fails. Other results are equal. Returns SQLite's result. */
int gaspdb_sum_function(sqlite3 *db);

/* Register the aggregates median(X) and stddev(X), which SQLite lacks. Stored
   views cannot use them. Returns SQLite's result. */
int gaspdb_statistics_functions(sqlite3 *db);
struct gaspdb_sql_function {
	const char *name, *doc;
	void (*step)(sqlite3_context *context, int n, sqlite3_value **values);
	void (*end)(sqlite3_context *context);
};
extern const struct gaspdb_sql_function gaspdb_sql_functions[]; /* NULL ends */

/* Report why SQLite failed to open a file that may exist. Returns FAILED. */
enum gaspdb_status gaspdb_sql_fail_open(sqlite3 *db, const char *path,
					struct gaspdb_error *err);

#endif
