/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A database's schema against ours.  What ours is, is asked of SQLite: an
 * empty database made by gaspdb_schema.  The queries and reports can then
 * rely on names and on tables being tables.
 */
#include "database_schema.h"

#include <stdbool.h>
#include <string.h>

#include "sql/sql.h"

/* Every table and view with its columns, in an order of names. */
static const char listing[] =
	"SELECT s.name, s.type, c.name, c.hidden, "
	"  s.sql LIKE 'CREATE VIRTUAL%' "
	"FROM main.sqlite_schema AS s, pragma_table_xinfo(s.name, 'main') AS c "
	"WHERE s.type IN ('table', 'view') AND s.name NOT LIKE 'sqlite~_%' "
	"  ESCAPE '~' "
	"ORDER BY s.name, c.name";

static const char *text(sqlite3_stmt *stmt, int column)
{
	const char *s = (const char *)sqlite3_column_text(stmt, column);

	return s ? s : "";
}

/* <0, 0, >0 as ours comes before, is, or comes after theirs */
static int compare(sqlite3_stmt *ours, sqlite3_stmt *theirs)
{
	int order = strcmp(text(ours, 0), text(theirs, 0));

	return order ? order : strcmp(text(ours, 2), text(theirs, 2));
}

static enum gaspdb_status check_same(sqlite3_stmt *ours, sqlite3_stmt *theirs,
				     const char *path, struct gaspdb_error *err)
{
	if (!strcmp(text(ours, 1), "table") &&
	    (strcmp(text(theirs, 1), "table") ||
	     sqlite3_column_int(theirs, 3) || sqlite3_column_int(theirs, 4)))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' is not a sound gaspdb database: '%s' "
				   "is not a plain table",
				   path, text(ours, 0));
	return GASPDB_OK;
}

/* Walk both lists; theirs may have more. */
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
					   "'%s' is not a sound gaspdb "
					   "database: it has no '%s.%s'",
					   path, text(ours, 0), text(ours, 2));
		if (check_same(ours, theirs, path, err) != GASPDB_OK)
			return err->status;
	}
	return GASPDB_OK;
}

enum gaspdb_status gaspdb_database_check_schema(sqlite3 *sql, const char *path,
						struct gaspdb_error *err)
{
	sqlite3 *empty = NULL;
	sqlite3_stmt *ours = NULL, *theirs = NULL;
	enum gaspdb_status status;

	if (sqlite3_open(":memory:", &empty) != SQLITE_OK ||
	    sqlite3_exec(empty, gaspdb_schema, NULL, NULL, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(empty, listing, -1, &ours, NULL) != SQLITE_OK)
		status = gaspdb_fail(err, GASPDB_FAILED,
				     "cannot make an empty database: %s",
				     sqlite3_errmsg(empty));
	else if (sqlite3_prepare_v2(sql, listing, -1, &theirs, NULL) !=
		 SQLITE_OK)
		status = gaspdb_fail(err, GASPDB_FAILED,
				     "cannot read the schema of '%s': %s", path,
				     sqlite3_errmsg(sql));
	else
		status = check_lists(ours, theirs, path, err);
	sqlite3_finalize(ours);
	sqlite3_finalize(theirs);
	sqlite3_close(empty);
	return status;
}
