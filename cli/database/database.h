/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access to a run's database, which may be hostile. */
#ifndef GASPDB_CLI_DATABASE_DATABASE_H
#define GASPDB_CLI_DATABASE_DATABASE_H

#include <stdbool.h>

#include <sqlite3.h>

#include "common/error.h"

/* Tables and views read by the statements prepared so far. */
struct gaspdb_database_reads;

struct gaspdb_database {
	sqlite3 *sql;
	char *path;
	struct gaspdb_database_reads *reads;
};

/*
 * Opens the database at path for reading. SQL run on it can neither change it
 * nor reach other files. Fails, with an error that names the file, unless its
 * tables are those of this version's schema.
 */
enum gaspdb_status gaspdb_database_open(struct gaspdb_database *db,
					const char *path,
					struct gaspdb_error *err);
void gaspdb_database_close(struct gaspdb_database *db);

/* Permits longer values than a run has. */
void gaspdb_database_allow_long(struct gaspdb_database *db);

/* Does the file begin like an SQLite database? */
bool gaspdb_database_is_one(const char *path);

/* Forgets the tables read; has a statement prepared since read this one? */
void gaspdb_database_forget_reads(struct gaspdb_database *db);
bool gaspdb_database_has_read(const struct gaspdb_database *db,
			      const char *table);

/* First column of a query's first row. Without one the text is "" and the
   number `fallback`. The caller frees the text. */
char *gaspdb_database_text(struct gaspdb_database *db, const char *query);
int64_t gaspdb_database_integer(struct gaspdb_database *db, const char *query,
				int64_t fallback);

#endif
