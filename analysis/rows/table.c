/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of large tables, from pages or by statements. */
#include "analysis/rows/table.h"

#include <stdlib.h>
#include <string.h>

static void count_pages(void *run, unsigned n)
{
	gaspdb_run_count_pages(run, n);
}

void gaspdb_table_open(struct gaspdb_table *t, struct gaspdb_run *run,
		       const char *name, unsigned columns)
{
	*t = (struct gaspdb_table){ .run = run,
				    .name = name,
				    .columns = columns };
	if (run->status == GASPDB_OK)
		t->pages = gaspdb_page_reader_open(run->db, name, columns);
	if (t->pages && run->progress)
		gaspdb_page_reader_watch(t->pages, count_pages, run);
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

static void give_rows(struct gaspdb_table *t, gaspdb_row_fn fn, void *user)
{
	int64_t values[GASPDB_READER_COLUMNS_MAX];

	while (gaspdb_row(t->run, t->scan)) {
		read_row(t->scan, t->columns, values);
		if (!fn(user, values))
			break;
	}
	sqlite3_reset(t->scan);
}

static void seek_row(struct gaspdb_table *t, int64_t from)
{
	if (!t->scan)
		t->scan = prepare(t, "NOT INDEXED WHERE id >= ? ORDER BY id");
	if (t->scan) /* the least id is no NULL */
		sqlite3_bind_int64(t->scan, 1, from);
}

void gaspdb_table_scan(struct gaspdb_table *t, int64_t from, gaspdb_row_fn fn,
		       void *user)
{
	if (t->run->status != GASPDB_OK)
		return;
	if (t->pages) {
		if (!gaspdb_page_reader_scan(t->pages, from, fn, user))
			unreadable(t);
		gaspdb_run_stopped(t->run);
		return;
	}
	seek_row(t, from);
	give_rows(t, fn, user);
}

void gaspdb_table_scan_all(struct gaspdb_table *t, gaspdb_row_fn fn, void *user)
{
	gaspdb_table_scan(t, INT64_MIN, fn, user);
}

size_t gaspdb_table_read(struct gaspdb_table *t, int64_t from, unsigned n,
			 size_t room, int64_t *rows)
{
	size_t got = 0;
	bool bad = false;

	if (t->run->status != GASPDB_OK)
		return 0;
	if (t->pages) {
		got = gaspdb_page_reader_read(t->pages, from, n, room, rows,
					      &bad);
		if (bad)
			unreadable(t);
		return gaspdb_run_stopped(t->run) ? 0 : got;
	}
	seek_row(t, from);
	for (; got < room && gaspdb_row(t->run, t->scan); got++)
		read_row(t->scan, n, rows + got * n);
	sqlite3_reset(t->scan);
	return got;
}

bool gaspdb_table_get(struct gaspdb_table *t, int64_t id, unsigned n,
		      int64_t *values)
{
	bool bad = false, found;

	if (gaspdb_run_stopped(t->run))
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

bool gaspdb_table_seek(struct gaspdb_table *t, struct gaspdb_page_place *place,
		       int64_t from, int64_t until, unsigned n, int64_t *values)
{
	bool bad = false, found;

	if (gaspdb_run_stopped(t->run))
		return false;
	if (t->pages) {
		found = gaspdb_page_reader_seek(t->pages, place, from, until, n,
						values, &bad);
		if (bad)
			unreadable(t);
		return found;
	}
	if (!t->seek)
		t->seek = prepare(t, "WHERE id >= ? AND id < ? "
				     "ORDER BY id LIMIT 1");
	gaspdb_bind(t->run, t->seek, 2, (int64_t[]){ from, until });
	found = gaspdb_row(t->run, t->seek);
	if (found)
		read_row(t->seek, n, values);
	sqlite3_reset(t->seek);
	return found;
}

void gaspdb_table_close(struct gaspdb_table *t)
{
	gaspdb_page_reader_close(t->pages);
	sqlite3_finalize(t->scan);
	sqlite3_finalize(t->get);
	sqlite3_finalize(t->seek);
}

/* --- cursors -------------------------------------------------------------- */

/*
 * Rows are read ahead while most of them are wanted: a scan gives a row for
 * half of what a search costs, and SQLite must begin anew for each.  If not
 * they are searched for one by one, so many at least.
 */
enum { AHEAD_MIN = 8, AHEAD_MAX = 256, NEAR = 128, ALONE = 64 };

void gaspdb_cursor_open(struct gaspdb_cursor *c, struct gaspdb_run *run,
			const char *name, unsigned columns)
{
	*c = (struct gaspdb_cursor){ .wanted = 1 };
	gaspdb_table_open(&c->table, run, name, columns);
	c->rows = gaspdb_zeroed(run, AHEAD_MAX, columns * sizeof *c->rows);
	c->at = c->end = c->rows;
}

/* How many rows to read, after those that are there. */
static size_t choose_ahead(struct gaspdb_cursor *c, int64_t id)
{
	const size_t least = c->table.pages ? 1 : AHEAD_MIN;
	const size_t columns = c->table.columns;

	if (c->end == c->rows)
		return least;
	if (c->used * columns * 2 < (size_t)(c->end - c->rows)) {
		c->alone = ALONE;
		return least;
	}
	if (c->wanted >= AHEAD_MIN)
		return c->wanted < AHEAD_MAX ? c->wanted * 2 : AHEAD_MAX;
	if (c->alone) {
		c->alone--;
		return least;
	}
	return id - *(c->end - columns) <= NEAR ? AHEAD_MIN : least;
}

static void read_ahead(struct gaspdb_cursor *c, int64_t id)
{
	const unsigned columns = c->table.columns;
	size_t n;

	c->wanted = choose_ahead(c, id);
	c->at = c->rows;
	c->used = 0;
	if (c->wanted > 1)
		n = gaspdb_table_read(&c->table, id, columns, c->wanted,
				      c->rows);
	else
		n = gaspdb_table_seek(&c->table, &c->place, id, INT64_MAX,
				      columns, c->rows);
	c->end = c->rows + n * columns;
}

const int64_t *gaspdb_cursor_search(struct gaspdb_cursor *c, int64_t id)
{
	while (c->at < c->end && *c->at < id)
		c->at += c->table.columns;
	if (c->at == c->end) {
		if (!c->rows)
			return NULL;
		read_ahead(c, id);
		if (c->at == c->end)
			return NULL;
	}
	c->used++;
	return c->at;
}

void gaspdb_cursor_close(struct gaspdb_cursor *c)
{
	gaspdb_table_close(&c->table);
	free(c->rows);
}

/* --- ranges --------------------------------------------------------------- */

void gaspdb_rows_open(struct gaspdb_rows *r, struct gaspdb_table *table,
		      size_t room)
{
	*r = (struct gaspdb_rows){ .table = table, .room = room };
	r->values = gaspdb_zeroed(table->run, room,
				  table->columns * sizeof *r->values);
}

void gaspdb_rows_range(struct gaspdb_rows *r, int64_t from, int64_t until)
{
	r->from = from;
	r->until = until;
	r->n = r->at = 0;
}

bool gaspdb_rows_fill(struct gaspdb_rows *r)
{
	const unsigned columns = r->table->columns;
	uint64_t room;

	r->n = r->at = 0;
	if (r->from >= r->until || !r->values)
		return false;
	room = (uint64_t)r->until - (uint64_t)r->from; /* it has no more */
	if (room > r->room)
		room = r->room;
	r->n = gaspdb_table_read(r->table, r->from, columns, room, r->values);
	r->from = r->n == room ? r->values[(r->n - 1) * columns] + 1 : r->until;
	while (r->n && r->values[(r->n - 1) * columns] >= r->until)
		r->n--;
	return r->n && r->table->run->status == GASPDB_OK;
}

void gaspdb_rows_close(struct gaspdb_rows *r)
{
	free(r->values);
}
