/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bulk writer of tables as pages of an SQLite file, many times faster than
 * inserts. SQLite creates the file with empty tables and closes it. Rows are
 * then appended in the order of their rowids, to several tables in parallel.
 * After gaspdb_pages_finish() the file is SQLite's again. The tables must not
 * have indexes, which are not updated. Memory is one page for each level of
 * each tree and fixed buffers, for any number of rows.
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
 * Open a database that no connection uses. lock_byte: offset of SQLite's lock
 * bytes, whose page stays unused; 0: the usual one. FAILED: unreadable, or of
 * an unsupported format (WAL, auto_vacuum, a legacy format).
 */
enum gaspdb_status gaspdb_pages_open(struct gaspdb_pages **pages,
				     const char *path, uint64_t lock_byte,
				     struct gaspdb_error *err);

/* Write pages in a thread, if one can be created. Call before the first row;
   the file is the same. */
void gaspdb_pages_thread(struct gaspdb_pages *pages);

/*
 * A writer of an empty table by its root page (sqlite_schema.rootpage). key:
 * the INTEGER PRIMARY KEY column, which is not stored; -1: none. A row that
 * violates a constraint (NOT NULL, type) is never written: it fails the pages,
 * as it would an insert.
 */
struct gaspdb_page_table *
gaspdb_pages_table(struct gaspdb_pages *pages, uint32_t root,
		   const struct gaspdb_columns *columns, int key);

/*
 * A writer of a table WITHOUT ROWID, whose primary key is its first columns.
 * The caller guarantees rows in key order without duplicates; their "rowids"
 * are any increasing numbers. Reals go to REAL columns.
 */
struct gaspdb_page_table *
gaspdb_pages_keyed(struct gaspdb_pages *pages, uint32_t root,
		   const struct gaspdb_columns *columns);

/*
 * Append a row of all columns. A key is given as rowid, and its value is
 * ignored. false: rowid is not larger than the last one, and nothing is
 * written.
 */
bool gaspdb_pages_append(struct gaspdb_page_table *table, int64_t rowid,
			 const struct gaspdb_value *values);
/*
 * Append n consecutive rows of integers (GASPDB_NULL: NULL), faster. For tables
 * of fewer than 60 columns whose key is the first. Returns the number appended;
 * the key of the next row is not larger.
 */
size_t gaspdb_pages_append_rows(struct gaspdb_page_table *table,
				const int64_t *rows, size_t n);

/* Append a row to a table WITHOUT ROWID of GASPDB_CELL_COLUMNS_MAX columns at
   most. text, unless NULL, replaces the value of its column. */
void gaspdb_pages_append_row(struct gaspdb_page_table *table,
			     const int64_t *values,
			     const struct gaspdb_cell_text *text);

/* Append a cell of gaspdb_row_cell() to a table with rowid. GASPDB_CELLS_BEFORE
   bytes before it must be readable. */
#define GASPDB_CELLS_BEFORE 64
bool gaspdb_pages_append_cell(struct gaspdb_page_table *table,
			      const uint8_t *cell, size_t bytes);
/* Append a complete leaf of gaspdb_leaf_finish(), of any type. The caller
   guarantees that its rows follow. */
void gaspdb_pages_append_leaf(struct gaspdb_page_table *table,
			      const uint8_t *leaf);

/* The status so far; does not wait for the thread. */
enum gaspdb_status gaspdb_pages_status(struct gaspdb_pages *pages,
				       struct gaspdb_error *err);
/* Finish: all tables are complete. Write the remaining pages and the file's
   header. */
enum gaspdb_status gaspdb_pages_finish(struct gaspdb_pages *pages,
				       struct gaspdb_error *err);
/* Free the writer; NULL: no effect. An unfinished file is not usable. */
void gaspdb_pages_close(struct gaspdb_pages *pages);

#endif
