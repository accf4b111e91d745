/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cursor over table gap in the order of threads and time. */
#include "analysis/engine/thread_gaps.h"

#include "sql/passes/engine.h"

typedef struct gaspdb_thread_gaps gaps;

static void read_next(gaps *g)
{
	g->thread = INT64_MAX;
	if (!gaspdb_row(g->run, g->stmt))
		return;
	g->thread = sqlite3_column_int64(g->stmt, 0);
	g->start_ns = sqlite3_column_int64(g->stmt, 1);
	g->end_ns = sqlite3_column_int64(g->stmt, 2);
}

void gaspdb_thread_gaps_open(gaps *g, struct gaspdb_run *run)
{
	*g = (gaps){ .run = run };
	g->stmt = gaspdb_prepare(run, gaspdb_sql_gaps);
	read_next(g);
}

int64_t gaspdb_thread_gaps_at(gaps *g, int64_t thread, int64_t at_ns,
			      bool *in_gap)
{
	while (g->thread < thread ||
	       (g->thread == thread && g->end_ns <= at_ns))
		read_next(g);
	*in_gap = g->thread == thread && g->start_ns <= at_ns;
	if (g->thread != thread)
		return INT64_MAX;
	return *in_gap ? g->end_ns : g->start_ns;
}

void gaspdb_thread_gaps_close(gaps *g)
{
	sqlite3_finalize(g->stmt);
}
