/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema and the analyses of sql/, embedded at build time. */
#ifndef GASPDB_SQL_SQL_H
#define GASPDB_SQL_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

#define GASPDB_SCHEMA_VERSION 2
/* event.object of private memory: this and its address. */
#define GASPDB_OBJECT_PRIVATE ((int64_t)1 << 62)
#define GASPDB_APPLICATION_ID 0x67617370 /* "gasp" */

extern const char *const gaspdb_schema; /* the tables */
extern const char *const gaspdb_views;	/* on top of them, stored */
extern const char *const gaspdb_derived; /* on top of these, in no file */
/* Of sql/compare/: tables, what fills them from a run, and what to do then. */
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
	/* "table.column" of the run, without others if there are any */
	const char *found_in; /* NULL: any */
	bool power_of_two;    /* or 0; no other numbers */
	/* Typed as 0,3..5: numbers and ranges of found_in; bound as
	   "0..0,3..5," */
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
	const struct gaspdb_analysis_param *params; /* ends with NULL name */
	const struct gaspdb_analysis_column *columns;
	const char *doc; /* Markdown */
	const char *sql; /* one SELECT, parameters :name */
};

/* By name; ends with a NULL name. */
extern const struct gaspdb_analysis gaspdb_analyses[];

/* The headings that they are listed under, in that order; ends with NULL. */
extern const char *const gaspdb_analysis_groups[];

/* NULL if there is none. */
const struct gaspdb_analysis *gaspdb_analysis_find(const char *name);

/*
 * Temporary views of analyses, analysis_NAME with '_' for '-': all rows, the
 * other parameters as by default.  gaspdb_derived's must be there.  Return
 * SQLite's result.
 */
int gaspdb_analysis_make_view(sqlite3 *db, const struct gaspdb_analysis *a);
int gaspdb_analyses_make_views(sqlite3 *db);

/* A script that makes all these views.  For sqlite3_free(); NULL without
   memory. */
char *gaspdb_analyses_script(void);

/* The same as one SELECT of what a file has.  For sqlite3_free(); NULL without
   memory. */
char *gaspdb_analysis_sql(const struct gaspdb_analysis *a);

/* 35 of what needs SQLite 3.35; at least 26. */
int gaspdb_sql_min_version(const char *sql);

/* Fill table analysis.  Returns SQLite's result. */
int gaspdb_analyses_add(sqlite3 *db);

/* The statement that makes a table, with all those behind it; NULL: there is no
   such table. */
const char *gaspdb_table_sql(const char *name);

/*
 * Give a database the rows of table analysis, and gaspdb_views: last, as this
 * connection does not see them, which saves half of what a CREATE VIEW takes
 * and all that reading the schema again would.  Returns SQLite's result.
 */
int gaspdb_views_add(sqlite3 *db);

/* Is it one of gaspdb_derived? */
bool gaspdb_view_is_derived(const char *name);

/* Make gaspdb_derived temporary views, and gaspdb_views too if stored:
   in front of the file's.  Returns SQLite's result. */
int gaspdb_views_make_temporary(sqlite3 *db, bool stored);

/*
 * What computes a view once, and those that it is made of and that stand
 * several times in it or in each other: SQL that makes temporary tables in
 * front of them, or else preparing what asks for it would take longer than all
 * the rest.  The database need not have the views.  Temporary views of
 * these names stay as they are, or are replaced.  For sqlite3_free(); NULL
 * without memory.
 */
char *gaspdb_views_hold(const char *view, bool replace);

/*
 * SQL that makes temporary views of what members of a run are called, model_word
 * and run_word; of its tables they read thread alone.  For sqlite3_free();
 * NULL without memory.
 */
char *gaspdb_views_words(void);

/*
 * Word for a process of a model, by view model_word: "rank" for "MPI".  For
 * free(); NULL: a model without a word, or no memory.
 */
char *gaspdb_model_word(const char *model);

/* Has a database all these tables and views, word for word?  It may have
   others. */
bool gaspdb_schema_is_ours(sqlite3 *db);

/*
 * A sum() for the connection that stops at the largest and the smallest integer
 * where SQLite's fails; else it is the same.  Returns SQLite's result.
 */
int gaspdb_sum_function(sqlite3 *db);

/*
 * Aggregates that SQLite has not, for the connection: median(X), stddev(X).
 * Views that are stored cannot use them.  Returns SQLite's result.
 */
int gaspdb_statistics_functions(sqlite3 *db);
struct gaspdb_sql_function {
	const char *name, *doc;
	void (*step)(sqlite3_context *context, int n, sqlite3_value **values);
	void (*end)(sqlite3_context *context);
};
extern const struct gaspdb_sql_function gaspdb_sql_functions[]; /* NULL ends */

/* Opening the file there has failed, though it may be there: say why.  Returns
   FAILED. */
enum gaspdb_status gaspdb_sql_fail_open(sqlite3 *db, const char *path,
					struct gaspdb_error *err);

#endif
