/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening the database of a run, which may come from a stranger. */
#ifndef GASPDB_CLI_DATABASE_DATABASE_H
#define GASPDB_CLI_DATABASE_DATABASE_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/error.h"

/* Tables and views that statements prepared since have read. */
struct gaspdb_database_reads;

struct gaspdb_database {
	sqlite3 *sql;
	char *path;
	struct gaspdb_database_reads *reads;
};

/*
 * Open the database at path for reading.  SQL run on it can neither change
 * it nor reach any other file.  Fails, with an error that names the file,
 * unless its tables are those of this version's schema.
 */
enum gaspdb_status gaspdb_database_open(struct gaspdb_database *db,
					const char *path,
					struct gaspdb_error *err);
void gaspdb_database_close(struct gaspdb_database *db);

/* Values may be longer from now on than those of a run are. */
void gaspdb_database_allow_long(struct gaspdb_database *db);

/* Does the file begin as an SQLite database does? */
bool gaspdb_database_is_one(const char *path);

/* Forget what was read; did a statement prepared since read that table? */
void gaspdb_database_forget_reads(struct gaspdb_database *db);
bool gaspdb_database_has_read(const struct gaspdb_database *db,
			      const char *table);

/*
 * The first column of the query's first row.  The text is "" where there is
 * none, and the caller frees it; the number is fallback.
 */
char *gaspdb_database_text(struct gaspdb_database *db, const char *query);
int64_t gaspdb_database_integer(struct gaspdb_database *db, const char *query,
				int64_t fallback);

#endif
