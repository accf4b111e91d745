/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large tables as rows of integers: read from the file's pages where that may
 * be done, else by SQLite, and written so that it costs little.
 *
 * How a row looks: sql/store/btree/page_reader.h.
 */
#ifndef GASPDB_ANALYSIS_ROWS_TABLE_H
#define GASPDB_ANALYSIS_ROWS_TABLE_H

#include <string.h>

#include "analysis/engine/run.h"
#include "sql/store/btree/page_reader.h"

/* --- reading -------------------------------------------------------------- */

/* A table whose first column is its INTEGER PRIMARY KEY. */
struct gaspdb_table {
	struct gaspdb_run *run;
	const char *name;
	unsigned columns;
	struct gaspdb_page_reader *pages; /* NULL: by SQLite */
	sqlite3_stmt *scan, *get, *seek;
};

/* name must outlive it; columns: all that the table has. */
void gaspdb_table_open(struct gaspdb_table *table, struct gaspdb_run *run,
		       const char *name, unsigned columns);
/* Call fn for the rows from that id on, in order, until it returns false. */
void gaspdb_table_scan(struct gaspdb_table *table, int64_t from,
		       gaspdb_row_fn fn, void *user);
/* The same of all rows. */
void gaspdb_table_scan_all(struct gaspdb_table *table, gaspdb_row_fn fn,
			   void *user);
/* The first n columns of the rows from that id on into the array, room for so
   many rows at most, and not none.  How many there were. */
size_t gaspdb_table_read(struct gaspdb_table *table, int64_t from, unsigned n,
			 size_t room, int64_t *rows);
/* The first n columns of one row; false: there is none. */
bool gaspdb_table_get(struct gaspdb_table *table, int64_t id, unsigned n,
		      int64_t *values);
/*
 * The first n columns of the first row in [from, until), for walks along the
 * rows, many of them side by side: place is where one stands, at first zeroed;
 * its from never decreases.  false: there is none.
 */
bool gaspdb_table_seek(struct gaspdb_table *table,
		       struct gaspdb_page_place *place, int64_t from,
		       int64_t until, unsigned n, int64_t *values);
void gaspdb_table_close(struct gaspdb_table *table);

/* One walk. */
struct gaspdb_cursor {
	struct gaspdb_table table;
	struct gaspdb_page_place place;
	int64_t *rows;	/* read ahead */
	int64_t *at;	/* the row of before */
	int64_t *end;	/* of what was read */
	size_t wanted;	/* rows to be read */
	size_t used;	/* how many were handed out */
	unsigned alone; /* so many more are searched for one by one */
};

void gaspdb_cursor_open(struct gaspdb_cursor *cursor, struct gaspdb_run *run,
			const char *name, unsigned columns);
/* Part of gaspdb_cursor_seek(): it is neither the row of before nor the next.
 */
const int64_t *gaspdb_cursor_search(struct gaspdb_cursor *cursor, int64_t id);
/*
 * The first row from that id on, borrowed until the next call; ids never
 * decrease.  NULL: there is none.
 */
static inline const int64_t *gaspdb_cursor_seek(struct gaspdb_cursor *cursor,
						int64_t id)
{
	int64_t *next;

	if (cursor->at == cursor->end)
		return gaspdb_cursor_search(cursor, id);
	if (*cursor->at >= id)
		return cursor->at;
	next = cursor->at + cursor->table.columns;
	if (next == cursor->end || *next < id)
		return gaspdb_cursor_search(cursor, id);
	cursor->used++;
	return cursor->at = next;
}
void gaspdb_cursor_close(struct gaspdb_cursor *cursor);

/*
 * A walk along a range of rows, many of them side by side, of any tables.  Rows
 * are read ahead, so many at a time, which takes half as long as to seek each;
 * the leaf of a range is read again where others have come between.
 */
struct gaspdb_rows {
	struct gaspdb_table *table;
	int64_t from, until; /* ids that are still to be read */
	int64_t *values;     /* of rows read ahead */
	size_t room, n, at;  /* rows: fit in, are there, were given */
};

/* room: how many are read ahead. */
void gaspdb_rows_open(struct gaspdb_rows *rows, struct gaspdb_table *table,
		      size_t room);
/* Go on at the first row in [from, until). */
void gaspdb_rows_range(struct gaspdb_rows *rows, int64_t from, int64_t until);
/* Part of gaspdb_rows_next(): read ahead.  false: there are no more. */
bool gaspdb_rows_fill(struct gaspdb_rows *rows);
/* The next row, borrowed until the next call; NULL: there are no more. */
static inline const int64_t *gaspdb_rows_next(struct gaspdb_rows *rows)
{
	if (rows->at == rows->n && !gaspdb_rows_fill(rows))
		return NULL;
	return rows->values + rows->at++ * rows->table->columns;
}
/* The row after that; NULL: it was not read yet, or there are no more. */
static inline const int64_t *gaspdb_rows_ahead(const struct gaspdb_rows *rows)
{
	return rows->at < rows->n
		       ? rows->values + rows->at * rows->table->columns
		       : NULL;
}
void gaspdb_rows_close(struct gaspdb_rows *rows);

/* --- writing -------------------------------------------------------------- */

struct gaspdb_table_writer;

/*
 * Write a table that is empty; its first column is its key.  The rows are in
 * it, and SQL sees them, after gaspdb_table_writer_finish(), which frees this:
 * till then they lie in a file without a name.  texts, unless NULL: column
 * number text_column holds numbers in that list.  NULL after a failure.
 */
struct gaspdb_table_writer *gaspdb_table_writer_open(struct gaspdb_run *run,
						     const char *table,
						     unsigned columns,
						     unsigned text_column,
						     const char *const *texts);
/* The same of a table WITHOUT ROWID, whose first columns, 4 at most, are its
   key. */
struct gaspdb_table_writer *
gaspdb_table_writer_open_keyed(struct gaspdb_run *run, const char *table,
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
void gaspdb_table_writer_finish(struct gaspdb_run *run);

#endif
