/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lock pointers by allocation. If the logs are complete, the n-th collective
 * allocation of each thread is the same lock. For locks of a single caller the
 * check counts live allocations of each pointer in the order of event ids,
 * which does not depend on clocks.
 */
#include "analysis/locks/identity.h"

#include <stdlib.h>

#include "analysis/engine/quality.h"
#include "sql/passes/locks.h"

typedef struct gaspdb_lock_identity identity;

enum { ORDINAL, OBJECT, EVENT, THREAD, COLLECTIVE_COLUMNS };
enum { SINGLE_OBJECT, SINGLE_EVENT, SINGLE_THREAD, COUNT, SINGLE_COLUMNS };

void gaspdb_lock_identity_open(identity *l, struct gaspdb_run *run)
{
	*l = (identity){ .run = run, .thread = GASPDB_NONE };
	gaspdb_sorter_init(&l->collective, run, COLLECTIVE_COLUMNS, EVENT + 1);
	gaspdb_sorter_init(&l->single, run, SINGLE_COLUMNS, SINGLE_EVENT + 1);
}

void gaspdb_lock_identity_consume(identity *l, const struct gaspdb_event *e,
				  enum gaspdb_type type)
{
	if (e->thread != l->thread) {
		l->thread = e->thread;
		l->ordinal = 0;
	}
	if (type == GASPDB_TYPE_lock_alloc_all) {
		const int64_t ordinal = l->ordinal++;

		if (e->object != GASPDB_NONE)
			gaspdb_sorter_add(&l->collective,
					  (int64_t[]){ ordinal, e->object,
						       e->id, e->thread });
	} else if (e->object != GASPDB_NONE &&
		   (type == GASPDB_TYPE_lock_alloc ||
		    type == GASPDB_TYPE_lock_free)) {
		gaspdb_sorter_add(
			&l->single,
			(int64_t[]){ e->object, e->id, e->thread,
				     type == GASPDB_TYPE_lock_alloc ? 1 : -1 });
	}
}

/* Do the logs have all allocations, without gaps or masked calls? */
static bool is_complete(identity *l)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(l->run, gaspdb_sql_any_unrecorded_gap);
	bool *masked = gaspdb_run_masked(l->run);
	bool all = !gaspdb_row(l->run, stmt);

	for (int64_t i = 0; masked && i < l->run->n_threads; i++)
		all = all && !masked[i];
	free(masked);
	sqlite3_finalize(stmt);
	return all;
}

static const struct gaspdb_quality_row no_defect = {
	.kind = GASPDB_QUALITY_LOCK_POINTERS,
	.bytes = GASPDB_NONE,
	.time_ns = GASPDB_NONE
};

static void write_defects(identity *l, const struct gaspdb_quality_row *defects,
			  const char *detail)
{
	if (defects->count)
		gaspdb_quality_add(l->run, defects, "%s", detail);
}

/* Find collective allocations that returned different pointers to threads. */
static void check_collective(identity *l)
{
	struct gaspdb_quality_row defects = no_defect;
	int64_t ordinal = GASPDB_NONE, last = GASPDB_NONE, object = 0;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&l->collective))) {
		if (row[ORDINAL] != ordinal) {
			ordinal = row[ORDINAL];
			object = row[OBJECT];
		} else if (row[OBJECT] != object && last != ordinal) {
			last = ordinal;
			gaspdb_quality_count(&defects, row[THREAD], row[EVENT],
					     0);
		}
	}
	write_defects(l, &defects,
		      "collective allocations that gave the threads different "
		      "pointers for one lock");
}

/* Find pointers that were allocated again while they were not freed. */
static void check_single(identity *l)
{
	struct gaspdb_quality_row defects = no_defect;
	int64_t object = GASPDB_NONE, live = 0, event = 0, thread = 0;
	const int64_t *row;

	do {
		row = gaspdb_sorter_next(&l->single);
		if (live > 1 && (!row || row[SINGLE_OBJECT] != object)) {
			gaspdb_quality_count(&defects, thread, event, 0);
			defects.count += live - 2;
		}
		if (!row)
			break;
		if (row[SINGLE_OBJECT] != object)
			live = 0;
		object = row[SINGLE_OBJECT];
		live += row[COUNT];
		event = row[SINGLE_EVENT];
		thread = row[SINGLE_THREAD];
	} while (true);
	write_defects(
		l, &defects,
		"allocations that gave the pointer of a lock that was not freed");
}

/* Report threads where the collector found pointers shorter than it was built
   for. */
static void report_packed(identity *l)
{
	sqlite3_stmt *stmt = gaspdb_prepare(l->run, gaspdb_sql_packed_pointers);
	struct gaspdb_quality_row defects = no_defect;

	if (gaspdb_row(l->run, stmt)) {
		defects.event = GASPDB_NONE;
		defects.thread = gaspdb_column(stmt, 0);
		defects.count = gaspdb_column(stmt, 1);
	}
	sqlite3_finalize(stmt);
	write_defects(
		l, &defects,
		"the collector was built with UPC_PTS_SIZE=16, and only the "
		"first 8 bytes of pointers-to-shared make sense: the others "
		"were left out");
}

void gaspdb_lock_identity_close(identity *l)
{
	report_packed(l);
	if (is_complete(l)) {
		check_collective(l);
		check_single(l);
	}
	gaspdb_sorter_fini(&l->collective);
	gaspdb_sorter_fini(&l->single);
}
