/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of a table read from the file's pages without SQLite: all of them in
 * the order of their rowids ten times as fast as by a SELECT, single ones too.
 *
 * A row is one integer a column.  INT64_MIN stands for NULL, the rowid stands
 * in the first column, whatever that holds.  A text is told by its first eight
 * bytes (gaspdb_word), a real is cut to an integer.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_READER_H
#define GASPDB_SQL_STORE_BTREE_PAGE_READER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GASPDB_READER_COLUMNS_MAX 32

struct gaspdb_page_reader;
struct gaspdb_cached_page;

/* false: enough. */
typedef bool (*gaspdb_row_fn)(void *user, const int64_t *values);

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
 * A table of so many columns.  NULL: that is not allowed, or something else
 * speaks against it; ask SQLite then.
 */
struct gaspdb_page_reader *
gaspdb_page_reader_open(sqlite3 *db, const char *table, unsigned columns);
/* Call fn whenever pages are read from the file. */
void gaspdb_page_reader_watch(struct gaspdb_page_reader *reader,
			      void (*fn)(void *user, unsigned n_pages),
			      void *user);
void gaspdb_page_reader_close(struct gaspdb_page_reader *reader);

/*
 * Call fn for each row from that rowid on.  false: a page was not as expected,
 * or could not be read, maybe after rows were given.
 */
bool gaspdb_page_reader_scan(struct gaspdb_page_reader *reader, int64_t from,
			     gaspdb_row_fn fn, void *user);
/*
 * Rows from that rowid on into the array, the first n columns of each, as many
 * as there are and room at most, which is not 0.  How many; *bad is set where a
 * page was not as expected.
 */
size_t gaspdb_page_reader_read(struct gaspdb_page_reader *reader, int64_t from,
			       unsigned n, size_t room, int64_t *rows,
			       bool *bad);

/*
 * The first n columns of one row.  Pages are kept, so that rows near to those
 * of before cost little.  false: there is none; *bad is set as well where that
 * is because a page was not as expected.
 */
bool gaspdb_page_reader_get(struct gaspdb_page_reader *reader, int64_t rowid,
			    unsigned n, int64_t *values, bool *bad);

/*
 * Where one of several walks along the rows stands; zeroed: nowhere yet.  Of
 * one reader, until that is closed.
 */
struct gaspdb_page_place {
	const struct gaspdb_cached_page *page;
	uint32_t number; /* of what that held */
	unsigned cell, cells;
};

/*
 * The first n columns of the first row in [from, until), which costs less than
 * a get where it is near to the row of before; from never decreases.  false as
 * above.
 */
bool gaspdb_page_reader_seek(struct gaspdb_page_reader *reader,
			     struct gaspdb_page_place *place, int64_t from,
			     int64_t until, unsigned n, int64_t *values,
			     bool *bad);

/* What stands for a text. */
static inline int64_t gaspdb_word_n(const char *text, uint64_t bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++)
		v = v << 8 | (i < bytes ? (uint8_t)text[i] : 0);
	return (int64_t)v;
}

int64_t gaspdb_word(const char *text);

#endif
