/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Unrecorded intervals, sorted and merged where they touch. "All" is an
   additional process. */
#include "analysis/engine/unrecorded.h"

#include <stdlib.h>

#include "common/sum.h"
#include "sql/passes/engine.h"

enum { LIMIT = 1 << 20 };
enum { PROCESS, START, END };

typedef struct gaspdb_unrecorded intervals;

/* --- reading -------------------------------------------------------------- */

static void add_gap(intervals *a, struct gaspdb_sorter *sorter, int64_t thread,
		    int64_t start_ns, int64_t end_ns)
{
	const int64_t process = gaspdb_run_process(a->run, thread);

	if (process == GASPDB_NONE || end_ns <= start_ns)
		return;
	gaspdb_sorter_add(sorter, (int64_t[]){ process, start_ns, end_ns });
	gaspdb_sorter_add(sorter, (int64_t[]){ GASPDB_NONE, start_ns, end_ns });
}

static void add_gaps(intervals *a, struct gaspdb_sorter *sorter,
		     const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(a->run, sql);

	while (gaspdb_row(a->run, stmt)) {
		const int64_t end_ns = gaspdb_column(stmt, 2);

		add_gap(a, sorter, sqlite3_column_int64(stmt, 0),
			sqlite3_column_int64(stmt, 1),
			end_ns == GASPDB_NONE ? INT64_MAX : end_ns);
	}
	sqlite3_finalize(stmt);
}

/* Merge each pair of neighbours of one process. */
static void merge_pairs(intervals *a)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const bool pair = i + 1 < a->n &&
				  a->rows[i].process == a->rows[i + 1].process;

		a->rows[n] = a->rows[i];
		if (pair)
			a->rows[n].end_ns = a->rows[++i].end_ns;
		n++;
	}
	a->n = n;
	a->full = n + n / 2 < a->limit ? a->limit : n + n / 2 + 1;
}

static void add(intervals *a, const int64_t *row)
{
	struct gaspdb_unrecorded_interval *last =
		a->n ? &a->rows[a->n - 1] : NULL;

	if (last && last->process == row[PROCESS] &&
	    row[START] <= last->end_ns) {
		last->end_ns = gaspdb_max(last->end_ns, row[END]);
		return;
	}
	if (a->n >= a->full)
		merge_pairs(a);
	if (gaspdb_grow(a->run, &a->rows, a->n, &a->room, sizeof *a->rows))
		a->rows[a->n++] = (struct gaspdb_unrecorded_interval){
			.process = row[PROCESS],
			.start_ns = row[START],
			.end_ns = row[END]
		};
}

static void set_sums(intervals *a)
{
	for (size_t i = 1; i < a->n; i++)
		if (a->rows[i].process == a->rows[i - 1].process)
			a->rows[i].before_ns = a->rows[i - 1].before_ns +
					       a->rows[i - 1].end_ns -
					       a->rows[i - 1].start_ns;
}

void gaspdb_unrecorded_open(intervals *a, struct gaspdb_run *run, size_t limit,
			    struct gaspdb_sorter *more)
{
	struct gaspdb_sorter sorter;
	const int64_t *row;

	*a = (intervals){ .run = run, .limit = limit ? limit : LIMIT };
	a->full = a->limit;
	gaspdb_sorter_init(&sorter, run, GASPDB_UNRECORDED_COLUMNS,
			   GASPDB_UNRECORDED_COLUMNS);
	add_gaps(a, &sorter, gaspdb_sql_unended_threads);
	add_gaps(a, &sorter, gaspdb_sql_unrecorded_gaps);
	while (more && (row = gaspdb_sorter_next(more)))
		gaspdb_sorter_add(&sorter, row);
	while ((row = gaspdb_sorter_next(&sorter)))
		add(a, row);
	gaspdb_sorter_fini(&sorter);
	set_sums(a);
}

void gaspdb_unrecorded_close(intervals *a)
{
	free(a->rows);
}

/* --- queries -------------------------------------------------------------- */

/* The first interval of the process that ends after at_ns; all earlier rows end
   by then or belong to earlier processes. */
static size_t find(const intervals *a, int64_t process, int64_t at_ns)
{
	size_t low = 0, high = a->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct gaspdb_unrecorded_interval *row = &a->rows[middle];

		if (row->process < process ||
		    (row->process == process && row->end_ns <= at_ns))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Row i, if it belongs to the process. */
static const struct gaspdb_unrecorded_interval *
row_of(const intervals *a, int64_t process, size_t i)
{
	return i < a->n && a->rows[i].process == process ? &a->rows[i] : NULL;
}

bool gaspdb_unrecorded_at(const intervals *a, int64_t process, int64_t at_ns,
			  int64_t *until_ns)
{
	const struct gaspdb_unrecorded_interval *row =
		row_of(a, process, find(a, process, at_ns));
	const bool unrecorded = row && row->start_ns <= at_ns;

	*until_ns = unrecorded ? row->end_ns : row ? row->start_ns : INT64_MAX;
	return unrecorded;
}

/* Unrecorded time of a process up to at_ns. */
static int64_t total(const intervals *a, int64_t process, int64_t at_ns)
{
	const size_t i = find(a, process, at_ns);
	const struct gaspdb_unrecorded_interval *row = row_of(a, process, i);
	const struct gaspdb_unrecorded_interval *before =
		i > 0 ? row_of(a, process, i - 1) : NULL;

	if (row)
		return row->before_ns + gaspdb_max(0, at_ns - row->start_ns);
	return before ? before->before_ns + before->end_ns - before->start_ns
		      : 0;
}

int64_t gaspdb_unrecorded_between(const intervals *a, int64_t process,
				  int64_t from_ns, int64_t until_ns)
{
	return until_ns > from_ns ? total(a, process, until_ns) -
					    total(a, process, from_ns)
				  : 0;
}

int64_t gaspdb_unrecorded_next(const intervals *a, int64_t process,
			       int64_t at_ns)
{
	int64_t until_ns;

	return gaspdb_unrecorded_at(a, process, at_ns, &until_ns) ? at_ns
								  : until_ns;
}

int64_t gaspdb_unrecorded_last(const intervals *a, int64_t process,
			       int64_t at_ns)
{
	const size_t i = find(a, process, at_ns);
	const struct gaspdb_unrecorded_interval *row = row_of(a, process, i);

	if (row && row->start_ns < at_ns)
		return at_ns;
	row = i > 0 ? row_of(a, process, i - 1) : NULL;
	return row ? row->end_ns : INT64_MIN;
}
