/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running the analyses of sql/, for the commands and the shell. */
#ifndef GASPDB_CLI_DATABASE_ANALYSIS_H
#define GASPDB_CLI_DATABASE_ANALYSIS_H

#include "cli/database/database.h"
#include "cli/output/output.h"
#include "sql/sql.h"

/*
 * Prepare the analysis with its parameters' defaults bound.  The caller
 * finalizes *stmt.
 */
enum gaspdb_status gaspdb_analysis_prepare(struct gaspdb_database *db,
					   const struct gaspdb_analysis *a,
					   sqlite3_stmt **stmt,
					   struct gaspdb_error *err);

/* The parameter of that name, '-' for '_' allowed; NULL if there is none. */
const struct gaspdb_analysis_param *
gaspdb_analysis_param_find(const struct gaspdb_analysis *a, const char *name);

/* Of one whose values are found in the run: is this one there? */
bool gaspdb_analysis_is_found(sqlite3 *db,
			      const struct gaspdb_analysis_param *param,
			      const char *value);

/*
 * Is the value one that the run has, where that is asked for?  For values that
 * a person gives: what a report asks of every run, not every run has.
 */
enum gaspdb_status
gaspdb_analysis_check_found(sqlite3 *db,
			    const struct gaspdb_analysis_param *param,
			    const char *value, struct gaspdb_error *err);

/* Bind another value, checked against the parameter's type and unit. */
enum gaspdb_status
gaspdb_analysis_bind(sqlite3_stmt *stmt, const struct gaspdb_analysis *a,
		     const struct gaspdb_analysis_param *param,
		     const char *value, struct gaspdb_error *err);

/* Write its rows, *n_rows of them; err names the analysis. */
enum gaspdb_status
gaspdb_analysis_write(struct gaspdb_database *db, sqlite3_stmt *stmt,
		      const struct gaspdb_analysis *a, FILE *out,
		      const struct gaspdb_output_style *style, int64_t *n_rows,
		      struct gaspdb_error *err);

/* That there is none of that name: which may have been meant, and who lists
   them.  The caller frees it. */
char *gaspdb_analysis_unknown(const char *name, const char *who_lists);

/* The list, tables by group, and the documentation of one. */
void gaspdb_analysis_list(FILE *out, const struct gaspdb_output_style *style);
void gaspdb_analysis_help(FILE *out, const struct gaspdb_analysis *a);

#endif
