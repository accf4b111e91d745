/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of large tables, from pages or by statements. */
#include "analysis/table.h"

#include <stdlib.h>
#include <string.h>

void gaspdb_table_open(struct gaspdb_table *t, struct gaspdb_run *run,
		       const char *name, unsigned columns)
{
	*t = (struct gaspdb_table){ .run = run,
				    .name = name,
				    .columns = columns };
	if (run->status == GASPDB_OK)
		t->pages = gaspdb_page_reader_open(run->db, name, columns);
}

static sqlite3_stmt *prepare(const struct gaspdb_table *t, const char *rest)
{
	char sql[128];

	sqlite3_snprintf(sizeof sql, sql, "SELECT * FROM %w %s", t->name, rest);
	return gaspdb_prepare(t->run, sql);
}

static void read_row(sqlite3_stmt *stmt, unsigned n, int64_t *values)
{
	for (unsigned i = 0; i < n; i++) {
		const int c = (int)i;

		switch (sqlite3_column_type(stmt, c)) {
		case SQLITE_NULL:
			values[i] = GASPDB_NONE;
			break;
		case SQLITE_TEXT:
			values[i] = gaspdb_word_n(
				(const char *)sqlite3_column_text(stmt, c),
				(uint64_t)sqlite3_column_bytes(stmt, c));
			break;
		default:
			values[i] = sqlite3_column_int64(stmt, c);
		}
	}
}

static void unreadable(const struct gaspdb_table *t)
{
	if (t->run->status == GASPDB_OK)
		t->run->status =
			gaspdb_fail(t->run->err, GASPDB_FAILED,
				    "table '%s' cannot be read", t->name);
}

void gaspdb_table_scan(struct gaspdb_table *t, int64_t from, gaspdb_row_fn fn,
		       void *user)
{
	int64_t values[GASPDB_READER_COLUMNS_MAX];

	if (t->run->status != GASPDB_OK)
		return;
	if (t->pages) {
		if (!gaspdb_page_reader_scan(t->pages, from, fn, user))
			unreadable(t);
		gaspdb_run_stopped(t->run);
		return;
	}
	if (!t->scan)
		t->scan = prepare(t, "NOT INDEXED WHERE id >= ? ORDER BY id");
	if (t->scan) /* the least id is no NULL */
		sqlite3_bind_int64(t->scan, 1, from);
	while (gaspdb_row(t->run, t->scan)) {
		read_row(t->scan, t->columns, values);
		if (!fn(user, values))
			break;
	}
	sqlite3_reset(t->scan);
}

bool gaspdb_table_get(struct gaspdb_table *t, int64_t id, unsigned n,
		      int64_t *values)
{
	bool bad = false, found;

	if (t->run->status != GASPDB_OK)
		return false;
	if (t->pages) {
		found = gaspdb_page_reader_get(t->pages, id, n, values, &bad);
		if (bad)
			unreadable(t);
		return found;
	}
	if (!t->get)
		t->get = prepare(t, "WHERE id = ?");
	gaspdb_bind(t->run, t->get, 1, &id);
	found = gaspdb_row(t->run, t->get);
	if (found)
		read_row(t->get, n, values);
	sqlite3_reset(t->get);
	return found;
}

void gaspdb_table_close(struct gaspdb_table *t)
{
	gaspdb_page_reader_close(t->pages);
	sqlite3_finalize(t->scan);
	sqlite3_finalize(t->get);
}

/* --- cursors -------------------------------------------------------------- */

/* How many rows are read ahead, and how far the next one may be from the last
   that was for more of them to be worth it. */
enum { AHEAD_MIN = 8, AHEAD_MAX = 256, NEAR = 128 };

void gaspdb_cursor_open(struct gaspdb_cursor *c, struct gaspdb_run *run,
			const char *name, unsigned columns)
{
	*c = (struct gaspdb_cursor){ .wanted = AHEAD_MIN };
	gaspdb_table_open(&c->table, run, name, columns);
	c->rows = gaspdb_zeroed(run, AHEAD_MAX, columns * sizeof *c->rows);
}

static int64_t *row_at(const struct gaspdb_cursor *c, size_t i)
{
	return c->rows + i * c->table.columns;
}

static bool keep_row(void *user, const int64_t *values)
{
	struct gaspdb_cursor *c = user;

	memcpy(row_at(c, c->n++), values, c->table.columns * sizeof *values);
	return c->n < c->wanted;
}

const int64_t *gaspdb_cursor_seek(struct gaspdb_cursor *c, int64_t id)
{
	bool near;

	while (c->at < c->n && *row_at(c, c->at) < id)
		c->at++;
	if (c->at < c->n)
		return row_at(c, c->at);
	near = c->n && id - *row_at(c, c->n - 1) <= NEAR;
	if (!near)
		c->wanted = AHEAD_MIN;
	else if (c->wanted < AHEAD_MAX)
		c->wanted *= 2;
	c->n = c->at = 0;
	if (c->rows)
		gaspdb_table_scan(&c->table, id, keep_row, c);
	return c->n ? c->rows : NULL;
}

void gaspdb_cursor_close(struct gaspdb_cursor *c)
{
	gaspdb_table_close(&c->table);
	free(c->rows);
}
