/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The n-th collective allocation of each thread is one lock, if all of them
 * are in the logs.  Of locks that one thread allocates only the number of
 * allocations of a pointer matters, so that clocks do not.
 */
#include "analysis/locks/identity.h"

#include <stdlib.h>

#include "analysis/engine/quality.h"
#include "sql/passes/locks.h"

typedef struct gaspdb_lock_identity identity;

enum { ORDINAL, OBJECT, EVENT, THREAD, TOGETHER_COLUMNS };
enum { ALONE_OBJECT, ALONE_EVENT, ALONE_THREAD, COUNT, ALONE_COLUMNS };

void gaspdb_lock_identity_open(identity *l, struct gaspdb_run *run)
{
	*l = (identity){ .run = run, .thread = GASPDB_NONE };
	gaspdb_sorter_init(&l->together, run, TOGETHER_COLUMNS, EVENT + 1);
	gaspdb_sorter_init(&l->alone, run, ALONE_COLUMNS, ALONE_EVENT + 1);
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
			gaspdb_sorter_add(&l->together,
					  (int64_t[]){ ordinal, e->object,
						       e->id, e->thread });
	} else if (e->object != GASPDB_NONE &&
		   (type == GASPDB_TYPE_lock_alloc ||
		    type == GASPDB_TYPE_lock_free)) {
		gaspdb_sorter_add(
			&l->alone,
			(int64_t[]){ e->object, e->id, e->thread,
				     type == GASPDB_TYPE_lock_alloc ? 1 : -1 });
	}
}

/* Is every thread's n-th allocation its n-th call?  Nothing was left out. */
static bool counts_all(identity *l)
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

/* Nothing, if n is 0. */
static void tell(identity *l, int64_t event, int64_t thread, int64_t n,
		 const char *detail)
{
	if (n)
		gaspdb_quality_add(l->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_QUALITY_LOCK_POINTERS,
					   .thread = thread,
					   .event = event,
					   .count = n,
					   .bytes = GASPDB_NONE,
					   .time_ns = GASPDB_NONE },
				   "%s", detail);
}

/* Collective allocations that gave threads different pointers. */
static void check_together(identity *l)
{
	int64_t ordinal = GASPDB_NONE, object = 0, n = 0;
	int64_t last = GASPDB_NONE, found[2] = { 0 };
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&l->together))) {
		if (row[ORDINAL] != ordinal) {
			ordinal = row[ORDINAL];
			object = row[OBJECT];
		} else if (row[OBJECT] != object && last != ordinal) {
			last = ordinal;
			if (!n++) {
				found[0] = row[EVENT];
				found[1] = row[THREAD];
			}
		}
	}
	tell(l, found[0], found[1], n,
	     "collective allocations that gave the threads different pointers "
	     "for one lock");
}

/* Pointers that were given to more callers than were freed, and one. */
static void check_alone(identity *l)
{
	int64_t object = GASPDB_NONE, live = 0, n = 0, found[2] = { 0 };
	int64_t event = 0, thread = 0;
	const int64_t *row;

	do {
		row = gaspdb_sorter_next(&l->alone);
		if (live > 1 && (!row || row[ALONE_OBJECT] != object)) {
			if (!n) {
				found[0] = event;
				found[1] = thread;
			}
			n += live - 1;
		}
		if (!row)
			break;
		if (row[ALONE_OBJECT] != object)
			live = 0;
		object = row[ALONE_OBJECT];
		live += row[COUNT];
		event = row[ALONE_EVENT];
		thread = row[ALONE_THREAD];
	} while (true);
	tell(l, found[0], found[1], n,
	     "allocations that gave the pointer of a lock that was not freed");
}

/* The collector noticed that pointers are shorter than it was built for. */
static void tell_packed(identity *l)
{
	sqlite3_stmt *stmt = gaspdb_prepare(l->run, gaspdb_sql_packed_pointers);

	if (gaspdb_row(l->run, stmt))
		tell(l, GASPDB_NONE, gaspdb_column(stmt, 0),
		     gaspdb_column(stmt, 1),
		     "the collector was built with UPC_PTS_SIZE=16, and only "
		     "the first 8 bytes of pointers-to-shared make sense: the "
		     "others were left out");
	sqlite3_finalize(stmt);
}

void gaspdb_lock_identity_close(identity *l)
{
	tell_packed(l);
	if (counts_all(l)) {
		check_together(l);
		check_alone(l);
	}
	gaspdb_sorter_fini(&l->together);
	gaspdb_sorter_fini(&l->alone);
}
