/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema's statements, and what a file of its tables looks like. */
#ifndef GASPDB_STATEMENTS_H
#define GASPDB_STATEMENTS_H

#include <stdbool.h>

/* Page 1 has the schema; then each table has a page, in their order. */
enum { GASPDB_FIRST_ROOT = 2 };

/* The next statement of a text, without its semicolon, as SQLite keeps it, for
   sqlite3_free() (NULL without memory); false at the end. */
bool gaspdb_next_statement(const char **text, char **statement);

#endif
