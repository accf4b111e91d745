/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Access to large tables as rows of integers: read, get, scan, write. It uses
 * the file's pages where that is allowed, and SQLite otherwise. A row has one
 * integer per column: INT64_MIN for NULL, the first eight bytes of a text
 * (gaspdb_word), the integer part of a real. The first column is the INTEGER
 * PRIMARY KEY, called id.
 */
#ifndef GASPDB_SQL_STORE_TABLE_H
#define GASPDB_SQL_STORE_TABLE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "common/error.h"
#include "common/value.h"
#include "sql/columns.h"

#define GASPDB_TABLE_COLUMNS_MAX 32

/* Arguments of the functions that open a table of the schema: its name and the
   number of its columns; and the number of columns of its key. */
#define GASPDB_TABLE(table)	  #table, GASPDB_N_COLUMNS_##table
#define GASPDB_KEYED_TABLE(table) GASPDB_TABLE(table), GASPDB_N_KEYS_##table

/* A connection for access to tables. The first failure stays in status; later
   calls have no effect. */
struct gaspdb_tables {
	sqlite3 *db;
	struct gaspdb_error *err;
	enum gaspdb_status *status;
	/* Called after pages were read, built or written; NULL: no call. */
	void (*on_pages)(void *user, unsigned n);
	void *user;
	struct gaspdb_table_writer *writers; /* unfinished writers */
};

/* Has an access failed? An interrupt is a failure. */
bool gaspdb_tables_failed(struct gaspdb_tables *in);

/* --- reading -------------------------------------------------------------- */

struct gaspdb_page_reader;

struct gaspdb_table {
	struct gaspdb_tables *in;
	const char *name;
	unsigned columns;
	struct gaspdb_page_reader *pages; /* NULL: by SQLite */
	sqlite3_stmt *stmt;
};

/* Open a table. name must outlive it; columns: all columns of the table. */
void gaspdb_table_open(struct gaspdb_table *table, struct gaspdb_tables *in,
		       const char *name, unsigned columns);
void gaspdb_table_close(struct gaspdb_table *table);

/* Read the first n columns of the rows with ids in [from, until), in order,
   room rows at most (at least 1). Returns the number of rows. */
size_t gaspdb_table_read(struct gaspdb_table *table, int64_t from,
			 int64_t until, unsigned n, size_t room, int64_t *rows);
/* Read the first n columns of one row. false: no such row. */
bool gaspdb_table_get(struct gaspdb_table *table, int64_t id, unsigned n,
		      int64_t *values);

/* Callback of a scan; false ends it. */
typedef bool (*gaspdb_row_fn)(void *user, const int64_t *values);
/* Call fn for each row in order until it returns false. fn may read the same
   table. */
void gaspdb_table_scan(struct gaspdb_table *table, gaspdb_row_fn fn,
		       void *user);
/* The same with the first columns of each row. */
void gaspdb_table_scan_columns(struct gaspdb_table *table, unsigned columns,
			       gaspdb_row_fn fn, void *user);

/* A position in a range of rows, with read-ahead. A table may have several
   cursors. */
struct gaspdb_cursor {
	struct gaspdb_table *table;
	int64_t from, until; /* unread ids */
	int64_t low;	     /* ids from here to from have been read ahead */
	int64_t *values;     /* rows read ahead */
	size_t room, n, at;  /* numbers of rows: capacity, read, returned */
	size_t ahead;	     /* size of the next read-ahead */
};

/* Open a cursor at the first row of a table. room: rows of read-ahead. */
void gaspdb_cursor_open(struct gaspdb_cursor *cursor,
			struct gaspdb_table *table, size_t room);
/* Move a cursor to the first row in [from, until). */
void gaspdb_cursor_range(struct gaspdb_cursor *cursor, int64_t from,
			 int64_t until);
/* Move a cursor to the first row from an id on, to the table's end. Rows that
   were read ahead are kept; ids without order shorten the read-ahead. */
void gaspdb_cursor_seek(struct gaspdb_cursor *cursor, int64_t id);
/* Read ahead, for gaspdb_cursor_peek(). false: the range ends. */
bool gaspdb_cursor_fill(struct gaspdb_cursor *cursor);
/* The next row without an advance; borrowed until the next call. NULL: the
   range ends. */
static inline const int64_t *gaspdb_cursor_peek(struct gaspdb_cursor *cursor)
{
	if (cursor->at == cursor->n && !gaspdb_cursor_fill(cursor))
		return NULL;
	return cursor->values + cursor->at * cursor->table->columns;
}
/* The next row, and advance. */
static inline const int64_t *gaspdb_cursor_next(struct gaspdb_cursor *cursor)
{
	const int64_t *row = gaspdb_cursor_peek(cursor);

	cursor->at += row != NULL;
	return row;
}
/* The next row if it was read ahead; else NULL. */
static inline const int64_t *
gaspdb_cursor_ahead(const struct gaspdb_cursor *cursor)
{
	return cursor->at < cursor->n
		       ? cursor->values + cursor->at * cursor->table->columns
		       : NULL;
}
void gaspdb_cursor_close(struct gaspdb_cursor *cursor);

/* --- writing -------------------------------------------------------------- */

struct gaspdb_table_writer;

/*
 * A writer of an empty table whose first column is its key. SQL sees the rows
 * after gaspdb_table_writer_finish(), which frees the writer; before, they lie
 * in an unlinked file. texts, unless NULL: column text_column holds numbers of
 * texts in that list. NULL: failed.
 */
struct gaspdb_table_writer *gaspdb_table_writer_open(struct gaspdb_tables *in,
						     const char *table,
						     unsigned columns,
						     unsigned text_column,
						     const char *const *texts);
/* A writer of a table WITHOUT ROWID, whose first columns, 4 at most, are its
   key. */
struct gaspdb_table_writer *
gaspdb_table_writer_open_keyed(struct gaspdb_tables *in, const char *table,
			       unsigned columns, unsigned keys,
			       unsigned text_column, const char *const *texts);
/* The common head of writers. */
struct gaspdb_table_writer_head {
	int64_t *next, *end; /* buffer for the next rows */
	size_t columns;
	bool at_once; /* rows are inserted at once, by a statement: other rows
			 may refer to them */
};
/* Append the buffered rows, for the functions below. */
void gaspdb_table_writer_append(struct gaspdb_table_writer *bulk);
/*
 * The memory of the next row. The caller fills all of its columns before the
 * next call. Keys must increase; a violation fails the run, at once or later.
 * NULL: the writer is NULL.
 */
static inline int64_t *
gaspdb_table_writer_place(struct gaspdb_table_writer *bulk)
{
	struct gaspdb_table_writer_head *head =
		(struct gaspdb_table_writer_head *)bulk;

	if (!head)
		return NULL;
	if (head->next == head->end)
		gaspdb_table_writer_append(bulk);
	head->next += head->columns;
	return head->next - head->columns;
}
static inline void gaspdb_table_writer_placed(struct gaspdb_table_writer *bulk)
{
	if (((struct gaspdb_table_writer_head *)bulk)->at_once)
		gaspdb_table_writer_append(bulk);
}
/* Append a copy of a row. */
static inline void gaspdb_table_writer_add(struct gaspdb_table_writer *bulk,
					   const int64_t *values)
{
	const struct gaspdb_table_writer_head *head =
		(struct gaspdb_table_writer_head *)bulk;
	int64_t *to = gaspdb_table_writer_place(bulk);

	if (!to)
		return;
	memcpy(to, values, head->columns * sizeof *values);
	gaspdb_table_writer_placed(bulk);
}
/*
 * Finish all writers and free them; called before the first pass and after
 * each. If the import allows pages, the transaction is committed, the rows are
 * written without SQLite, and a new transaction begins. So the next pass can
 * read all rows from the file's pages.
 */
void gaspdb_table_writer_finish(struct gaspdb_tables *in);

#endif
