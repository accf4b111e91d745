/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GASPDB_CLI_DATABASE_SCHEMA_H
#define GASPDB_CLI_DATABASE_SCHEMA_H

#include <sqlite3.h>

#include "common/error.h"

/*
 * Check that the database has all tables and columns of this version's
 * schema, as plain tables, and put this version's views in front of its own.
 * Fails with an error that names path and what is wrong.
 */
enum gaspdb_status gaspdb_database_use_schema(sqlite3 *sql, const char *path,
					      struct gaspdb_error *err);

#endif
