/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reader of table rows from the file's pages, ten times as fast as a SELECT.
   Only sql/store/table.h uses it; there the format of a row is described. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_READER_H
#define GASPDB_SQL_STORE_BTREE_PAGE_READER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_page_reader;

/*
 * Allow reads of pages over this connection. The caller guarantees: tables with
 * rows are not changed any more, and their rows are in the file, except those
 * of an open transaction. Empty tables may be filled as pages while no
 * transaction is open. Returns SQLite's code.
 */
int gaspdb_pages_allow(sqlite3 *db);
bool gaspdb_pages_allowed(sqlite3 *db);

/* A table's root page in the file; 0: no such table. */
uint32_t gaspdb_pages_root(sqlite3 *db, const char *table);

/*
 * A reader of a table of that many columns. on_page, unless NULL, is called for
 * each page read. NULL: not allowed or not possible; the caller uses SQLite
 * then.
 */
struct gaspdb_page_reader *
gaspdb_page_reader_open(sqlite3 *db, const char *table, unsigned columns,
			void (*on_page)(void *user, unsigned n), void *user);
void gaspdb_page_reader_close(struct gaspdb_page_reader *reader);

/* Read the first n columns of the rows in [from, until), room rows at most;
 *got: their number. false: unexpected content, or a read error. */
bool gaspdb_page_reader_read(struct gaspdb_page_reader *reader, int64_t from,
			     int64_t until, unsigned n, size_t room,
			     int64_t *rows, size_t *got);

#endif
