/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses of sql/, for the commands and the shell. */
#ifndef GASPDB_CLI_DATABASE_ANALYSIS_H
#define GASPDB_CLI_DATABASE_ANALYSIS_H

#include "cli/database/database.h"
#include "cli/output/output.h"
#include "sql/sql.h"

/* Prepares an analysis with default parameters. The caller finalizes *stmt. */
enum gaspdb_status gaspdb_analysis_prepare(struct gaspdb_database *db,
					   const struct gaspdb_analysis *a,
					   sqlite3_stmt **stmt,
					   struct gaspdb_error *err);

/* A parameter by name; '_' is accepted for '-'. NULL: none. */
const struct gaspdb_analysis_param *
gaspdb_analysis_param_find(const struct gaspdb_analysis *a, const char *name);

/* Does the run have this value of a parameter with `found in`? */
bool gaspdb_analysis_is_found(sqlite3 *db,
			      const struct gaspdb_analysis_param *param,
			      const char *value);

/*
 * Checks a value given by a user against the values of the run, if the
 * parameter has `found in`. Not for reports: not every run has the values they
 * use.
 */
enum gaspdb_status
gaspdb_analysis_check_found(sqlite3 *db,
			    const struct gaspdb_analysis_param *param,
			    const char *value, struct gaspdb_error *err);

/* Binds a value, checked against the parameter's type and unit. */
enum gaspdb_status
gaspdb_analysis_bind(sqlite3_stmt *stmt, const struct gaspdb_analysis *a,
		     const struct gaspdb_analysis_param *param,
		     const char *value, struct gaspdb_error *err);

/* Writes the rows; *n_rows: their number. err names the analysis. */
enum gaspdb_status
gaspdb_analysis_write(struct gaspdb_database *db, sqlite3_stmt *stmt,
		      const struct gaspdb_analysis *a, FILE *out,
		      const struct gaspdb_output_style *style, int64_t *n_rows,
		      struct gaspdb_error *err);

#endif
