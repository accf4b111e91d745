/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making of a database: the importer fills the store, the passes analyze it,
   and it gets its name. */
#include "cli/import/make.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "analysis/passes.h"
#include "cli/database/words.h"
#include "cli/import/forecast.h"
#include "collector/log/log_format.h"
#include "common/interrupt.h"
#include "common/memory.h"
#include "importer/input/input.h"
#include "sql/sql.h"

struct making {
	const struct gaspdb_make_options *options;
	struct gaspdb_import_options import;
	struct gaspdb_made *made;
	struct gaspdb_diagnostics diagnostics; /* if the caller has none */
	struct gaspdb_forecast forecast;
	struct gaspdb_store *store;
};

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Number of processors that this process may use. */
static unsigned processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof set, &set)
		       ? 1
		       : (unsigned)CPU_COUNT(&set);
}

/* Refuses to replace a recording, also with --force. */
static enum gaspdb_status spare_recording(const struct gaspdb_make_options *o,
					  struct gaspdb_error *err)
{
	char head[sizeof GASPDB_LOG_MAGIC - 1] = "";
	struct stat out, in;
	FILE *f;

	if (stat(o->output, &out) || !S_ISREG(out.st_mode))
		return GASPDB_OK;
	f = gaspdb_input_file(o->output);
	if (f) {
		fread(head, 1, sizeof head, f);
		fclose(f);
	}
	if (memcmp(head, GASPDB_LOG_MAGIC, sizeof head) &&
	    (stat(o->import.run, &in) || in.st_dev != out.st_dev ||
	     in.st_ino != out.st_ino))
		return GASPDB_OK;
	return gaspdb_fail(err, GASPDB_FAILED,
			   "'%s' is a recording: it is not replaced",
			   o->output);
}

static enum gaspdb_status analyze(struct making *m, struct gaspdb_error *err)
{
	const struct gaspdb_passes_watch watch = {
		.report = gaspdb_forecast_pass,
		.user = &m->forecast,
		.rows = m->made->import.rows
	};
	const uint64_t start_ns = now_ns();
	const enum gaspdb_status status =
		gaspdb_run_passes(gaspdb_store_db(m->store),
				  m->options->progress ? &watch : NULL, err);

	m->made->passes_ns = now_ns() - start_ns;
	return status ? gaspdb_store_fail_named(m->store, err) : GASPDB_OK;
}

static int64_t column(sqlite3_stmt *stmt, int i)
{
	return sqlite3_column_type(stmt, i) == SQLITE_NULL
		       ? GASPDB_NULL
		       : sqlite3_column_int64(stmt, i);
}

static const char *text(sqlite3_stmt *stmt, int i)
{
	return (const char *)sqlite3_column_text(stmt, i);
}

/* Adds the defects found by passes: rows of quality after the import's. */
static void add_found(struct making *m)
{
	static const char sql[] =
		"SELECT q.kind, t.rank, q.file, q.offset, q.count, q.detail, "
		"t.model "
		"FROM quality q LEFT JOIN thread t ON t.id = q.thread_id "
		"WHERE q.id > ? ORDER BY q.id";
	struct gaspdb_diagnostics *diagnostics = m->import.diagnostics;
	sqlite3_stmt *stmt = NULL;

	if (!sqlite3_prepare_v2(gaspdb_store_db(m->store), sql, -1, &stmt,
				NULL))
		sqlite3_bind_int64(stmt, 1, m->made->import.defects);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW)
		gaspdb_diagnostics_add(
			diagnostics, gaspdb_quality_find(text(stmt, 0)),
			column(stmt, 1), text(stmt, 6),
			&(struct gaspdb_defect){
				.file = text(stmt, 2),
				.offset =
					(uint64_t)sqlite3_column_int64(stmt, 3),
				.count =
					(uint64_t)sqlite3_column_int64(stmt, 4),
				.detail = text(stmt, 5) });
	sqlite3_finalize(stmt);
	m->made->import.losses = diagnostics->losses;
}

static void name_members(struct making *m)
{
	sqlite3 *db = gaspdb_store_db(m->store);
	char *views = gaspdb_views_words();
	struct gaspdb_run_words words;

	sqlite3_exec(db, views ? views : "", NULL, NULL, NULL);
	sqlite3_free(views);
	gaspdb_run_words_read(db, &words);
	snprintf(m->made->members, sizeof m->made->members, "%s",
		 gaspdb_run_words_threads(
			 &words, (int64_t)m->made->import.threads));
	gaspdb_run_words_free(&words);
}

static enum gaspdb_status make(void *user, struct gaspdb_error *err)
{
	struct making *m = user;
	const struct gaspdb_make_options *o = m->options;

	if (spare_recording(o, err) ||
	    gaspdb_store_open(&m->store, o->output, o->force,
			      o->by_inserts ? GASPDB_WRITER_INSERTS
					    : GASPDB_WRITER_PAGES,
			      m->import.jobs > 1, err) ||
	    gaspdb_import(m->store, &m->import, &m->made->import, err) ||
	    analyze(m, err))
		return GASPDB_FAILED;
	add_found(m);
	name_members(m);
	gaspdb_forecast_left(&m->forecast, "finishing", 0);
	return gaspdb_store_finish(m->store, err);
}

/* Sets up the import, with the forecast as its progress callback. */
static void set_up(struct making *m)
{
	const struct gaspdb_make_options *o = m->options;

	m->import = o->import;
	m->import.progress = o->progress ? gaspdb_forecast_import : NULL;
	m->import.user = &m->forecast;
	if (!m->import.jobs)
		m->import.jobs = processors();
	if (!m->import.diagnostics)
		m->import.diagnostics = &m->diagnostics;
	m->forecast.report = o->progress;
	m->forecast.user = o->user;
	gaspdb_forecast_init(&m->forecast, now_ns);
}

enum gaspdb_status gaspdb_make(const struct gaspdb_make_options *options,
			       struct gaspdb_made *made,
			       struct gaspdb_error *err)
{
	struct making m = { .options = options, .made = made };
	struct gaspdb_interrupts interrupts;
	enum gaspdb_status status;

	memset(made, 0, sizeof *made);
	set_up(&m);
	gaspdb_interrupts_catch(&interrupts);
	status = gaspdb_mem_try(make, &m, err);
	gaspdb_store_close(m.store);
	gaspdb_diagnostics_free(&m.diagnostics);
	gaspdb_interrupts_release(&interrupts);
	return status;
}
