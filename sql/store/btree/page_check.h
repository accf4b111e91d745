/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Column constraints of tables, and their check before a page is written.
 * SQLite's INSERT checks NOT NULL, and types in STRICT tables only. Rows
 * written as pages bypass that check, so every page is checked here.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_CHECK_H
#define GASPDB_SQL_STORE_BTREE_PAGE_CHECK_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sql/store/btree/page_row.h"

/* Classes of serial types as bits. */
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
	uint8_t holds[GASPDB_ROW_COLUMNS_MAX]; /* classes that a column may hold
						*/
};

/*
 * The columns of a table by their declared types; no type: any value. keyed: a
 * table WITHOUT ROWID. Otherwise an INTEGER PRIMARY KEY is the rowid and stored
 * as NULL. false: no such table.
 */
bool gaspdb_columns_of(sqlite3 *db, const char *table, bool keyed,
		       struct gaspdb_columns *to);
/* n columns that hold any value. */
struct gaspdb_columns gaspdb_columns_any(unsigned n);

/* The first column of a cell that violates its constraint; -1: none. type: the
   page type of page_parts.h. */
int gaspdb_page_check(const struct gaspdb_columns *columns, const uint8_t *page,
		      size_t usable, uint8_t type);

#endif
