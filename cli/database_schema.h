/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GASPDB_DATABASE_SCHEMA_H
#define GASPDB_DATABASE_SCHEMA_H

#include <sqlite3.h>

#include "error.h"

/*
 * Does the database have all tables and columns of this version's schema, as
 * plain tables, and all its views?  Fails with an error that names path and
 * what is wrong.
 */
enum gaspdb_status gaspdb_database_check_schema(sqlite3 *sql, const char *path,
						struct gaspdb_error *err);

#endif
