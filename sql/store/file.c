/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The database file of a store, from its schema to its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/memory.h"
#include "sql/store/btree/page_reader.h"
#include "sql/sql.h"
#include "sql/store/parts.h"

/* --- the file ------------------------------------------------------------- */

static void execute(struct gaspdb_store *s, const char *sql)
{
	if (!s->err.status && sqlite3_exec(s->db, sql, NULL, NULL, NULL))
		gaspdb_store_fail(s, "cannot write");
}

/* Open a file of this process alone, without locks, which some file systems
   lack. Between two transactions passes write pages (sql/store/table.h). */
static void open_db(struct gaspdb_store *s, const char *path)
{
	if (s->err.status)
		return;
	/* One thread uses the connection: SQLite's mutexes take a tenth of the
	   time. */
	if (sqlite3_open_v2(path, &s->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				    SQLITE_OPEN_NOMUTEX,
			    sqlite3_vfs_find("unix-none") ? "unix-none"
							  : NULL) ||
	    gaspdb_sum_function(s->db))
		gaspdb_sql_fail_open(s->db, path, &s->err);
	execute(s, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
		   "PRAGMA locking_mode = NORMAL; PRAGMA cache_size = -6144;"
		   "PRAGMA foreign_keys = OFF;");
}

static void close_db(struct gaspdb_store *s)
{
	if (s->err.status || !s->db)
		return;
	if (sqlite3_close(s->db))
		gaspdb_store_fail(s, "cannot close");
	else
		s->db = NULL;
}

/* Create the empty tables. */
static void make_schema(struct gaspdb_store *s)
{
	char sql[128];

	snprintf(sql, sizeof sql,
		 "PRAGMA page_size = 8192; PRAGMA application_id = %d; "
		 "PRAGMA user_version = %d",
		 GASPDB_APPLICATION_ID, GASPDB_SCHEMA_VERSION);
	open_db(s, s->temporary);
	execute(s, sql);
	execute(s, "BEGIN EXCLUSIVE");
	execute(s, gaspdb_schema);
}

/* --- large tables as pages ------------------------------------------------ */

static void open_table(struct gaspdb_store *s, enum gaspdb_insert into,
		       uint32_t root)
{
	const struct gaspdb_store_table *t = &gaspdb_store_tables[into];
	struct inserter *in = &s->inserters[into];
	struct gaspdb_columns columns;

	if (!gaspdb_columns_of(s->db, t->table, t->by != GASPDB_BY_ID,
			       &columns) ||
	    columns.n != (unsigned)t->n) {
		gaspdb_store_fail(s, "cannot read");
		return;
	}
	if (t->by == GASPDB_BY_ID) {
		in->pages = gaspdb_pages_table(s->pages, root, &columns, 0);
		return;
	}
	in->pages = gaspdb_pages_keyed(s->pages, root, &columns);
	in->key = (unsigned)t->by;
	in->cells = columns.n <= GASPDB_CELL_COLUMNS_MAX;
}

static int find_table(const char *name)
{
	int i = 0;

	while (i < GASPDB_N_INSERTS &&
	       strcmp(gaspdb_store_tables[i].table, name) != 0)
		i++;
	return i;
}

static void find_roots(struct gaspdb_store *s, uint32_t *roots)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (s->err.status)
		return;
	rc = sqlite3_prepare_v2(s->db,
				"SELECT name, rootpage FROM sqlite_schema", -1,
				&stmt, NULL);
	while (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		const int i =
			find_table((const char *)sqlite3_column_text(stmt, 0));

		if (i < GASPDB_N_INSERTS)
			roots[i] = (uint32_t)sqlite3_column_int64(stmt, 1);
	}
	if (sqlite3_finalize(stmt) || rc)
		gaspdb_store_fail(s, "cannot read");
}

/* Exchange the database of the pages and the database of the inserts. */
static void swap_databases(struct gaspdb_store *s)
{
	sqlite3 *db = s->db;

	s->db = s->small;
	s->small = db;
}

/* Open the large tables by their root pages. SQLite has read the schema; it
   keeps the file open but none of its pages. */
static void open_pages(struct gaspdb_store *s, bool thread)
{
	uint32_t roots[GASPDB_N_INSERTS] = { 0 };

	find_roots(s, roots);
	execute(s, "COMMIT");
	if (s->err.status ||
	    gaspdb_pages_open(&s->pages, s->temporary, 0, &s->err))
		return;
	for (int i = 0; i < GASPDB_N_INSERTS; i++)
		if (gaspdb_store_tables[i].by != GASPDB_BY_SQL)
			open_table(s, (enum gaspdb_insert)i, roots[i]);
	if (thread)
		gaspdb_pages_thread(s->pages);
	sqlite3_db_release_memory(s->db);
	swap_databases(s);
}

/* Open the database for inserts, an unlinked file. It is created before the
   other, so a kill leaves one file at most. */
static void open_small(struct gaspdb_store *s)
{
	open_db(s, s->temporary);
	execute(s, "BEGIN EXCLUSIVE");
	s->small = s->db;
	s->db = NULL;
	gaspdb_store_remove(s);
}

/* --- settling ------------------------------------------------------------- */

static void finalize(struct gaspdb_store *s)
{
	for (int i = 0; i < GASPDB_N_INSERTS; i++) {
		sqlite3_finalize(s->inserters[i].insert);
		s->inserters[i].insert = NULL;
	}
	sqlite3_finalize(s->change);
	s->change = NULL;
}

static void fail_beside(struct gaspdb_store *s, sqlite3 *from)
{
	if (!s->err.status)
		gaspdb_fail(&s->err, GASPDB_FAILED,
			    "cannot use a temporary file beside '%s': %s",
			    s->path, sqlite3_errmsg(from));
}

static bool give_values(sqlite3_stmt *from, sqlite3_stmt *to)
{
	for (int i = 0; i < sqlite3_bind_parameter_count(to); i++)
		if (sqlite3_bind_value(to, i + 1,
				       sqlite3_column_value(from, i)))
			return false;
	return true;
}

/* Execute statement `to` with the values of each row of `from`. */
static void give_rows(struct gaspdb_store *s, sqlite3_stmt *from,
		      sqlite3_stmt *to)
{
	int rc = SQLITE_DONE;

	while (!s->err.status && (rc = sqlite3_step(from)) == SQLITE_ROW) {
		if (!give_values(from, to) || sqlite3_step(to) != SQLITE_DONE)
			gaspdb_store_fail(s, "cannot write");
		sqlite3_reset(to);
	}
	if (rc != SQLITE_DONE)
		fail_beside(s, sqlite3_db_handle(from));
}

static void copy_table(struct gaspdb_store *s, enum gaspdb_insert into)
{
	const struct gaspdb_store_table *t = &gaspdb_store_tables[into];
	struct inserter *in = &s->inserters[into];
	sqlite3_stmt *rows = NULL;
	char sql[512];

	sqlite3_snprintf(sizeof sql, sql, "SELECT %s FROM %w", t->columns,
			 t->table);
	if (sqlite3_prepare_v2(s->small, sql, -1, &rows, NULL))
		fail_beside(s, s->small);
	in->insert = gaspdb_store_prepare(s, into);
	give_rows(s, rows, in->insert);
	sqlite3_finalize(rows);
}

/* Copy the inserted rows: small tables, and rows that came too late for their
   page. */
static void copy_tables(struct gaspdb_store *s)
{
	for (int i = 0; i < GASPDB_N_INSERTS && !s->err.status; i++)
		if (s->inserters[i].any)
			copy_table(s, (enum gaspdb_insert)i);
}

/* --- changes -------------------------------------------------------------- */

/*
 * Updates. ?1: bytes, ?2 ?3 ?4: the key; for event ?3 is its peer, unless NULL.
 */
static const struct {
	enum gaspdb_insert table;
	const char *also, *where;
} changes[] = {
	{ GASPDB_INSERT_event, "peer = coalesce(?3, peer), ", "id = ?2" },
	{ GASPDB_INSERT_profile, "",
	  "thread_id = ?2 AND source_id = ?3 AND nested = ?4" },
	{ GASPDB_INSERT_callpath_part, "",
	  "thread_id = ?2 AND source_id = ?3 AND callpath_id = ?4" },
};
#define N_CHANGES (sizeof changes / sizeof *changes)

/* Prepare an update. Its sums saturate. */
static sqlite3_stmt *prepare_update(struct gaspdb_store *s, size_t i)
{
	sqlite3_stmt *stmt = NULL;
	char sql[512];

	sqlite3_snprintf(
		sizeof sql, sql,
		"UPDATE main.%s SET %sbytes = CASE WHEN coalesce(bytes, 0) > "
		"9223372036854775807 - ?1 THEN 9223372036854775807 "
		"ELSE coalesce(bytes, 0) + ?1 END WHERE %s",
		gaspdb_store_tables[changes[i].table].table, changes[i].also,
		changes[i].where);
	if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL))
		gaspdb_store_fail(s, "cannot write");
	return stmt;
}

/* Apply the recorded changes to rows, in order. */
static void make_changes(struct gaspdb_store *s, sqlite3 *from)
{
	sqlite3_stmt *change = NULL, *update;

	for (size_t i = 0; s->changes && i < N_CHANGES && !s->err.status; i++) {
		if (sqlite3_prepare_v2(
			    from,
			    "SELECT bytes, key1, key2, key3 FROM "
			    "temp.gaspdb_change WHERE into_table = ? "
			    "ORDER BY rowid",
			    -1, &change, NULL))
			fail_beside(s, from);
		sqlite3_bind_int(change, 1, changes[i].table);
		update = prepare_update(s, i);
		give_rows(s, change, update);
		sqlite3_finalize(change);
		sqlite3_finalize(update);
	}
}

static void finish_pages(struct gaspdb_store *s)
{
	if (!s->err.status)
		gaspdb_pages_finish(s->pages, &s->err);
	gaspdb_pages_close(s->pages);
	s->pages = NULL;
	for (int i = 0; i < GASPDB_N_INSERTS; i++)
		s->inserters[i].pages = NULL;
}

enum gaspdb_status gaspdb_store_settle(struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	finalize(s);
	if (!s->pages) {
		make_changes(s, s->db);
		return gaspdb_store_status(s, err);
	}
	finish_pages(s);
	swap_databases(s);
	execute(s, "BEGIN EXCLUSIVE");
	copy_tables(s);
	make_changes(s, s->small);
	sqlite3_close(s->small);
	s->small = NULL;
	if (!s->err.status && gaspdb_pages_allow(s->db))
		gaspdb_store_fail(s, "cannot write");
	return gaspdb_store_status(s, err);
}

/* --- the store ------------------------------------------------------------ */

enum gaspdb_status gaspdb_store_open(struct gaspdb_store **store,
				     const char *path, bool force,
				     enum gaspdb_writer writer, bool thread,
				     struct gaspdb_error *err)
{
	struct gaspdb_store *s = gaspdb_mem_alloc(sizeof *s);

	*store = s;
	s->force = force;
	s->lock_fd = -1;
	if (gaspdb_store_choose_name(s, path, err))
		return GASPDB_FAILED;
	gaspdb_store_remove_stale(s);
	if (gaspdb_store_create(s, err))
		return GASPDB_FAILED;
	if (writer == GASPDB_WRITER_PAGES) {
		open_small(s);
		if (gaspdb_store_create(s, err))
			return GASPDB_FAILED;
	}
	make_schema(s);
	if (writer == GASPDB_WRITER_PAGES)
		open_pages(s, thread);
	return gaspdb_store_status(s, err);
}

enum gaspdb_status gaspdb_store_finish(struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	/* Last, so that no connection has to parse the views before. */
	if (!s->err.status && gaspdb_views_add(s->db))
		gaspdb_store_fail(s, "cannot write");
	execute(s, "COMMIT");
	finalize(s);
	close_db(s);
	if (gaspdb_store_status(s, err))
		return GASPDB_FAILED;
	return gaspdb_store_take_name(s, err);
}

void gaspdb_store_close(struct gaspdb_store *s)
{
	if (!s)
		return;
	finalize(s);
	sqlite3_close(s->db);
	sqlite3_close(s->small);
	gaspdb_pages_close(s->pages);
	gaspdb_store_remove(s);
	for (int i = 0; i < GASPDB_N_INSERTS; i++)
		for (int k = 0; k < KEY_MAX; k++)
			free(s->inserters[i].text[k]);
	free(s->path);
	free(s->temporary);
	free(s);
}

sqlite3 *gaspdb_store_db(struct gaspdb_store *s)
{
	return s->db;
}

const char *gaspdb_store_path(const struct gaspdb_store *s)
{
	return s->path;
}

enum gaspdb_status gaspdb_store_fail_named(const struct gaspdb_store *s,
					   struct gaspdb_error *err)
{
	const struct gaspdb_error bare = *err;

	if (gaspdb_interrupted || strstr(bare.msg, s->path))
		return GASPDB_FAILED;
	return gaspdb_fail(err, GASPDB_FAILED, "cannot make '%s': %s",
			   s->path, bare.msg);
}

enum gaspdb_status gaspdb_store_status(const struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	if (s->err.status)
		*err = s->err;
	else if (s->pages)
		return gaspdb_pages_status(s->pages, err);
	return s->err.status;
}
