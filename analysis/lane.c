/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread uses each connection: SQLite needs no locks for them. */
#include "analysis/lane.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/shared.h"
#include "analysis/spool.h"
#include "analysis/table.h"
#include "ring.h"
#include "sql/page_reader.h"

/* To open a connection takes some ms: fewer events are analysed in less. */
enum { EVENTS_MIN = 1 << 16 };

enum { STATEMENTS_MAX = 16, VALUES_MAX = 32, TEXTS_MAX = 3, TEXT_MAX = 512 };

struct gaspdb_lane {
	const struct gaspdb_pass *pass;
	struct gaspdb_run run; /* what the pass shares; its tables wait here */
	struct gaspdb_error err;
	sqlite3 *own; /* the thread's connection; NULL: there is none */
	pthread_t thread;
	bool runs;		   /* the thread, or it is to be joined */
	struct gaspdb_run *waits;  /* for a scan of this; NULL: it does not */
	struct gaspdb_lane *next;  /* that waits for it, too; NULL: none */
	struct gaspdb_lane *with;  /* in whose thread it is; NULL: its own */
	struct gaspdb_run by_scan; /* the pass's own, while a scan runs it */
	void *object;		   /* of the pass; NULL: nothing to do */
	struct gaspdb_spool *rows; /* NULL: none so far */
	int64_t n_rows;
	char *statements[STATEMENTS_MAX];
	size_t n_statements, last; /* last: that of the row before */
};

/* A row, before its values and texts. */
struct row {
	size_t statement, n, n_texts;
};

/* --- the pass ------------------------------------------------------------- */

/* Does it pay?  Ids of events are in the order of threads. */
static bool worth_it(const struct gaspdb_run *run)
{
	for (int64_t i = run->n_threads - 1; i >= 0; i--)
		if (run->threads[i].last_event != GASPDB_NONE)
			return run->threads[i].last_event >= EVENTS_MIN;
	return false;
}

/* It reads the schema at once, which nobody changes while passes run. */
static sqlite3 *open_own(const struct gaspdb_run *run)
{
	const char *path = sqlite3_db_filename(run->db, "main");
	sqlite3 *db = NULL;

	if (!run->lanes || !worth_it(run) || !sqlite3_threadsafe() || !path ||
	    !*path || !gaspdb_pages_allowed(run->db))
		return NULL;
	if (sqlite3_open_v2(
		    path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX,
		    sqlite3_vfs_find("unix-none") ? "unix-none" : NULL) ||
	    gaspdb_pages_allow(db) ||
	    sqlite3_exec(db, "SELECT 1 FROM thread LIMIT 1", NULL, NULL,
			 NULL)) {
		sqlite3_close(db);
		return NULL;
	}
	return db;
}

static void *run_pass(void *user)
{
	struct gaspdb_lane *l = user;

	gaspdb_run_share(&l->run, true);
	if (l->run.status == GASPDB_OK)
		l->run.status = l->pass->run(l->run.db, &l->err);
	gaspdb_run_share(&l->run, false);
	return NULL;
}

/* Here and now, on the connection of all. */
static void run_here(struct gaspdb_lane *l, struct gaspdb_run *run)
{
	run_pass(l);
	gaspdb_run_share(run, true);
}

size_t gaspdb_lanes_scan_begins(struct gaspdb_run *run,
				struct gaspdb_taker *takers)
{
	struct gaspdb_lane *first = run->waits;
	size_t n = 0;

	if (first)
		first->waits->waits = NULL;
	run->waits = NULL;
	for (struct gaspdb_lane *l = first; l; l = l->next) {
		l->waits = NULL;
		l->object = l->pass->events->open(&l->by_scan);
		/* After a failure it is only closed. */
		if (l->object && l->by_scan.status == GASPDB_OK)
			takers[n++] =
				(struct gaspdb_taker){ l->pass->events->take,
						       l->object };
	}
	return n;
}

void gaspdb_lanes_scan_ends(struct gaspdb_lane *first)
{
	for (struct gaspdb_lane *l = first; l; l = l->next) {
		if (l->object)
			l->pass->events->close(l->object);
		l->run.status = gaspdb_run_close(&l->by_scan);
	}
}

/* The pass's run is opened now: while there are statements that have begun
   nothing can be shared. */
static void wait_for_scan(struct gaspdb_lane *l, struct gaspdb_run *run)
{
	struct gaspdb_lane **link = &run->waits;

	gaspdb_run_share(&l->run, true);
	gaspdb_run_open(&l->by_scan, l->run.db, &l->err);
	gaspdb_run_share(run, true);
	while (*link)
		link = &(*link)->next;
	*link = l;
	l->waits = run;
}

/* Owned by the connection that does not end with the lane. */
static void lend_all(struct gaspdb_run *run, struct gaspdb_run *to,
		     const struct gaspdb_pass *pass)
{
	for (const char *const *name = pass->takes; name && *name; name++)
		gaspdb_shared_lend(run, to, *name);
}

/* Those that wait for a scan of one run wait for one of the other, which is
   that of the lane, if there is one. */
static void hand_over(struct gaspdb_run *from, struct gaspdb_run *to,
		      struct gaspdb_lane *lane)
{
	for (struct gaspdb_lane *l = from->waits; l; l = l->next) {
		l->waits = to;
		l->with = lane;
		l->run.db = l->by_scan.db = to->db;
		if (lane)
			lend_all(from, to, l->pass);
	}
	to->waits = from->waits;
	from->waits = NULL;
}

static void use_own(struct gaspdb_lane *l, struct gaspdb_run *run)
{
	if (!sqlite3_get_autocommit(run->db))
		gaspdb_exec(run, "COMMIT; BEGIN EXCLUSIVE");
	l->own = open_own(run);
	if (!l->own)
		return;
	l->run.db = l->own;
	lend_all(run, &l->run, l->pass);
	if (l->pass->events)
		hand_over(run, &l->run, l);
	l->runs = gaspdb_thread_start(&l->thread, run_pass, l);
	if (l->runs)
		return;
	l->run.db = run->db;
	if (l->pass->events)
		hand_over(&l->run, run, NULL);
	sqlite3_close(l->own);
	l->own = NULL;
}

/* May it wait, where there are threads, for the next scan of any? */
static bool shares_scan(const struct gaspdb_lane *l, struct gaspdb_run *run)
{
	const struct gaspdb_event_pass *events = l->pass->events;

	return events && events->cheap && events->cheap(run);
}

struct gaspdb_lane *gaspdb_lane_start(struct gaspdb_run *run,
				      const struct gaspdb_pass *pass)
{
	struct gaspdb_lane *l = gaspdb_zeroed(run, 1, sizeof *l);

	if (!l)
		return NULL;
	l->pass = pass;
	l->run = *run;
	l->run.err = &l->err;
	l->run.lane = l;
	l->run.waits = NULL;
	if (!shares_scan(l, run))
		use_own(l, run);
	if (l->own)
		return l;
	if (pass->events)
		wait_for_scan(l, run);
	else
		run_here(l, run);
	return l;
}

const struct gaspdb_pass *gaspdb_lane_pass(const struct gaspdb_lane *l)
{
	return l->pass;
}

/* --- what waits ----------------------------------------------------------- */

static void add_statement(struct gaspdb_lane *l, struct gaspdb_run *run,
			  const char *sql)
{
	const size_t bytes = strlen(sql) + 1;
	char *copy = gaspdb_zeroed(run, bytes, 1);

	assert(l->n_statements < STATEMENTS_MAX);
	if (copy)
		l->statements[l->n_statements++] = memcpy(copy, sql, bytes);
}

/* The number of a statement: mostly that of the row before. */
static size_t number_of(struct gaspdb_lane *l, struct gaspdb_run *run,
			const char *sql)
{
	if (l->last < l->n_statements && !strcmp(l->statements[l->last], sql))
		return l->last;
	l->last = 0;
	while (l->last < l->n_statements && strcmp(l->statements[l->last], sql))
		l->last++;
	if (l->last == l->n_statements)
		add_statement(l, run, sql);
	return l->last;
}

void gaspdb_lane_write(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		       const int64_t *values, size_t n_texts,
		       const char *const *texts)
{
	struct gaspdb_lane *l = run->lane;
	const struct row row = { number_of(l, run, sqlite3_sql(stmt)), n,
				 n_texts };

	assert(n <= VALUES_MAX && n_texts <= TEXTS_MAX);
	if (!l->rows)
		l->rows = gaspdb_spool_open(run);
	if (run->status != GASPDB_OK)
		return;
	gaspdb_spool_write(run, l->rows, &row, sizeof row);
	gaspdb_spool_write(run, l->rows, values, n * sizeof *values);
	for (size_t i = 0; i < n_texts; i++) {
		char text[TEXT_MAX] = "";

		assert(strlen(texts[i]) < sizeof text);
		strncpy(text, texts[i], sizeof text - 1);
		gaspdb_spool_write(run, l->rows, text, sizeof text);
	}
	l->n_rows++;
}

void gaspdb_lane_keep(struct gaspdb_run *run)
{
	gaspdb_bulk_move(run, &run->lane->run);
}

/* --- the end -------------------------------------------------------------- */

static bool write_row(struct gaspdb_lane *l, struct gaspdb_run *run,
		      sqlite3_stmt *const *statements)
{
	int64_t values[VALUES_MAX];
	char text[TEXTS_MAX][TEXT_MAX];
	const char *texts[TEXTS_MAX];
	struct row row;

	if (!gaspdb_spool_read(run, l->rows, &row, sizeof row) ||
	    !gaspdb_spool_read(run, l->rows, values, row.n * sizeof *values))
		return false;
	for (size_t i = 0; i < row.n_texts; i++) {
		texts[i] = text[i];
		if (!gaspdb_spool_read(run, l->rows, text[i], sizeof text[i]))
			return false;
	}
	gaspdb_write_texts(run, statements[row.statement], row.n, values,
			   row.n_texts, texts);
	return run->status == GASPDB_OK;
}

static void write_rows(struct gaspdb_lane *l, struct gaspdb_run *run)
{
	sqlite3_stmt *statements[STATEMENTS_MAX];

	for (size_t i = 0; i < l->n_statements; i++)
		statements[i] = gaspdb_prepare(run, l->statements[i]);
	gaspdb_spool_rewind(run, l->rows);
	for (int64_t i = 0; i < l->n_rows && write_row(l, run, statements); i++)
		;
	for (size_t i = 0; i < l->n_statements; i++)
		sqlite3_finalize(statements[i]);
}

static void write_all(struct gaspdb_lane *l, struct gaspdb_run *run)
{
	struct gaspdb_run to;

	gaspdb_run_open(&to, run->db, run->err);
	to.status = run->status;
	gaspdb_bulk_move(&l->run, &to);
	if (l->rows && to.status == GASPDB_OK)
		write_rows(l, &to);
	run->status = gaspdb_run_close(&to);
}

static void wait_for_thread(struct gaspdb_lane *l)
{
	if (l->runs)
		pthread_join(l->thread, NULL);
	l->runs = false;
}

void gaspdb_lane_join(struct gaspdb_lane *l, struct gaspdb_run *run)
{
	wait_for_thread(l->with ? l->with : l);
	if (l->waits == run)
		gaspdb_scan_events_for_others(run);
	if (run->status == GASPDB_OK && l->run.status != GASPDB_OK) {
		run->status = l->run.status;
		*run->err = l->err;
	}
	write_all(l, run);
	sqlite3_close(l->own);
	gaspdb_spool_close(l->rows);
	for (size_t i = 0; i < l->n_statements; i++)
		free(l->statements[i]);
	free(l);
}
