/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of large tables: open, read, get, scan, append.  They go to and from the
 * file's pages where that may be done, else through SQLite.
 *
 * A row is one integer a column.  INT64_MIN stands for NULL, the first eight
 * bytes for a text (gaspdb_word), a real is cut to an integer.  The first
 * column is the INTEGER PRIMARY KEY, called id.
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

/* Arguments of what opens a table of the schema: its name and how many columns
   it has; and how many of them are its key. */
#define GASPDB_TABLE(table)	  #table, GASPDB_N_COLUMNS_##table
#define GASPDB_KEYED_TABLE(table) GASPDB_TABLE(table), GASPDB_N_KEYS_##table

/* A connection whose tables are read and written.  The first failure stays in
 *status; after it all functions do nothing. */
struct gaspdb_tables {
	sqlite3 *db;
	struct gaspdb_error *err;
	enum gaspdb_status *status;
	/* Pages were read, made or written; NULL: no call. */
	void (*on_pages)(void *user, unsigned n);
	void *user;
	struct gaspdb_table_writer *writers; /* to be finished */
};

/* Has it failed?  An interrupt is a failure. */
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

/* name must outlive it; columns: all that the table has. */
void gaspdb_table_open(struct gaspdb_table *table, struct gaspdb_tables *in,
		       const char *name, unsigned columns);
void gaspdb_table_close(struct gaspdb_table *table);

/* The first n columns of the rows with ids in [from, until), in order, room (at
   least 1) for so many rows.  Returns how many there were. */
size_t gaspdb_table_read(struct gaspdb_table *table, int64_t from,
			 int64_t until, unsigned n, size_t room, int64_t *rows);
/* The first n columns of one row; false: there is none. */
bool gaspdb_table_get(struct gaspdb_table *table, int64_t id, unsigned n,
		      int64_t *values);

/* false: enough. */
typedef bool (*gaspdb_row_fn)(void *user, const int64_t *values);
/* Call fn for all rows, in order, until it returns false.  fn may read the same
   table. */
void gaspdb_table_scan(struct gaspdb_table *table, gaspdb_row_fn fn,
		       void *user);

/* A position in a range of rows, several of them side by side in one table.
   Rows are read ahead. */
struct gaspdb_cursor {
	struct gaspdb_table *table;
	int64_t from, until; /* ids that are still to be read */
	int64_t low;	     /* ids from here to from have been read ahead */
	int64_t *values;     /* of rows read ahead */
	size_t room, n, at;  /* rows: fit in, are there, were given */
	size_t ahead;	     /* rows to be read ahead next */
};

/* At the first row of the table.  room: how many rows are read ahead. */
void gaspdb_cursor_open(struct gaspdb_cursor *cursor,
			struct gaspdb_table *table, size_t room);
/* To the first row in [from, until). */
void gaspdb_cursor_range(struct gaspdb_cursor *cursor, int64_t from,
			 int64_t until);
/* To the first row from an id on, to the table's end.  Rows that were read ahead
   are not read again; few are read ahead where ids come in no order. */
void gaspdb_cursor_seek(struct gaspdb_cursor *cursor, int64_t id);
/* Part of gaspdb_cursor_peek(): read ahead.  false: there are no more. */
bool gaspdb_cursor_fill(struct gaspdb_cursor *cursor);
/* The next row, which stays the next; borrowed until the next call.  NULL:
   there are no more. */
static inline const int64_t *gaspdb_cursor_peek(struct gaspdb_cursor *cursor)
{
	if (cursor->at == cursor->n && !gaspdb_cursor_fill(cursor))
		return NULL;
	return cursor->values + cursor->at * cursor->table->columns;
}
/* The same, and past it. */
static inline const int64_t *gaspdb_cursor_next(struct gaspdb_cursor *cursor)
{
	const int64_t *row = gaspdb_cursor_peek(cursor);

	cursor->at += row != NULL;
	return row;
}
/* The next row if it has been read already; else NULL. */
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
 * Write a table that is empty; its first column is its key.  The rows are in
 * it, and SQL sees them, after gaspdb_table_writer_finish(), which frees this:
 * till then they lie in a file without a name.  texts, unless NULL: column
 * number text_column holds numbers in that list.  NULL after a failure.
 */
struct gaspdb_table_writer *gaspdb_table_writer_open(struct gaspdb_tables *in,
						     const char *table,
						     unsigned columns,
						     unsigned text_column,
						     const char *const *texts);
/* The same of a table WITHOUT ROWID, whose first columns, 4 at most, are its
   key. */
struct gaspdb_table_writer *
gaspdb_table_writer_open_keyed(struct gaspdb_tables *in, const char *table,
			       unsigned columns, unsigned keys,
			       unsigned text_column, const char *const *texts);
/* What bulks begin with. */
struct gaspdb_table_writer_head {
	int64_t *next, *end; /* room for the next rows */
	size_t columns;
	bool at_once; /* by a statement: other rows may refer to them */
};
/* Part of what follows: rows go where they belong. */
void gaspdb_table_writer_append(struct gaspdb_table_writer *bulk);
/*
 * Where one more row is to be put, all of its columns; then it is placed,
 * before anything else is done.  Its key is larger than that of the one before;
 * else, as is found out sooner or later, it fails the run.  NULL: bulk is.
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
/* The same in one of a row that is there already. */
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
 * Before the first pass, and after each: rows go to their tables, and all bulks
 * are freed.  If the import allows pages, the transaction is committed, rows
 * are written without SQLite, and another transaction is begun: so the next
 * pass finds in the file, which it reads without SQLite, all that was written.
 */
void gaspdb_table_writer_finish(struct gaspdb_tables *in);

#endif
