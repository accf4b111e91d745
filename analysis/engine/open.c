/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open and close of a run. Open reads threads and sources. */
#include "analysis/engine/run.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/shared_sorter.h"
#include "common/sum.h"
#include "sql/passes/engine.h"
#include "sql/store/table.h"

/* Bound of ids. They are dense in every file of gaspdb. */
#define MAX_ID ((int64_t)1 << 28)

static const char *const type_names[] = {
#define TYPE(ident, category, doc) #ident,
#include "collector/events/types.tbl.h"
};

static enum gaspdb_type type_of(const char *name)
{
	int i = 0;

	while (i < GASPDB_N_TYPES && strcmp(name, type_names[i]) != 0)
		i++;
	return (enum gaspdb_type)i;
}

/* The largest id of a table plus 1; 0: failed. */
static int64_t id_limit(struct gaspdb_run *run, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, sql);
	int64_t limit = 0;

	if (gaspdb_row(run, stmt))
		limit = sqlite3_column_int64(stmt, 0) + 1;
	sqlite3_finalize(stmt);
	if (run->status == GASPDB_OK && (limit < 0 || limit > MAX_ID))
		run->status = gaspdb_fail(run->err, GASPDB_FAILED,
					  "the ids of threads or sources are "
					  "not dense");
	return run->status == GASPDB_OK ? limit : 0;
}

static void load_threads(struct gaspdb_run *run)
{
	int64_t n = id_limit(run, gaspdb_sql_last_thread);
	const struct gaspdb_run_thread *before = NULL;
	sqlite3_stmt *stmt;

	run->threads = gaspdb_zeroed(run, (size_t)n, sizeof(*run->threads));
	if (!run->threads)
		return;
	for (int64_t i = 0; i < n; i++)
		run->threads[i].process = -1;
	run->n_threads = n;
	stmt = gaspdb_prepare(run, gaspdb_sql_threads);
	while (gaspdb_row(run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);
		struct gaspdb_run_thread *t = &run->threads[id];

		t->rank = gaspdb_column(stmt, 1);
		/* Threads are in the order of their ranks. */
		t->process = before && t->rank != GASPDB_NONE &&
					     t->rank == before->rank
				     ? before->process
				     : id;
		t->first_ns = gaspdb_column(stmt, 2);
		t->last_ns = gaspdb_column(stmt, 3);
		t->first_event = gaspdb_column(stmt, 4);
		t->last_event = gaspdb_column(stmt, 5);
		t->to_the_end = sqlite3_column_int(stmt, 6);
		before = t;
	}
	sqlite3_finalize(stmt);
}

static void mark_gaps(struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_ended_recordings);

	while (gaspdb_row(run, stmt)) {
		const struct gaspdb_run_thread *t =
			gaspdb_run_thread(run, sqlite3_column_int64(stmt, 0));
		struct gaspdb_run_thread *process =
			t ? &run->threads[t->process] : NULL;

		if (process && sqlite3_column_int(stmt, 1))
			process->damage_end_ns =
				gaspdb_max(process->damage_end_ns,
					   sqlite3_column_int64(stmt, 2));
		else if (process)
			process->stopped = true;
	}
	sqlite3_finalize(stmt);
}

static void load_sources(struct gaspdb_run *run)
{
	int64_t n = id_limit(run, gaspdb_sql_last_source);
	sqlite3_stmt *stmt;

	run->sources = gaspdb_zeroed(run, (size_t)n, sizeof(*run->sources));
	if (!run->sources)
		return;
	for (int64_t i = 0; i < n; i++)
		run->sources[i].operation = -1;
	run->n_sources = n;
	stmt = gaspdb_prepare(run, gaspdb_sql_sources);
	while (gaspdb_row(run, stmt)) {
		struct gaspdb_run_source *s =
			&run->sources[sqlite3_column_int64(stmt, 0)];

		s->operation = sqlite3_column_int64(stmt, 1);
		s->type = type_of((const char *)sqlite3_column_text(stmt, 2));
		s->synchronizes = sqlite3_column_int(stmt, 3);
		s->call = sqlite3_column_int(stmt, 4);
		s->allocates = sqlite3_column_int(stmt, 5);
		s->blocking_access = sqlite3_column_int(stmt, 6);
		s->allocates_with_all = sqlite3_column_int(stmt, 7);
		s->writes = sqlite3_column_int(stmt, 8);
		s->computes = sqlite3_column_int(stmt, 9);
		s->keeps_time = sqlite3_column_int(stmt, 10);
	}
	sqlite3_finalize(stmt);
}

static void count_pages(void *run, unsigned n)
{
	gaspdb_run_count_pages(run, n);
}

void gaspdb_run_open(struct gaspdb_run *run, sqlite3 *db,
		     struct gaspdb_error *err)
{
	*run = (struct gaspdb_run){ .db = db, .err = err };
	run->tables = (struct gaspdb_tables){ .db = db,
					      .err = err,
					      .status = &run->status,
					      .on_pages = count_pages,
					      .user = run };
	load_threads(run);
	mark_gaps(run);
	load_sources(run);
}

enum gaspdb_status gaspdb_run_close(struct gaspdb_run *run)
{
	gaspdb_table_writer_finish(&run->tables);
	gaspdb_shared_rows_free(&run->shared);
	sqlite3_finalize(run->quality);
	free(run->threads);
	free(run->sources);
	return run->status;
}
