/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file that the store makes: from its schema to its end. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "sql/page_file.h"
#include "sql/page_reader.h"
#include "sql/sql.h"
#include "store_parts.h"

enum { PIECE_BYTES = 8192 }; /* on the stack, which may be small */

/* --- the file ------------------------------------------------------------- */

static void execute(struct gaspdb_store *s, const char *sql)
{
	if (!s->err.status && sqlite3_exec(s->db, sql, NULL, NULL, NULL))
		gaspdb_store_fail(s, "cannot write");
}

/* The files are this process's own: whether they can be locked or not.  In
   between two transactions passes write pages (analysis/table.h). */
static void open_db(struct gaspdb_store *s, const char *path)
{
	if (s->err.status)
		return;
	/* One thread uses it: SQLite's locks would be a tenth of the time. */
	if (sqlite3_open_v2(path, &s->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				    SQLITE_OPEN_NOMUTEX,
			    sqlite3_vfs_find("unix-none") ? "unix-none"
							  : NULL) ||
	    gaspdb_sum_function(s->db))
		gaspdb_sql_fail_open(s->db, path, &s->err);
	execute(s, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
		   "PRAGMA locking_mode = NORMAL; PRAGMA page_size = 8192;"
		   "PRAGMA cache_size = -16384; PRAGMA foreign_keys = OFF;");
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

static void make_schema(struct gaspdb_store *s)
{
	char sql[128];

	snprintf(sql, sizeof sql,
		 "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 GASPDB_APPLICATION_ID, GASPDB_SCHEMA_VERSION);
	execute(s, sql);
	execute(s, "BEGIN EXCLUSIVE");
	execute(s, gaspdb_schema);
}

/* --- large tables as pages ------------------------------------------------ */

/*
 * The root page of a table, and how many of its first columns are the key.
 * 0: its columns are not those of its insert, or the key is elsewhere.
 */
static uint32_t root_of(struct gaspdb_store *s, enum gaspdb_insert into,
			unsigned *key)
{
	static const char sql[] =
		"SELECT s.rootpage, count(nullif(c.pk, 0)), "
		"group_concat(c.name, ', ') IS ?2 "
		"AND max(c.pk) FILTER (WHERE c.pk <> c.cid + 1) IS 0 "
		"FROM sqlite_schema s, pragma_table_info(?1) c "
		"WHERE s.name = ?1 AND s.type = 'table'";
	const struct gaspdb_store_table *t = &gaspdb_store_tables[into];
	sqlite3_stmt *stmt = NULL;
	uint32_t root = 0;

	if (!sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL) &&
	    !sqlite3_bind_text(stmt, 1, t->table, -1, SQLITE_STATIC) &&
	    !sqlite3_bind_text(stmt, 2, t->columns, -1, SQLITE_STATIC) &&
	    sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int(stmt, 2)) {
		root = (uint32_t)sqlite3_column_int64(stmt, 0);
		*key = (unsigned)sqlite3_column_int(stmt, 1);
	}
	if (sqlite3_finalize(stmt))
		gaspdb_store_fail(s, "cannot read");
	return *key <= KEY_MAX ? root : 0;
}

static void open_table(struct gaspdb_store *s, enum gaspdb_insert into,
		       uint32_t root, unsigned key)
{
	struct inserter *in = &s->inserters[into];
	const unsigned columns = (unsigned)gaspdb_store_tables[into].n;

	if (gaspdb_store_order(into) == GASPDB_BY_ID) {
		in->pages = gaspdb_pages_table(s->pages, root, columns, 0);
		return;
	}
	in->pages = gaspdb_pages_keyed(s->pages, root, columns);
	in->key = key;
	in->cells = columns <= GASPDB_CELL_COLUMNS_MAX;
}

/* The large tables are opened by their roots. */
static void open_pages(struct gaspdb_store *s)
{
	uint32_t roots[GASPDB_N_INSERTS] = { 0 };
	unsigned keys[GASPDB_N_INSERTS] = { 0 };

	for (int i = 0; i < GASPDB_N_INSERTS && !s->err.status; i++) {
		if (gaspdb_store_order((enum gaspdb_insert)i) == GASPDB_BY_SQL)
			continue;
		roots[i] = root_of(s, (enum gaspdb_insert)i, &keys[i]);
		if (!roots[i] && !s->err.status)
			gaspdb_fail(&s->err, GASPDB_FAILED,
				    "table '%s' is not as expected",
				    gaspdb_store_tables[i].table);
	}
	close_db(s);
	if (s->err.status ||
	    gaspdb_pages_open(&s->pages, s->temporary, 0, &s->err))
		return;
	for (int i = 0; i < GASPDB_N_INSERTS; i++)
		if (roots[i])
			open_table(s, (enum gaspdb_insert)i, roots[i], keys[i]);
}

static bool copy_bytes(int from, int to)
{
	uint8_t bytes[PIECE_BYTES];
	struct stat st;

	if (fstat(from, &st))
		return false;
	for (off_t at = 0; at < st.st_size; at += PIECE_BYTES) {
		const off_t left = st.st_size - at;
		const size_t n =
			left < PIECE_BYTES ? (size_t)left : sizeof bytes;

		if (!gaspdb_read_at(from, bytes, n, at) ||
		    !gaspdb_write_at(to, bytes, n, at))
			return false;
	}
	return true;
}

/* The tables, which nobody has made rows of yet: copying their pages takes a
   tenth of making them. */
static void copy_schema(struct gaspdb_store *s, int to)
{
	const int from = open(s->temporary, O_RDONLY | O_CLOEXEC);

	if (from < 0 || to < 0 || !copy_bytes(from, to))
		gaspdb_fail_errno(&s->err,
				  "cannot use a temporary file beside '%s'",
				  s->path);
	if (from >= 0)
		close(from);
}

/* Small tables go to a file of their own, which has no name any longer.  It is
   made before the other one: whatever moment a kill comes, it leaves one. */
static void open_small(struct gaspdb_store *s)
{
	open_db(s, s->temporary);
	s->small = s->db;
	s->db = NULL;
	s->small_fd = open(s->temporary, O_WRONLY | O_CLOEXEC);
	gaspdb_store_remove(s);
}

/* The other one has the tables now. */
static void use_small(struct gaspdb_store *s)
{
	if (!s->err.status)
		copy_schema(s, s->small_fd);
	if (s->err.status)
		return;
	s->db = s->small;
	s->small = NULL;
	execute(s, "BEGIN EXCLUSIVE");
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

/* What was inserted beside the pages: small tables, and rows that came late. */
static void copy_tables(struct gaspdb_store *s)
{
	char sql[1024];

	for (int i = 0; i < GASPDB_N_INSERTS; i++) {
		const struct gaspdb_store_table *t = &gaspdb_store_tables[i];

		if (!s->inserters[i].any)
			continue;
		sqlite3_snprintf(
			sizeof sql, sql,
			"INSERT %sINTO out.%w(%s) SELECT %s FROM main.%w",
			gaspdb_store_may_repeat((enum gaspdb_insert)i)
				? "OR IGNORE "
				: "",
			t->table, t->columns, t->columns, t->table);
		execute(s, sql);
	}
}

/* --- changes -------------------------------------------------------------- */

/* ?1: bytes, ?2 ?3 ?4: the key; ?3 of an event: its peer, unless NULL. */
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

/* Sums stop at the end of their range. */
static sqlite3_stmt *prepare_change(struct gaspdb_store *s, const char *schema,
				    size_t i)
{
	sqlite3_stmt *stmt = NULL;
	char sql[512];

	sqlite3_snprintf(
		sizeof sql, sql,
		"UPDATE %s.%s SET %sbytes = CASE WHEN coalesce(bytes, 0) > "
		"9223372036854775807 - ?1 THEN 9223372036854775807 "
		"ELSE coalesce(bytes, 0) + ?1 END WHERE %s",
		schema, gaspdb_store_tables[changes[i].table].table,
		changes[i].also, changes[i].where);
	if (sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL))
		gaspdb_store_fail(s, "cannot write");
	return stmt;
}

/* What came of rows after they were written, one after the other. */
static void change_rows(struct gaspdb_store *s, sqlite3_stmt *change,
			sqlite3_stmt *update)
{
	while (!s->err.status && sqlite3_step(change) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_bind_parameter_count(update); i++)
			sqlite3_bind_value(update, i + 1,
					   sqlite3_column_value(change, i));
		if (sqlite3_step(update) != SQLITE_DONE)
			gaspdb_store_fail(s, "cannot write");
		sqlite3_reset(update);
	}
}

static void make_changes(struct gaspdb_store *s, const char *schema)
{
	sqlite3_stmt *change = NULL, *update;

	for (size_t i = 0; i < N_CHANGES && !s->err.status; i++) {
		if (sqlite3_prepare_v2(
			    s->db,
			    "SELECT bytes, key1, key2, key3 FROM "
			    "temp.gaspdb_change WHERE into_table = ? "
			    "ORDER BY rowid",
			    -1, &change, NULL))
			gaspdb_store_fail(s, "cannot write");
		sqlite3_bind_int(change, 1, changes[i].table);
		update = prepare_change(s, schema, i);
		change_rows(s, change, update);
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

static void join(struct gaspdb_store *s)
{
	char *sql = sqlite3_mprintf("ATTACH %Q AS out", s->temporary);

	s->other_rows = (uint64_t)sqlite3_total_changes64(s->db);
	execute(s, "COMMIT");
	execute(s, sql ? sql : "");
	sqlite3_free(sql);
	execute(s,
		"PRAGMA out.journal_mode = OFF; PRAGMA out.synchronous = OFF;"
		"PRAGMA out.cache_size = -16384; BEGIN");
	copy_tables(s);
	make_changes(s, "out");
	execute(s, "COMMIT; DETACH out");
	close_db(s);
}

enum gaspdb_status gaspdb_store_settle(struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	finalize(s);
	if (!s->pages) {
		make_changes(s, "main");
		return gaspdb_store_status(s, err);
	}
	finish_pages(s);
	join(s);
	open_db(s, s->temporary);
	execute(s, "BEGIN EXCLUSIVE");
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
	s->small_fd = s->lock_fd = -1;
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
	open_db(s, s->temporary);
	make_schema(s);
	if (writer == GASPDB_WRITER_PAGES) {
		execute(s, "COMMIT");
		open_pages(s);
		if (thread && s->pages)
			gaspdb_pages_thread(s->pages);
		use_small(s);
	}
	execute(s,
		"CREATE TEMP TABLE gaspdb_change(into_table, bytes, key1, key2, "
		"key3)");
	return gaspdb_store_status(s, err);
}

enum gaspdb_status gaspdb_store_finish(struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	/* Last: whoever opens the file before would have to parse them. */
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
	if (s->small_fd >= 0)
		close(s->small_fd);
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

enum gaspdb_status gaspdb_store_status(const struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	if (s->err.status)
		*err = s->err;
	else if (s->pages)
		return gaspdb_pages_status(s->pages, err);
	return s->err.status;
}

uint64_t gaspdb_store_rows(const struct gaspdb_store *s)
{
	return s->page_rows + s->other_rows +
	       (uint64_t)sqlite3_total_changes64(s->db);
}
