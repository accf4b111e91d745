/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Insertion of rows, as pages or by INSERT statements. */
#include <stdio.h>
#include <string.h>

#include "common/memory.h"
#include "sql/sql.h"
#include "sql/store/parts.h"

const struct gaspdb_store_table gaspdb_store_tables[GASPDB_N_INSERTS] = {
#define INSERT(table, by) \
	{ #table, GASPDB_COLUMNS_##table, GASPDB_N_COLUMNS_##table, by },
	GASPDB_INSERTS(INSERT)
#undef INSERT
};
#define INSERT(table, by) _Static_assert((by) <= KEY_MAX, "the key of " #table);
GASPDB_INSERTS(INSERT)
#undef INSERT

bool gaspdb_store_may_repeat(enum gaspdb_insert into)
{
	return into == GASPDB_INSERT_team_member ||
	       into == GASPDB_INSERT_team_source ||
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

sqlite3_stmt *gaspdb_store_prepare(struct gaspdb_store *s,
				   enum gaspdb_insert into)
{
	const struct gaspdb_store_table *t = &gaspdb_store_tables[into];
	char sql[1024];
	size_t n = (size_t)snprintf(
		sql, sizeof sql, "INSERT %sINTO %s(%s) VALUES(",
		gaspdb_store_may_repeat(into) ? "OR IGNORE " : "", t->table,
		t->columns);
	sqlite3_stmt *stmt = NULL;

	for (int c = 0; c < t->n; c++)
		n += (size_t)snprintf(sql + n, sizeof sql - n, "?%c",
				      c < t->n - 1 ? ',' : ')');
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt,
			       NULL))
		gaspdb_store_fail(s, "cannot write");
	return stmt;
}

/* Create a table of the second database at its first row. Most stay empty
   there, and each costs more than its part of the parse of the whole schema. */
static void make_table(struct gaspdb_store *s, enum gaspdb_insert into)
{
	const char *sql = gaspdb_table_sql(gaspdb_store_tables[into].table);
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) ||
	    sqlite3_step(stmt) != SQLITE_DONE)
		gaspdb_store_fail(s, "cannot write");
	sqlite3_finalize(stmt);
}

void gaspdb_value_bind(sqlite3_stmt *stmt, int at, const struct gaspdb_value *v)
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

static void insert_row(struct gaspdb_store *s, enum gaspdb_insert into,
		       const struct gaspdb_value *values)
{
	struct inserter *in = &s->inserters[into];

	if (s->pages && !in->any)
		make_table(s, into);
	if (!in->insert)
		in->insert = gaspdb_store_prepare(s, into);
	in->any = true;
	if (s->err.status)
		return;
	for (int i = 0; i < gaspdb_store_tables[into].n; i++)
		gaspdb_value_bind(in->insert, i + 1, &values[i]);
	if (sqlite3_step(in->insert) != SQLITE_DONE)
		gaspdb_store_fail(s, "cannot write");
	sqlite3_reset(in->insert);
}

/* SQLite's order of integers and texts. */
static inline int compare(const struct gaspdb_value *a,
			  const struct gaspdb_value *b)
{
	const size_t n = a->n < b->n ? a->n : b->n;
	int order;

	if (a->is == GASPDB_IS_INT && b->is == GASPDB_IS_INT)
		return (a->i > b->i) - (a->i < b->i);
	if (a->is != b->is)
		return a->is == GASPDB_IS_INT ? -1 : 1;
	order = n ? memcmp(a->text, b->text, n) : 0;
	return order ? order : (a->n > b->n) - (a->n < b->n);
}

static void keep_key(struct inserter *in, unsigned i,
		     const struct gaspdb_value *value)
{
	in->last[i] = *value;
	if (value->is != GASPDB_IS_TEXT)
		return;
	in->text[i] =
		gaspdb_mem_grow(in->text[i], &in->room[i], value->n + 1, 1);
	memcpy(in->text[i], value->text, value->n);
	in->last[i].text = in->text[i];
}

/* Accept a key that is larger than the last one. */
static bool take_key(struct inserter *in, const struct gaspdb_value *values)
{
	int order = in->rows ? 0 : 1;
	unsigned same = 0;

	for (; !order && same < in->key; same += !order)
		order = compare(&values[same], &in->last[same]);
	if (order <= 0)
		return false;
	for (unsigned i = same; i < in->key; i++)
		keep_key(in, i, &values[i]);
	return true;
}

void gaspdb_insert(struct gaspdb_store *s, enum gaspdb_insert into,
		   const struct gaspdb_value *values)
{
	struct inserter *in = &s->inserters[into];
	bool taken;

	if (!in->pages)
		taken = false;
	else if (in->key)
		taken = take_key(in, values) &&
			gaspdb_pages_append(in->pages, ++in->rows, values);
	else
		taken = gaspdb_pages_append(in->pages, values[0].i, values);
	if (!taken)
		insert_row(s, into, values);
}

static inline struct gaspdb_value value_of(const struct gaspdb_cell_text *text)
{
	return (struct gaspdb_value){ .is = GASPDB_IS_TEXT,
				      .text = text->text,
				      .n = text->n };
}

/* The slow path: a row too late for its page or too long, or a store by
   inserts. */
static __attribute__((noinline)) void
insert_as_values(struct gaspdb_store *s, enum gaspdb_insert into,
		 const int64_t *values, const struct gaspdb_cell_text *texts,
		 unsigned n_texts)
{
	struct gaspdb_value row[GASPDB_ROW_COLUMNS_MAX];
	const unsigned n = (unsigned)gaspdb_store_tables[into].n;

	for (unsigned i = 0; i < n; i++)
		row[i] = gaspdb_int(values[i]);
	for (unsigned i = 0; i < n_texts; i++)
		row[texts[i].column] = value_of(&texts[i]);
	gaspdb_insert(s, into, row);
}

/*
 * take_key() for integers. text, unless NULL, replaces the value of its column.
 */
static inline __attribute__((always_inline)) bool
take_ints(struct inserter *in, const int64_t *values,
	  const struct gaspdb_cell_text *text)
{
	unsigned same = 0;
	int order = in->rows ? 0 : 1;

	for (; !order && same < in->key; same += !order) {
		const struct gaspdb_value *last = &in->last[same];

		if (text && same == text->column) {
			const struct gaspdb_value value = value_of(text);

			order = compare(&value, last);
		} else if (values[same] != last->i) {
			order = values[same] > last->i ? 1 : -1;
		}
	}
	if (order <= 0)
		return false;
	for (unsigned i = same; i < in->key; i++) {
		if (text && i == text->column) {
			const struct gaspdb_value value = value_of(text);

			keep_key(in, i, &value);
		} else {
			in->last[i].is = GASPDB_IS_INT;
			in->last[i].i = values[i];
		}
	}
	return true;
}

/* Append a row to the pages of a table. false: not possible. Inline, so that
   the compiler knows whether there is a text. */
static inline __attribute__((always_inline)) bool
append_row(struct inserter *in, const int64_t *values,
	   const struct gaspdb_cell_text *text)
{
	if (!in->cells || !take_ints(in, values, text))
		return false;
	in->rows++;
	gaspdb_pages_append_row(in->pages, values, text);
	return true;
}

static __attribute__((noinline)) bool append_ints(struct inserter *in,
						  const int64_t *values)
{
	return append_row(in, values, NULL);
}

void gaspdb_insert_ints(struct gaspdb_store *s, enum gaspdb_insert into,
			const int64_t *values)
{
	struct inserter *in = &s->inserters[into];

	if (!in->pages ||
	    !(in->key ? append_ints(in, values)
		      : gaspdb_pages_append_rows(in->pages, values, 1) == 1))
		insert_as_values(s, into, values, NULL, 0);
}

void gaspdb_insert_real(struct gaspdb_store *s, enum gaspdb_insert into,
			const int64_t *values, double last)
{
	const int n = gaspdb_store_tables[into].n;
	struct gaspdb_value row[GASPDB_ROW_COLUMNS_MAX];
	int64_t whole[GASPDB_ROW_COLUMNS_MAX];

	if (last < (double)GASPDB_WHOLE_MAX && last == (double)(int64_t)last) {
		memcpy(whole, values, (size_t)n * sizeof *whole);
		whole[n - 1] = (int64_t)last;
		gaspdb_insert_ints(s, into, whole);
		return;
	}
	for (int i = 0; i < n - 1; i++)
		row[i] = gaspdb_int(values[i]);
	row[n - 1] = gaspdb_real(last);
	gaspdb_insert(s, into, row);
}

void gaspdb_insert_text(struct gaspdb_store *s, enum gaspdb_insert into,
			const int64_t *values, unsigned column,
			const char *text)
{
	struct inserter *in = &s->inserters[into];
	const size_t n = strlen(text);
	const struct gaspdb_cell_text t = { column, (unsigned)n, text };

	if (!in->pages || !in->key || n > GASPDB_CELL_TEXT_MAX ||
	    !append_row(in, values, &t))
		insert_as_values(s, into, values, &t, 1);
}

void gaspdb_insert_texts(struct gaspdb_store *s, enum gaspdb_insert into,
			 const int64_t *values,
			 const struct gaspdb_cell_text *texts, unsigned n_texts)
{
	struct inserter *in = &s->inserters[into];
	struct {
		uint8_t before[GASPDB_CELLS_BEFORE], cell[GASPDB_CELL_MAX];
	} row;

	if (!in->pages ||
	    !gaspdb_pages_append_cell(
		    in->pages, row.cell,
		    gaspdb_row_cell(row.cell, values,
				    (unsigned)gaspdb_store_tables[into].n,
				    false, texts, n_texts)))
		insert_as_values(s, into, values, texts, n_texts);
}

void gaspdb_insert_rows(struct gaspdb_store *s, enum gaspdb_insert into,
			const int64_t *rows, size_t n)
{
	const struct inserter *in = &s->inserters[into];
	const size_t columns = (size_t)gaspdb_store_tables[into].n;

	for (;;) {
		const size_t taken =
			in->pages ? gaspdb_pages_append_rows(in->pages, rows, n)
				  : 0;

		if (taken == n)
			return;
		/* A row too late for its page */
		rows += taken * columns;
		gaspdb_insert_ints(s, into, rows);
		rows += columns;
		n -= taken + 1;
	}
}

/* --- changes -------------------------------------------------------------- */

static void prepare_change(struct gaspdb_store *s)
{
	s->changes = true;
	if (sqlite3_exec(s->db,
			 "CREATE TEMP TABLE gaspdb_change(into_table, bytes, "
			 "key1, key2, key3)",
			 NULL, NULL, NULL) ||
	    sqlite3_prepare_v3(s->db,
			       "INSERT INTO temp.gaspdb_change "
			       "VALUES(?1, ?2, ?3, ?4, ?5)",
			       -1, SQLITE_PREPARE_PERSISTENT, &s->change, NULL))
		gaspdb_store_fail(s, "cannot write");
}

/* Add a row to temp.gaspdb_change; GASPDB_NULL is NULL. */
static void note_change(struct gaspdb_store *s, const int64_t values[5])
{
	if (!s->changes)
		prepare_change(s);
	if (s->err.status)
		return;
	for (int i = 0; i < 5; i++) {
		struct gaspdb_value v = gaspdb_int(values[i]);

		gaspdb_value_bind(s->change, i + 1, &v);
	}
	if (sqlite3_step(s->change) != SQLITE_DONE)
		gaspdb_store_fail(s, "cannot write");
	sqlite3_reset(s->change);
}

void gaspdb_store_change(struct gaspdb_store *s, int64_t event, int64_t bytes,
			 int64_t peer)
{
	note_change(s, (int64_t[]){ GASPDB_INSERT_event, bytes, event, peer,
				    GASPDB_NULL });
}

void gaspdb_store_add_bytes(struct gaspdb_store *s, enum gaspdb_insert into,
			    const int64_t key[3], int64_t bytes)
{
	note_change(s, (int64_t[]){ into, bytes, key[0], key[1], key[2] });
}
