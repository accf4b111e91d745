/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of large tables, from pages or by a statement. */
#include "sql/store/table.h"

#include <stdlib.h>

#include "common/interrupt.h"
#include "sql/store/btree/page_reader.h"

/* Rows per read of a scan. */
enum { SCAN_ROWS = 32 };
/* Rows that a cursor reads ahead where ids come in no order. */
enum { FEW_ROWS = 8 };

bool gaspdb_tables_failed(struct gaspdb_tables *in)
{
	if (gaspdb_interrupted && *in->status == GASPDB_OK)
		*in->status =
			gaspdb_fail(in->err, GASPDB_FAILED, "interrupted");
	return *in->status != GASPDB_OK;
}

void gaspdb_table_open(struct gaspdb_table *t, struct gaspdb_tables *in,
		       const char *name, unsigned columns)
{
	*t = (struct gaspdb_table){ .in = in,
				    .name = name,
				    .columns = columns };
	if (*in->status == GASPDB_OK)
		t->pages = gaspdb_page_reader_open(in->db, name, columns,
						   in->on_pages, in->user);
}

void gaspdb_table_close(struct gaspdb_table *t)
{
	gaspdb_page_reader_close(t->pages);
	sqlite3_finalize(t->stmt);
}

static int64_t column(sqlite3_stmt *stmt, int c)
{
	switch (sqlite3_column_type(stmt, c)) {
	case SQLITE_NULL:
		return GASPDB_NULL;
	case SQLITE_TEXT:
		return gaspdb_word_n((const char *)sqlite3_column_text(stmt, c),
				     (uint64_t)sqlite3_column_bytes(stmt, c));
	default:
		return sqlite3_column_int64(stmt, c);
	}
}

/* Read rows by SQLite. false: SQLite failed. */
static bool read_by_sql(struct gaspdb_table *t, int64_t from, int64_t until,
			unsigned n, size_t room, int64_t *rows, size_t *got)
{
	char sql[160];
	int code = SQLITE_DONE;

	sqlite3_snprintf(sizeof sql, sql,
			 "SELECT * FROM %w WHERE id >= ?1 AND id < ?2 "
			 "ORDER BY id",
			 t->name);
	if (!t->stmt && sqlite3_prepare_v2(t->in->db, sql, -1, &t->stmt, NULL))
		return false;
	sqlite3_bind_int64(t->stmt, 1, from);
	sqlite3_bind_int64(t->stmt, 2, until);
	while (*got < room && (code = sqlite3_step(t->stmt)) == SQLITE_ROW) {
		for (unsigned i = 0; i < n; i++)
			*rows++ = column(t->stmt, (int)i);
		++*got;
	}
	sqlite3_reset(t->stmt);
	return code == SQLITE_DONE || code == SQLITE_ROW;
}

size_t gaspdb_table_read(struct gaspdb_table *t, int64_t from, int64_t until,
			 unsigned n, size_t room, int64_t *rows)
{
	size_t got = 0;

	if (gaspdb_tables_failed(t->in))
		return 0;
	if (t->pages ? gaspdb_page_reader_read(t->pages, from, until, n, room,
					       rows, &got)
		     : read_by_sql(t, from, until, n, room, rows, &got))
		return got;
	*t->in->status = gaspdb_fail(t->in->err, GASPDB_FAILED,
				     "table '%s' cannot be read", t->name);
	return 0;
}

bool gaspdb_table_get(struct gaspdb_table *t, int64_t id, unsigned n,
		      int64_t *values)
{
	return id != INT64_MAX &&
	       gaspdb_table_read(t, id, id + 1, n, 1, values) == 1 &&
	       values[0] == id;
}

void gaspdb_table_scan_columns(struct gaspdb_table *t, unsigned columns,
			       gaspdb_row_fn fn, void *user)
{
	int64_t rows[SCAN_ROWS * GASPDB_TABLE_COLUMNS_MAX];
	int64_t from = INT64_MIN;
	size_t n;

	do {
		const int64_t *row = rows;

		n = gaspdb_table_read(t, from, INT64_MAX, columns, SCAN_ROWS,
				      rows);
		for (size_t i = 0; i < n; i++, row += columns) {
			from = row[0] + 1;
			if (!fn(user, row))
				return;
		}
	} while (n == SCAN_ROWS && *t->in->status == GASPDB_OK);
}

void gaspdb_table_scan(struct gaspdb_table *t, gaspdb_row_fn fn, void *user)
{
	gaspdb_table_scan_columns(t, t->columns, fn, user);
}

/* --- cursors -------------------------------------------------------------- */

void gaspdb_cursor_open(struct gaspdb_cursor *c, struct gaspdb_table *table,
			size_t room)
{
	*c = (struct gaspdb_cursor){ .table = table,
				     .from = INT64_MIN,
				     .until = INT64_MAX,
				     .low = INT64_MIN,
				     .room = room,
				     .ahead = room };
	if (*table->in->status != GASPDB_OK)
		return;
	c->values = calloc(room, table->columns * sizeof *c->values);
	if (!c->values)
		*table->in->status =
			gaspdb_fail(table->in->err, GASPDB_FAILED,
				    "out of memory in an analysis");
}

void gaspdb_cursor_range(struct gaspdb_cursor *c, int64_t from, int64_t until)
{
	c->from = c->low = from;
	c->until = until;
	c->n = c->at = 0;
}

void gaspdb_cursor_seek(struct gaspdb_cursor *c, int64_t id)
{
	const unsigned columns = c->table->columns;
	const uint64_t span = (uint64_t)c->from - (uint64_t)c->low;

	if (id < c->low || id >= c->from) {
		if (id < c->from || (uint64_t)id - (uint64_t)c->from > span)
			c->ahead = c->room < FEW_ROWS ? c->room : FEW_ROWS;
		gaspdb_cursor_range(c, id, INT64_MAX);
		return;
	}
	if (c->at && c->values[(c->at - 1) * columns] >= id)
		c->at = 0;
	while (c->at < c->n && c->values[c->at * columns] < id)
		c->at++;
}

bool gaspdb_cursor_fill(struct gaspdb_cursor *c)
{
	const unsigned columns = c->table->columns;

	if (c->from >= c->until || !c->values)
		return false;
	c->low = c->from;
	c->at = 0;
	c->n = gaspdb_table_read(c->table, c->from, c->until, columns, c->ahead,
				 c->values);
	c->from = c->n == c->ahead ? c->values[(c->n - 1) * columns] + 1
				   : c->until;
	c->ahead = 2 * c->ahead < c->room ? 2 * c->ahead : c->room;
	return c->n > 0;
}

void gaspdb_cursor_close(struct gaspdb_cursor *c)
{
	free(c->values);
}
