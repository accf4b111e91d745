/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pointer-to-shared is what the compiler makes it.  As bits it tells what is
 * the same, which is all that is needed here, but not what lies side by side.
 */
#include "analysis/access_arguments.h"

#include <stdlib.h>

/* Bits. */
enum { RELAXED = 1, LOW = 2, HIGH = 4 };

static int64_t count_arguments(struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		run, "SELECT coalesce(max(id), -1) + 1 FROM argument");
	const int64_t n =
		gaspdb_row(run, stmt) ? sqlite3_column_int64(stmt, 0) : 0;

	sqlite3_finalize(stmt);
	return n;
}

static void load(struct gaspdb_access_arguments *a, struct gaspdb_run *run)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		run, "SELECT a.id, s.id, CASE a.name WHEN 'relaxed' THEN 1 "
		     "WHEN 'source' THEN 2 ELSE 4 END FROM argument a "
		     "JOIN operation o ON o.id = a.operation_id "
		     "JOIN source s ON s.operation_id = o.id "
		     "WHERE a.id >= 0 AND s.id >= 0 AND "
		     "(a.name = 'relaxed' AND o.type IN ('get', 'put') OR "
		     "a.name IN ('source', 'source_high') AND o.type = 'get' "
		     "AND o.model = 'UPC')");

	while (gaspdb_row(run, stmt)) {
		const unsigned char bit =
			(unsigned char)sqlite3_column_int(stmt, 2);

		a->what[sqlite3_column_int64(stmt, 0)] = bit;
		a->declares[sqlite3_column_int64(stmt, 1)] |= bit;
	}
	sqlite3_finalize(stmt);
}

void gaspdb_access_arguments_open(struct gaspdb_access_arguments *a,
				  struct gaspdb_run *run)
{
	*a = (struct gaspdb_access_arguments){ .n = count_arguments(run) };
	a->declares = gaspdb_zeroed(run, (size_t)run->n_sources, 1);
	a->what = gaspdb_zeroed(run, (size_t)a->n, 1);
	gaspdb_cursor_open(&a->rows, run, "event_arg",
			   GASPDB_EVENT_ARG_COLUMNS);
	if (a->declares && a->what)
		load(a, run);
}

bool gaspdb_access_tells_strict(const struct gaspdb_access_arguments *a,
				int64_t source)
{
	return a->declares && a->declares[source] & RELAXED;
}

/* One number of the pointer's two; NULL is none. */
static int64_t word_of(uint64_t low, uint64_t high)
{
	const int64_t word = (int64_t)(low ^ high * 0x9e3779b97f4a7c15u);

	return low || high ? word : GASPDB_NONE;
}

struct gaspdb_access_told gaspdb_access_told(struct gaspdb_access_arguments *a,
					     const struct gaspdb_event *e)
{
	struct gaspdb_access_told told = { false, GASPDB_NONE };
	const int64_t first = e->id * GASPDB_ARGS_OF_EVENT;
	unsigned left = a->declares ? a->declares[e->source] : 0;
	uint64_t low = 0, high = 0;
	const int64_t *row;

	if (!left)
		return told;
	for (row = gaspdb_cursor_seek(&a->rows, first);
	     left && row &&
	     row[GASPDB_EVENT_ARG_ID] < first + GASPDB_ARGS_OF_EVENT;
	     row = gaspdb_cursor_seek(&a->rows, row[GASPDB_EVENT_ARG_ID] + 1)) {
		const int64_t id = row[GASPDB_EVENT_ARG_ARGUMENT];
		const unsigned what = id >= 0 && id < a->n ? a->what[id] : 0;

		if (!(left & what))
			continue; /* of a start and an end, that at the start */
		left &= ~what;
		if (what == RELAXED)
			told.strict = row[GASPDB_EVENT_ARG_VALUE] == 0;
		else
			*(what == LOW ? &low : &high) =
				(uint64_t)row[GASPDB_EVENT_ARG_VALUE];
	}
	told.word = word_of(low, high);
	return told;
}

void gaspdb_access_arguments_close(struct gaspdb_access_arguments *a)
{
	gaspdb_cursor_close(&a->rows);
	free(a->declares);
	free(a->what);
}
