/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows, as pages or by inserts.  What is inserted into large tables is gathered
 * and written sixteen at a time: SQLite's work for a statement is larger than
 * that for a row.
 */
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "store_parts.h"

#define BATCH 16

const struct gaspdb_store_table gaspdb_store_tables[GASPDB_N_INSERTS] = {
#define INSERT(table, columns, n) { #table, columns, n },
	GASPDB_INSERTS(INSERT)
#undef INSERT
};

bool gaspdb_store_is_large(enum gaspdb_insert into)
{
	return into == GASPDB_INSERT_event || into == GASPDB_INSERT_event_arg ||
	       into == GASPDB_INSERT_p2p;
}

/* Those that several logs tell alike. */
static bool may_repeat(enum gaspdb_insert into)
{
	return into == GASPDB_INSERT_team_member ||
	       into == GASPDB_INSERT_collective_request ||
	       into == GASPDB_INSERT_thread_meta;
}

void gaspdb_store_fail(struct gaspdb_store *s, const char *what)
{
	if (!s->err.status)
		gaspdb_fail(&s->err, GASPDB_FAILED, "%s '%s': %s", what,
			    s->path, sqlite3_errmsg(s->db));
}

/* --- rows ----------------------------------------------------------------- */

static sqlite3_stmt *prepare_insert(struct gaspdb_store *s,
				    enum gaspdb_insert into, int rows)
{
	char sql[2048];
	size_t n =
		(size_t)snprintf(sql, sizeof sql, "INSERT %sINTO %s(%s) VALUES",
				 may_repeat(into) ? "OR IGNORE " : "",
				 gaspdb_store_tables[into].table,
				 gaspdb_store_tables[into].columns);
	sqlite3_stmt *stmt = NULL;

	for (int row = 0; row < rows; row++)
		for (int c = 0; c < gaspdb_store_tables[into].n; c++)
			n += (size_t)snprintf(
				sql + n, sizeof sql - n, "%s?%s",
				c     ? ","
				: row ? ",("
				      : "(",
				c == gaspdb_store_tables[into].n - 1 ? ")"
								     : "");
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt,
			       NULL))
		gaspdb_store_fail(s, "cannot write");
	return stmt;
}

static void bind(sqlite3_stmt *stmt, int at, const struct gaspdb_value *v)
{
	switch (v->is) {
	case GASPDB_IS_INT:
		sqlite3_bind_int64(stmt, at, v->i);
		break;
	case GASPDB_IS_REAL:
		sqlite3_bind_double(stmt, at, v->real);
		break;
	case GASPDB_IS_TEXT:
		sqlite3_bind_text64(stmt, at, v->text, v->n, SQLITE_STATIC,
				    SQLITE_UTF8);
		break;
	case GASPDB_IS_BLOB:
		sqlite3_bind_blob64(stmt, at, v->blob, v->n, SQLITE_STATIC);
		break;
	case GASPDB_IS_NULL:
		sqlite3_bind_null(stmt, at);
	}
}

/* Statement *stmt, made when needed, with the values of so many rows. */
static void write_rows(struct gaspdb_store *s, enum gaspdb_insert into,
		       sqlite3_stmt **stmt, int rows,
		       const struct gaspdb_value *values)
{
	if (!*stmt)
		*stmt = prepare_insert(s, into, rows);
	if (s->err.status)
		return;
	for (int i = 0; i < rows * gaspdb_store_tables[into].n; i++)
		bind(*stmt, i + 1, &values[i]);
	if (sqlite3_step(*stmt) != SQLITE_DONE)
		gaspdb_store_fail(s, "cannot write");
	sqlite3_reset(*stmt);
}

static void flush(struct gaspdb_store *s, enum gaspdb_insert into)
{
	struct inserter *in = &s->inserters[into];

	if (in->n == BATCH)
		write_rows(s, into, &in->many, BATCH, in->rows);
	else
		for (int i = 0; i < in->n; i++)
			write_rows(s, into, &in->one, 1,
				   in->rows + i * gaspdb_store_tables[into].n);
	in->n = 0;
}

/* By SQLite: in the order of ids or not. */
static void insert_large(struct gaspdb_store *s, enum gaspdb_insert into,
			 const struct gaspdb_value *values)
{
	struct inserter *in = &s->inserters[into];
	const size_t n = (size_t)gaspdb_store_tables[into].n;

	if (!in->rows)
		in->rows = gaspdb_mem_alloc(BATCH * n * sizeof *in->rows);
	memcpy(in->rows + (size_t)in->n * n, values, n * sizeof *values);
	if (++in->n == BATCH)
		flush(s, into);
}

void gaspdb_insert(struct gaspdb_store *s, enum gaspdb_insert into,
		   const struct gaspdb_value *values)
{
	struct inserter *in = &s->inserters[into];

	if (!gaspdb_store_is_large(into))
		write_rows(s, into, &in->one, 1, values);
	else if (in->pages &&
		 gaspdb_pages_append(in->pages, values[0].i, values))
		s->page_rows++;
	else
		insert_large(s, into, values);
}

void gaspdb_insert_ints(struct gaspdb_store *s, enum gaspdb_insert into,
			const int64_t *values)
{
	struct inserter *in = &s->inserters[into];
	struct gaspdb_value row[GASPDB_ROW_COLUMNS_MAX];

	if (in->pages &&
	    gaspdb_pages_append_ints(in->pages, values[0], values)) {
		s->page_rows++;
		return;
	}
	for (int i = 0; i < gaspdb_store_tables[into].n; i++)
		row[i] = gaspdb_int(values[i]);
	insert_large(s, into, row);
}

void gaspdb_store_flush(struct gaspdb_store *s)
{
	for (int i = 0; i < GASPDB_N_INSERTS; i++)
		flush(s, (enum gaspdb_insert)i);
}

void gaspdb_store_run(struct gaspdb_store *s, sqlite3_stmt **cached,
		      const char *sql, const int64_t *values, int n)
{
	if (!*cached) {
		if (sqlite3_prepare_v3(s->db, sql, -1,
				       SQLITE_PREPARE_PERSISTENT, cached, NULL))
			gaspdb_store_fail(s, "cannot write");
		else
			s->cached[s->n_cached++] = cached;
	}
	if (s->err.status)
		return;
	for (int i = 0; i < n; i++) {
		struct gaspdb_value v = gaspdb_int(values[i]);

		bind(*cached, i + 1, &v);
	}
	if (sqlite3_step(*cached) != SQLITE_DONE)
		gaspdb_store_fail(s, "cannot write");
	sqlite3_reset(*cached);
}

void gaspdb_store_change(struct gaspdb_store *s, int64_t event, int64_t bytes,
			 int64_t peer)
{
	gaspdb_store_run(s, &s->change,
			 "INSERT INTO temp.gaspdb_change VALUES(?1, ?2, ?3)",
			 (int64_t[]){ event, bytes, peer }, 3);
}
