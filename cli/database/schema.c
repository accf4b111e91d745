/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check of a database's schema. Usually its text equals this version's.
 * Otherwise the tables are compared with those of an empty database made by
 * gaspdb_schema, so that queries can rely on names and on tables being tables.
 */
#include "cli/database/schema.h"

#include <stdbool.h>
#include <string.h>

#include "sql/sql.h"

/* Columns of every table, by name, with a flag for generated ones. Views are
   not listed, because resolving them takes time. */
static const char listing[] =
	"SELECT s.name, c.name, c.hidden, "
	"  s.sql LIKE 'CREATE VIRTUAL%' "
	"FROM main.sqlite_schema AS s, pragma_table_xinfo(s.name, 'main') AS c "
	"WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite~_%' "
	"  ESCAPE '~' "
	"ORDER BY s.name, c.name";

static const char *text(sqlite3_stmt *stmt, int column)
{
	const char *s = (const char *)sqlite3_column_text(stmt, column);

	return s ? s : "";
}

/* Order of two columns: below, equal to or above 0. */
static int compare(sqlite3_stmt *ours, sqlite3_stmt *theirs)
{
	int order = strcmp(text(ours, 0), text(theirs, 0));

	return order ? order : strcmp(text(ours, 1), text(theirs, 1));
}

static enum gaspdb_status check_same(sqlite3_stmt *ours, sqlite3_stmt *theirs,
				     const char *path, struct gaspdb_error *err)
{
	/* a generated column or virtual table could run forever */
	if (!sqlite3_column_int(theirs, 2) && !sqlite3_column_int(theirs, 3))
		return GASPDB_OK;
	return gaspdb_fail(err, GASPDB_FAILED,
			   "'%s' is not a sound gaspdb database: '%s' is not a "
			   "plain table",
			   path, text(ours, 0));
}

/* Compares both lists; theirs may have additional columns. */
static enum gaspdb_status check_lists(sqlite3_stmt *ours, sqlite3_stmt *theirs,
				      const char *path,
				      struct gaspdb_error *err)
{
	int rc = sqlite3_step(theirs);

	while (sqlite3_step(ours) == SQLITE_ROW) {
		while (rc == SQLITE_ROW && compare(ours, theirs) > 0)
			rc = sqlite3_step(theirs);
		if (rc != SQLITE_ROW && rc != SQLITE_DONE)
			return gaspdb_fail(
				err, GASPDB_FAILED,
				"cannot read the schema of '%s': %s", path,
				sqlite3_errmsg(sqlite3_db_handle(theirs)));
		if (rc == SQLITE_DONE || compare(ours, theirs) != 0)
			return gaspdb_fail(err, GASPDB_FAILED,
					   "'%s' has no '%s.%s': it is damaged "
					   "or of another gaspdb; import the "
					   "run again",
					   path, text(ours, 0), text(ours, 1));
		if (check_same(ours, theirs, path, err) != GASPDB_OK)
			return err->status;
	}
	return GASPDB_OK;
}

static enum gaspdb_status check_tables(sqlite3 *sql, sqlite3 *empty,
				       const char *path,
				       struct gaspdb_error *err)
{
	sqlite3_stmt *ours = NULL, *theirs = NULL;
	enum gaspdb_status status;

	if (sqlite3_prepare_v2(empty, listing, -1, &ours, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(sql, listing, -1, &theirs, NULL) != SQLITE_OK)
		status = gaspdb_fail(err, GASPDB_FAILED,
				     "cannot read the schema of '%s': %s", path,
				     sqlite3_errmsg(sql));
	else
		status = check_lists(ours, theirs, path, err);
	sqlite3_finalize(ours);
	sqlite3_finalize(theirs);
	return status;
}

/* Makes temporary views that files do not have. stored: also views that replace
   those of the file, which could run forever. */
static enum gaspdb_status add_views(sqlite3 *sql, bool stored, const char *path,
				    struct gaspdb_error *err)
{
	if (gaspdb_views_make_temporary(sql, stored) == SQLITE_OK)
		return GASPDB_OK;
	return gaspdb_fail(err, GASPDB_FAILED,
			   "cannot make the views of '%s': %s", path,
			   sqlite3_errmsg(sql));
}

enum gaspdb_status gaspdb_database_use_schema(sqlite3 *sql, const char *path,
					      struct gaspdb_error *err)
{
	sqlite3 *empty = NULL;
	enum gaspdb_status status;

	if (gaspdb_schema_is_ours(sql))
		return add_views(sql, false, path, err);
	if (sqlite3_open(":memory:", &empty) != SQLITE_OK ||
	    sqlite3_exec(empty, gaspdb_schema, NULL, NULL, NULL) != SQLITE_OK)
		status = gaspdb_fail(err, GASPDB_FAILED,
				     "cannot make an empty database: %s",
				     sqlite3_errmsg(empty));
	else
		status = check_tables(sql, empty, path, err);
	if (status == GASPDB_OK)
		status = add_views(sql, true, path, err);
	sqlite3_close(empty);
	return status;
}
