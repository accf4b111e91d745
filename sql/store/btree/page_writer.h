/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows written as pages of an SQLite file, without SQLite: many times faster
 * than by inserts.  SQLite makes the file with its tables, empty ones, and
 * closes it; rows are appended here, in the order of their rowids, to several
 * tables at the same time; after gaspdb_pages_finish() the file is SQLite's
 * again.  Indexes are not kept up, so the tables must have none.
 *
 * Whatever the number of rows, memory is a page for each level of each table's
 * tree, and fixed buffers.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_WRITER_H
#define GASPDB_SQL_STORE_BTREE_PAGE_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "sql/store/btree/page_check.h"
#include "sql/store/btree/page_row.h"

struct gaspdb_pages;
struct gaspdb_page_table;

/*
 * Take over a database that nobody has open.  lock_byte: where SQLite locks
 * files, the page that has it stays unused; 0: where it does so usually.
 * FAILED: it cannot be read, or is none that this knows how to extend (WAL,
 * auto_vacuum, a legacy format).
 */
enum gaspdb_status gaspdb_pages_open(struct gaspdb_pages **pages,
				     const char *path, uint64_t lock_byte,
				     struct gaspdb_error *err);

/* From now on, before the first row, pages are written by a thread, if there
   can be one; the file is the same. */
void gaspdb_pages_thread(struct gaspdb_pages *pages);

/*
 * An empty table by its root page (sqlite_schema.rootpage), which has these
 * columns.  key: that of them which is INTEGER PRIMARY KEY, and so not stored;
 * -1: none.  A row that breaks the columns' rules (NOT NULL, types) is never
 * written: it fails the pages, as it would an insert.
 */
struct gaspdb_page_table *
gaspdb_pages_table(struct gaspdb_pages *pages, uint32_t root,
		   const struct gaspdb_columns *columns, int key);

/*
 * The same of a table WITHOUT ROWID, whose primary key are its first columns.
 * That rows come in the order of the key, and no key twice, is the caller's
 * duty; their "rowids" are any numbers that grow.  Its reals are of columns of
 * that type.
 */
struct gaspdb_page_table *
gaspdb_pages_keyed(struct gaspdb_pages *pages, uint32_t root,
		   const struct gaspdb_columns *columns);

/*
 * Append a row of all columns; a key is given as rowid, its value is ignored.
 * false: rowid is not larger than the last one, nothing was written.
 */
bool gaspdb_pages_append(struct gaspdb_page_table *table, int64_t rowid,
			 const struct gaspdb_value *values);
/* The same of n rows of integers alone, GASPDB_NULL as NULL, one behind the
   other, in less time.  For tables of less than 60 columns, whose key is the
   first.  Returns how many of them; the next one's key is not larger. */
size_t gaspdb_pages_append_rows(struct gaspdb_page_table *table,
				const int64_t *rows, size_t n);

/* The same of one row of a table without rowid, of GASPDB_CELL_COLUMNS_MAX
   columns at most.  text: instead of the value of its column; NULL: none. */
void gaspdb_pages_append_row(struct gaspdb_page_table *table,
			     const int64_t *values,
			     const struct gaspdb_cell_text *text);

/*
 * A row as gaspdb_row_cell() made it, unless the table is one without rowid;
 * before it there are GASPDB_CELLS_BEFORE bytes that may be read.
 */
#define GASPDB_CELLS_BEFORE 64
bool gaspdb_pages_append_cell(struct gaspdb_page_table *table,
			      const uint8_t *cell, size_t bytes);
/* A leaf of rows, as gaspdb_leaf_finish() leaves it, of any type: that its rows
   follow is the caller's duty. */
void gaspdb_pages_append_leaf(struct gaspdb_page_table *table,
			      const uint8_t *leaf);

/* So far; does not wait for what is being written. */
enum gaspdb_status gaspdb_pages_status(struct gaspdb_pages *pages,
				       struct gaspdb_error *err);
/* All tables are complete: write what is left, and the file's header. */
enum gaspdb_status gaspdb_pages_finish(struct gaspdb_pages *pages,
				       struct gaspdb_error *err);
/* NULL: nothing.  What was not finished is of no use. */
void gaspdb_pages_close(struct gaspdb_pages *pages);

#endif
