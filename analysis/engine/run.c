/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common services of passes: statements, memory, threads and sources. */
#include "analysis/engine/run.h"

#include <stdlib.h>
#include <string.h>

#include "sql/passes/engine.h"

static void fail(struct gaspdb_run *run, const char *what)
{
	const char *why = sqlite3_errmsg(run->db);
	const int code = sqlite3_extended_errcode(run->db);

	if (run->status != GASPDB_OK)
		return;
	if (code == SQLITE_FULL || code == SQLITE_IOERR_WRITE)
		run->status = gaspdb_fail(
			run->err, GASPDB_FAILED, "cannot write '%s': %s",
			sqlite3_db_filename(run->db, "main"), why);
	else
		run->status = gaspdb_fail(run->err, GASPDB_FAILED, "%s: %s",
					  what, why);
}

static void fail_memory(struct gaspdb_run *run)
{
	if (run->status == GASPDB_OK)
		run->status = gaspdb_fail(run->err, GASPDB_FAILED,
					  "out of memory in an analysis");
}

void gaspdb_run_interrupted(struct gaspdb_run *run)
{
	if (run->status == GASPDB_OK)
		run->status =
			gaspdb_fail(run->err, GASPDB_FAILED, "interrupted");
}

void gaspdb_exec(struct gaspdb_run *run, const char *sql)
{
	if (run->status == GASPDB_OK &&
	    sqlite3_exec(run->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(run, "analysis");
}

sqlite3_stmt *gaspdb_prepare(struct gaspdb_run *run, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (run->status == GASPDB_OK &&
	    sqlite3_prepare_v2(run->db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(run, "analysis");
	return stmt;
}

bool gaspdb_row(struct gaspdb_run *run, sqlite3_stmt *stmt)
{
	if (run->status != GASPDB_OK)
		return false;
	switch (sqlite3_step(stmt)) {
	case SQLITE_ROW:
		return true;
	case SQLITE_DONE:
		return false;
	default:
		fail(run, "analysis");
		return false;
	}
}

int64_t gaspdb_select_number(struct gaspdb_run *run, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, sql);
	int64_t n = 0;

	if (gaspdb_row(run, stmt))
		n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return n;
}

int64_t gaspdb_column(sqlite3_stmt *stmt, int column)
{
	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return GASPDB_NONE;
	return sqlite3_column_int64(stmt, column);
}

void gaspdb_bind(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		 const int64_t *values)
{
	if (run->status != GASPDB_OK)
		return;
	sqlite3_reset(stmt);
	for (size_t i = 0; i < n; i++) {
		int rc = values[i] == GASPDB_NONE
				 ? sqlite3_bind_null(stmt, (int)i + 1)
				 : sqlite3_bind_int64(stmt, (int)i + 1,
						      values[i]);
		if (rc != SQLITE_OK)
			fail(run, "analysis");
	}
}

void gaspdb_write_texts(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
			const int64_t *values, size_t n_texts,
			const char *const *texts)
{
	gaspdb_bind(run, stmt, n, values);
	for (size_t i = 0; i < n_texts && run->status == GASPDB_OK; i++)
		if (sqlite3_bind_text(stmt, (int)(n + i) + 1, texts[i], -1,
				      SQLITE_TRANSIENT) != SQLITE_OK)
			fail(run, "analysis");
	gaspdb_row(run, stmt);
	sqlite3_reset(stmt);
}

void gaspdb_write(struct gaspdb_run *run, sqlite3_stmt *stmt, size_t n,
		  const int64_t *values, const char *text)
{
	gaspdb_write_texts(run, stmt, n, values, text != NULL, &text);
}

void *gaspdb_resized(struct gaspdb_run *run, void *array, size_t n, size_t size)
{
	void *resized;

	if (run->status != GASPDB_OK)
		return NULL;
	resized = reallocarray(array, n, size);
	if (!resized)
		fail_memory(run);
	return resized;
}

bool gaspdb_grow_now(struct gaspdb_run *run, void *array, size_t *room,
		     size_t size)
{
	void *old, *bigger;

	memcpy(&old, array, sizeof(old));
	bigger = gaspdb_resized(run, old, *room ? *room * 2 : 64, size);
	if (!bigger)
		return false;
	memcpy(array, &bigger, sizeof(bigger));
	*room = *room ? *room * 2 : 64;
	return true;
}

void *gaspdb_zeroed(struct gaspdb_run *run, size_t n, size_t size)
{
	void *p;

	if (run->status != GASPDB_OK)
		return NULL;
	p = calloc(n ? n : 1, size);
	if (!p)
		fail_memory(run);
	return p;
}

bool gaspdb_map_grow(struct gaspdb_run *run, struct gaspdb_map *map)
{
	if (run->status == GASPDB_OK && !gaspdb_map_reserve(map))
		fail_memory(run);
	return run->status == GASPDB_OK;
}

const struct gaspdb_run_thread *gaspdb_run_thread(const struct gaspdb_run *run,
						  int64_t id)
{
	if (id < 0 || id >= run->n_threads || run->threads[id].process < 0)
		return NULL;
	return &run->threads[id];
}

bool gaspdb_moves_data_of_all(enum gaspdb_type type)
{
	switch (type) {
	case GASPDB_TYPE_broadcast:
	case GASPDB_TYPE_scatter:
	case GASPDB_TYPE_gather:
	case GASPDB_TYPE_reduce:
	case GASPDB_TYPE_all_to_all:
	case GASPDB_TYPE_exchange:
	case GASPDB_TYPE_scan:
		return true;
	default:
		return false;
	}
}

bool gaspdb_counts_by_order(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_barrier || type == GASPDB_TYPE_notify ||
	       type == GASPDB_TYPE_barrier_wait ||
	       gaspdb_moves_data_of_all(type);
}

/* May a call of this type receive a message, and so depend on its sender? */
static bool may_receive(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_receive ||
	       type == GASPDB_TYPE_send_receive || type == GASPDB_TYPE_wait ||
	       type == GASPDB_TYPE_test;
}

bool gaspdb_source_separates(const struct gaspdb_run_source *source)
{
	return source->synchronizes || source->allocates_with_all ||
	       source->type == GASPDB_TYPE_neighbor ||
	       may_receive(source->type) ||
	       gaspdb_moves_data_of_all(source->type);
}

bool gaspdb_is_of_nothing(enum gaspdb_type type, int64_t bytes, int64_t address,
			  int64_t old_address)
{
	if (type == GASPDB_TYPE_shared_alloc)
		return bytes == 0 &&
		       (old_address == 0 || old_address == GASPDB_NONE);
	return type == GASPDB_TYPE_shared_free && address == 0;
}

int64_t gaspdb_run_process(const struct gaspdb_run *run, int64_t thread)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(run, thread);

	return t ? t->process : GASPDB_NONE;
}

bool gaspdb_run_damaged_after(const struct gaspdb_run *run, int64_t thread,
			      int64_t at_ns)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(run, thread);

	return t && run->threads[t->process].damage_end_ns > at_ns;
}

int64_t gaspdb_run_processes(const struct gaspdb_run *run)
{
	int64_t n = 0;

	for (int64_t i = 0; i < run->n_threads; i++)
		n += run->threads[i].process == i;
	return n;
}

/* Threads are in the order of their ranks; threads without a rank are last. */
int64_t gaspdb_run_rank(const struct gaspdb_run *run, int64_t rank)
{
	int64_t first = 0, n = run->n_threads;

	while (n > 0) {
		const int64_t at = run->threads[first + n / 2].rank;

		if (at != GASPDB_NONE && at < rank) {
			first += n / 2 + 1;
			n -= n / 2 + 1;
		} else {
			n /= 2;
		}
	}
	return rank != GASPDB_NONE && first < run->n_threads &&
			       run->threads[first].rank == rank
		       ? first
		       : GASPDB_NONE;
}

bool *gaspdb_run_masked(struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, gaspdb_sql_masked_threads);
	bool *masked =
		gaspdb_zeroed(run, (size_t)run->n_threads, sizeof *masked);

	while (masked && gaspdb_row(run, stmt))
		if (gaspdb_run_thread(run, sqlite3_column_int64(stmt, 0)))
			masked[sqlite3_column_int64(stmt, 0)] = true;
	sqlite3_finalize(stmt);
	return masked;
}

bool gaspdb_run_has(const struct gaspdb_run *run, const enum gaspdb_type *types,
		    size_t n_types)
{
	for (int64_t i = 0; i < run->n_sources; i++)
		for (size_t t = 0; t < n_types; t++)
			if (run->sources[i].operation >= 0 &&
			    run->sources[i].type == types[t])
				return true;
	return false;
}
