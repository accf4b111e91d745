/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inserting rows.  Rows of the large tables are gathered and written sixteen
 * at a time: SQLite's work for a statement is larger than that for a row.
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "sql/sql.h"

#define BATCH	    16
#define COLUMNS_MAX 18

struct inserter {
	sqlite3_stmt *one, *many;
	int n; /* rows waiting */
	struct gaspdb_value *rows;
};

struct gaspdb_store {
	sqlite3 *db;
	char *path, *temporary;
	bool force, finished;
	struct gaspdb_error err; /* the first */
	struct inserter inserters[GASPDB_N_INSERTS];
	sqlite3_stmt **cached[8]; /* others' statements, to finalize */
	int n_cached;
};

static const struct {
	const char *table, *columns;
	int n;
} tables[GASPDB_N_INSERTS] = {
#define INSERT(table, columns, n) { #table, columns, n },
	GASPDB_INSERTS(INSERT)
#undef INSERT
};

/* Those of which there may be as many as events. */
static bool is_large(enum gaspdb_insert into)
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

static void fail(struct gaspdb_store *s, const char *what)
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
				 tables[into].table, tables[into].columns);
	sqlite3_stmt *stmt = NULL;

	for (int row = 0; row < rows; row++)
		for (int c = 0; c < tables[into].n; c++)
			n += (size_t)snprintf(sql + n, sizeof sql - n, "%s?%s",
					      c	    ? ","
					      : row ? ",("
						    : "(",
					      c == tables[into].n - 1 ? ")"
								      : "");
	if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt,
			       NULL))
		fail(s, "cannot write");
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
	for (int i = 0; i < rows * tables[into].n; i++)
		bind(*stmt, i + 1, &values[i]);
	if (sqlite3_step(*stmt) != SQLITE_DONE)
		fail(s, "cannot write");
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
				   in->rows + i * tables[into].n);
	in->n = 0;
}

void gaspdb_insert(struct gaspdb_store *s, enum gaspdb_insert into,
		   const struct gaspdb_value *values)
{
	struct inserter *in = &s->inserters[into];
	const size_t n = (size_t)tables[into].n;

	if (!is_large(into)) {
		write_rows(s, into, &in->one, 1, values);
		return;
	}
	if (!in->rows)
		in->rows = gaspdb_mem_alloc(BATCH * n * sizeof *in->rows);
	memcpy(in->rows + (size_t)in->n * n, values, n * sizeof *values);
	if (++in->n == BATCH)
		flush(s, into);
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
			fail(s, "cannot write");
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
		fail(s, "cannot write");
	sqlite3_reset(*cached);
}

/* --- the file ------------------------------------------------------------- */

static enum gaspdb_status create(struct gaspdb_store *s,
				 struct gaspdb_error *err)
{
	int fd;

	if (!s->force && !access(s->path, F_OK))
		return gaspdb_fail(err, GASPDB_FAILED, "'%s' already exists",
				   s->path);
	/* Left behind by another process of the same id. */
	unlink(s->temporary);
	fd = open(s->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return gaspdb_fail_errno(err, "cannot create '%s'", s->path);
	close(fd);
	return GASPDB_OK;
}

static void execute(struct gaspdb_store *s, const char *sql)
{
	if (!s->err.status && sqlite3_exec(s->db, sql, NULL, NULL, NULL))
		fail(s, "cannot write");
}

static void set_up(struct gaspdb_store *s)
{
	char sql[128];

	/* One thread uses it: SQLite's locks would be a tenth of the time. */
	if (sqlite3_open_v2(s->temporary, &s->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
			    NULL)) {
		fail(s, "cannot open");
		return;
	}
	execute(s, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
		   "PRAGMA locking_mode = EXCLUSIVE; PRAGMA page_size = 8192;"
		   "PRAGMA cache_size = -65536; PRAGMA foreign_keys = OFF;");
	snprintf(sql, sizeof sql,
		 "PRAGMA application_id = %d; PRAGMA user_version = %d",
		 GASPDB_APPLICATION_ID, GASPDB_SCHEMA_VERSION);
	execute(s, sql);
	execute(s, "BEGIN EXCLUSIVE");
	execute(s, gaspdb_schema);
}

enum gaspdb_status gaspdb_store_open(struct gaspdb_store **store,
				     const char *path, bool force,
				     struct gaspdb_error *err)
{
	struct gaspdb_store *s = gaspdb_mem_alloc(sizeof *s);
	size_t n = strlen(path) + 32;

	*store = s;
	s->force = force;
	s->path = gaspdb_mem_alloc(n);
	s->temporary = gaspdb_mem_alloc(n);
	snprintf(s->path, n, "%s", path);
	snprintf(s->temporary, n, "%s.tmp-%ld", path, (long)getpid());
	s->finished = true; /* nothing to remove yet */
	if (create(s, err))
		return GASPDB_FAILED;
	s->finished = false;
	set_up(s);
	return gaspdb_store_status(s, err);
}

static enum gaspdb_status sync_path(const char *path, int flags,
				    struct gaspdb_error *err)
{
	int fd = open(path, flags | O_CLOEXEC);
	enum gaspdb_status status = GASPDB_OK;

	if (fd < 0 || fsync(fd))
		status = gaspdb_fail_errno(err, "cannot write '%s'", path);
	if (fd >= 0)
		close(fd);
	return status;
}

static void finalize(struct gaspdb_store *s)
{
	for (int i = 0; i < GASPDB_N_INSERTS; i++) {
		sqlite3_finalize(s->inserters[i].one);
		sqlite3_finalize(s->inserters[i].many);
		s->inserters[i].one = s->inserters[i].many = NULL;
	}
	for (int i = 0; i < s->n_cached; i++) {
		sqlite3_finalize(*s->cached[i]);
		*s->cached[i] = NULL;
	}
	s->n_cached = 0;
}

/* Without force a file that came into being meanwhile is not replaced. */
static enum gaspdb_status take_name(struct gaspdb_store *s,
				    struct gaspdb_error *err)
{
	if (s->force ? rename(s->temporary, s->path)
		     : link(s->temporary, s->path)) {
		if (errno == EEXIST)
			return gaspdb_fail(err, GASPDB_FAILED,
					   "'%s' already exists", s->path);
		if (s->force || rename(s->temporary, s->path))
			return gaspdb_fail_errno(err, "cannot create '%s'",
						 s->path);
	}
	unlink(s->temporary);
	s->finished = true;
	return GASPDB_OK;
}

enum gaspdb_status gaspdb_store_finish(struct gaspdb_store *s,
				       struct gaspdb_error *err)
{
	struct gaspdb_error ignored = { 0 };
	char *folder;

	gaspdb_store_flush(s);
	execute(s, "COMMIT");
	finalize(s);
	if (!s->err.status && sqlite3_close(s->db))
		fail(s, "cannot close");
	else if (!s->err.status)
		s->db = NULL;
	if (gaspdb_store_status(s, err) ||
	    sync_path(s->temporary, O_RDWR, err) || take_name(s, err))
		return GASPDB_FAILED;
	/* Some file systems cannot sync a folder; the file is there. */
	folder = strdup(s->path);
	sync_path(folder ? dirname(folder) : ".", O_RDONLY | O_DIRECTORY,
		  &ignored);
	free(folder);
	return GASPDB_OK;
}

void gaspdb_store_close(struct gaspdb_store *s)
{
	if (!s)
		return;
	finalize(s);
	sqlite3_close(s->db);
	if (!s->finished)
		unlink(s->temporary);
	for (int i = 0; i < GASPDB_N_INSERTS; i++)
		free(s->inserters[i].rows);
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
	return s->err.status;
}

uint64_t gaspdb_store_rows(const struct gaspdb_store *s)
{
	return (uint64_t)sqlite3_total_changes64(s->db);
}
