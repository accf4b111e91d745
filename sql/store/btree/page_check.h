/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a table's columns may hold, and a look at the rows of a page before it
 * is written.  SQLite checks NOT NULL, and types of STRICT tables alone, when it
 * inserts; rows that are written as pages pass by that, and are checked here,
 * whoever made them.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_CHECK_H
#define GASPDB_SQL_STORE_BTREE_PAGE_CHECK_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sql/store/btree/page_row.h"

/* Classes of serial types, as bits. */
enum {
	GASPDB_HOLDS_NULL = 1,
	GASPDB_HOLDS_INTEGER = 2,
	GASPDB_HOLDS_REAL = 4,
	GASPDB_HOLDS_TEXT = 8,
	GASPDB_HOLDS_BLOB = 16,
	GASPDB_HOLDS_ANY = 31
};

/* A table's stored columns in their order. */
struct gaspdb_columns {
	char table[32];
	unsigned n;
	uint8_t holds[GASPDB_ROW_COLUMNS_MAX]; /* these classes */
};

/*
 * Those of a table of the database, by their types; without one: any.  keyed: it is WITHOUT ROWID; else
 * its primary key, if it has one, is an INTEGER, the rowid, and stored as NULL.
 * false: there is no such table.
 */
bool gaspdb_columns_of(sqlite3 *db, const char *table, bool keyed,
		       struct gaspdb_columns *to);
/* n columns that hold anything. */
struct gaspdb_columns gaspdb_columns_any(unsigned n);

/*
 * The first column that a cell of a page of rows breaks the rules of; -1: there
 * is none.  type: the page's, as in page_parts.h.
 */
int gaspdb_page_check(const struct gaspdb_columns *columns, const uint8_t *page,
		      size_t usable, uint8_t type);

#endif
