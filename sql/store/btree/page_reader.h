/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a table read from the file's pages, ten times as fast as by a SELECT.
   How a row looks: sql/store/table.h, through which all others read. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_READER_H
#define GASPDB_SQL_STORE_BTREE_PAGE_READER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_page_reader;

/*
 * From now on tables that have rows are changed no more over this connection,
 * and what they hold is in the file, but for what is written in an open
 * transaction.  Others may append to tables that are empty, as pages, while
 * there is no transaction.  Returns SQLite's code.
 */
int gaspdb_pages_allow(sqlite3 *db);
bool gaspdb_pages_allowed(sqlite3 *db);

/* A table's root page in the file; 0: there is no such table. */
uint32_t gaspdb_pages_root(sqlite3 *db, const char *table);

/*
 * A table of so many columns.  on_page, unless NULL, is called for each page
 * that is read.  NULL: that is not allowed, or something else speaks against
 * it; ask SQLite then.
 */
struct gaspdb_page_reader *
gaspdb_page_reader_open(sqlite3 *db, const char *table, unsigned columns,
			void (*on_page)(void *user, unsigned n), void *user);
void gaspdb_page_reader_close(struct gaspdb_page_reader *reader);

/*
 * The first n columns of rows in [from, until), as many as there are, and room
 * at most, into the array; *got: how many.  false: a page was not as expected,
 * or could not be read.
 */
bool gaspdb_page_reader_read(struct gaspdb_page_reader *reader, int64_t from,
			     int64_t until, unsigned n, size_t room,
			     int64_t *rows, size_t *got);

#endif
