/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of activity by line. */
#include "analysis/path/lines.h"

#include <stdlib.h>
#include <string.h>

#include "sql/store/table.h"

typedef struct gaspdb_path_lines path_lines;

/* Values of path_line.what. */
enum what {
	COMPUTATION,
	FUNCTION,
	CALL,
	WAITING,
	NOT_RECORDED,
	NOT_STARTED,
	ENDED,
	OTHER_COMPUTATION
};

/* Limit of pairs of sources with a row of their own, above that of all programs
   seen. The rest is summed up together, so that memory is bounded. */
#define PAIRS_MAX ((size_t)1 << 13)

/* Up to this number of sources a table replaces the hash table of pairs. */
enum { TABLE_SOURCES_MAX = 1023 };

enum { FROM, TO, KEYS }; /* keys of a pair */
/* Values of a pair: ns of each side, the sum of earlier threads. */
enum { BEFORE = GASPDB_PATH_SIDES, VALUES };

/* Less than 1 / PARTS_MAX of a thread's computation is not written. */
enum { PARTS_MAX = 1000 };

/* Keys and values of `afters`. */
enum { OF_FUNCTION, AFTER, AFTER_KEYS };
enum { NEXT, NEXT_ROW, AFTER_VALUES };

static const char *const what_names[] = { "computation",  "function",
					  "call",	  "waiting",
					  "not recorded", "not started",
					  "ended",	  "other computation" };

/* A zeroed table. It is written, because pages of calloc() that are read first
   cause a second page fault when they are written. */
static uint16_t *make_table(struct gaspdb_run *run, size_t n)
{
	uint16_t *table = gaspdb_resized(run, NULL, n, sizeof *table);

	if (table)
		memset(table, 0, n * sizeof *table);
	return table;
}

void gaspdb_path_lines_open(path_lines *l, struct gaspdb_run *run)
{
	const size_t n = (size_t)run->n_sources;

	*l = (path_lines){ .run = run };
	gaspdb_groups_init(&l->pairs, KEYS, VALUES);
	gaspdb_groups_init(&l->threads, 4, 1);
	gaspdb_groups_init(&l->afters, AFTER_KEYS, AFTER_VALUES);
	gaspdb_groups_init(&l->calls, 2, 1);
	l->lines = gaspdb_zeroed(run, n, sizeof *l->lines);
	if (n <= TABLE_SOURCES_MAX)
		l->row_of = make_table(run, (n + 1) * (n + 1));
	if (!l->lines)
		return;
	l->n_lines = run->n_sources;
	for (int64_t i = 0; i < l->n_lines; i++) {
		const struct gaspdb_run_source *source =
			gaspdb_run_source(run, i);

		l->lines[i].call = source && source->call;
		l->lines[i].function = source && source->computes;
	}
}

void gaspdb_path_lines_close(path_lines *l)
{
	free(l->lines);
	free(l->row_of);
	gaspdb_groups_fini(&l->pairs);
	gaspdb_groups_fini(&l->threads);
	gaspdb_groups_fini(&l->afters);
	gaspdb_groups_fini(&l->calls);
}

/* --- computation ---------------------------------------------------------- */

/* The sums of a row by its number, from 1. */
static int64_t *row_sums(const path_lines *l, uint32_t number)
{
	return gaspdb_groups_row(&l->pairs, number - 1) + KEYS;
}

static uint32_t number_of(const path_lines *l, const int64_t *sums)
{
	return (uint32_t)gaspdb_groups_number(&l->pairs, sums) + 1;
}

/* The sums of a pair, added if new; NULL: too many pairs. */
static int64_t *find_pair(path_lines *l, int64_t from, int64_t to)
{
	const int64_t pair[] = { from, to };

	return l->pairs.n < PAIRS_MAX ? gaspdb_group(l->run, &l->pairs, pair)
				      : gaspdb_groups_find(&l->pairs, pair);
}

static void add_sides(int64_t *sums, const int64_t *ns)
{
	for (int side = 0; side < GASPDB_PATH_SIDES; side++)
		gaspdb_add_to(&sums[side], ns[side]);
}

/* A source is mostly followed by the same source again, so the last is cached.
 */
void gaspdb_path_lines_compute_slowly(path_lines *l, int64_t from, int64_t to,
				      enum gaspdb_path_side side, int64_t ns)
{
	struct gaspdb_line *line =
		from >= 0 && from < l->n_lines ? &l->lines[from] : NULL;
	int64_t *sums;

	if (line && line->next_row && line->next == to) {
		sums = row_sums(l, line->next_row);
	} else {
		sums = find_pair(l, from, to);
		if (line && sums) {
			line->next = to;
			line->next_row = number_of(l, sums);
		}
	}
	gaspdb_add_to(&(sums ? sums : l->others)[side], ns);
}

int64_t gaspdb_path_lines_after(path_lines *l, int64_t function, int64_t after)
{
	const int64_t keys[] = { function, after };
	uint32_t *recent = &l->recent[(uint64_t)(7 * function + after) %
				      GASPDB_RECENT_AFTERS];
	int64_t *values;

	values = l->afters.n < PAIRS_MAX
			 ? gaspdb_group_cached(l->run, &l->afters, keys, recent)
			 : gaspdb_groups_find(&l->afters, keys);
	if (!values)
		return function;
	return l->n_lines + (int64_t)gaspdb_groups_number(&l->afters, values);
}

void gaspdb_path_lines_resolve(const path_lines *l, int64_t from,
			       int64_t *function, int64_t *after)
{
	const int64_t *row;

	*function = from;
	*after = GASPDB_NONE;
	if (from < l->n_lines)
		return;
	row = gaspdb_groups_row(&l->afters, (size_t)(from - l->n_lines));
	*function = row[OF_FUNCTION];
	*after = row[AFTER];
}

/* Add time of a call, or of a function that computes from its start to its end.
 */
static void add_to_line(const path_lines *l, int64_t source, const int64_t *ns)
{
	add_sides(l->lines[source].ns, ns);
}

/* Add computation in a function after a source; without a row for the pair, to
   the function. */
static void compute_in_function(path_lines *l, int64_t from, int64_t to,
				const int64_t *ns)
{
	const size_t number = (size_t)(from - l->n_lines);
	int64_t *row = gaspdb_groups_row(&l->afters, number);
	int64_t *values = row + AFTER_KEYS, *sums;

	if (values[NEXT_ROW] && values[NEXT] == to) {
		sums = row_sums(l, (uint32_t)values[NEXT_ROW]);
	} else {
		sums = find_pair(l, from, to);
		if (!sums) {
			add_to_line(l, row[OF_FUNCTION], ns);
			return;
		}
		values[NEXT] = to;
		values[NEXT_ROW] = number_of(l, sums);
	}
	add_sides(sums, ns);
}

/* The sums of a pair that is not in the table row_of. */
static int64_t *add_to_table(path_lines *l, size_t pair)
{
	const size_t row = pair / ((size_t)l->n_lines + 1);
	const size_t column = pair % ((size_t)l->n_lines + 1);
	int64_t *sums;

	if (l->pairs.n >= PAIRS_MAX)
		return l->others;
	sums = find_pair(l, row ? (int64_t)row - 1 : GASPDB_NONE,
			 column ? (int64_t)column - 1 : GASPDB_NONE);
	if (!sums)
		return l->others;
	l->row_of[pair] = (uint16_t)number_of(l, sums);
	return sums;
}

void gaspdb_path_lines_flush(path_lines *l)
{
	for (size_t i = 0; i < l->n_addends; i++) {
		const struct gaspdb_line_addend *a = &l->addends[i];
		const uint16_t row = l->row_of[a->pair];
		int64_t *sums =
			row ? row_sums(l, row) : add_to_table(l, a->pair);

		gaspdb_add_to(&sums[a->side], a->ns);
	}
	l->n_addends = 0;
}

void gaspdb_path_lines_add(path_lines *l,
			   const struct gaspdb_recent_time_line *s)
{
	switch (s->kind) {
	case GASPDB_COMPUTING:
		for (int side = 0; side < GASPDB_PATH_SIDES; side++)
			if (s->ns[side])
				gaspdb_path_lines_compute(
					l, s->from, s->to,
					(enum gaspdb_path_side)side,
					s->ns[side]);
		break;
	case GASPDB_IN_FUNCTION:
		if (s->from < l->n_lines)
			add_to_line(l, s->from, s->ns);
		else
			compute_in_function(l, s->from, s->to, s->ns);
		break;
	case GASPDB_CALLING:
		add_to_line(l, s->from, s->ns);
		break;
	case GASPDB_WAITING:
		gaspdb_add_to(&l->lines[s->from].waiting_ns,
			      s->ns[GASPDB_ON_PATH]);
		break;
	case GASPDB_NOT_RECORDED:
		add_sides(l->not_recorded, s->ns);
		break;
	}
}

/* Sum up the thread's calls on the path. */
static void end_calls(path_lines *l, int64_t thread)
{
	for (int64_t i = 0; l->on_path && i < l->n_lines; i++) {
		struct gaspdb_line *line = &l->lines[i];
		const int64_t ns = line->ns[GASPDB_ON_PATH] - line->before_ns;
		int64_t *sum;

		if (ns == 0 || !line->call)
			continue;
		line->before_ns = line->ns[GASPDB_ON_PATH];
		sum = gaspdb_group(l->run, &l->calls, (int64_t[]){ i, thread });
		if (sum)
			*sum = ns;
	}
	l->on_path = false;
}

/* The current thread's part of the sum of both sides. */
static int64_t new_ns(const int64_t *sides, int64_t before_ns)
{
	return gaspdb_plus(sides[GASPDB_ON_PATH], sides[GASPDB_BESIDE_PATH]) -
	       before_ns;
}

/* All computation of the current thread. */
static int64_t computed_ns(const path_lines *l)
{
	int64_t all = 0;

	for (size_t i = 0; i < l->pairs.n; i++) {
		const int64_t *values = gaspdb_groups_row(&l->pairs, i) + KEYS;

		gaspdb_add_to(&all, new_ns(values, values[BEFORE]));
	}
	for (int64_t i = 0; i < l->n_lines; i++)
		if (l->lines[i].function)
			gaspdb_add_to(&all, new_ns(l->lines[i].ns,
						   l->lines[i].before_ns));
	return all;
}

static void set_thread_sum(path_lines *l, const int64_t *keys, int64_t ns)
{
	int64_t *sum = gaspdb_group(l->run, &l->threads, keys);

	if (sum)
		*sum = ns;
}

/* Sum up the thread's computation; sums up to least_ns are dropped. */
static void end_computation(path_lines *l, int64_t thread, int64_t least_ns)
{
	for (size_t i = 0; i < l->pairs.n; i++) {
		int64_t *row = gaspdb_groups_row(&l->pairs, i);
		int64_t *values = row + KEYS;
		const int64_t ns = new_ns(values, values[BEFORE]);
		int64_t keys[] = { thread, GASPDB_NONE, row[FROM], row[TO] };

		gaspdb_add_to(&values[BEFORE], ns);
		if (ns <= least_ns)
			continue;
		if (row[FROM] >= l->n_lines)
			gaspdb_path_lines_resolve(l, row[FROM], &keys[1],
						  &keys[2]);
		set_thread_sum(l, keys, ns);
	}
	for (int64_t i = 0; i < l->n_lines; i++) {
		struct gaspdb_line *line = &l->lines[i];
		const int64_t ns = new_ns(line->ns, line->before_ns);

		if (!line->function)
			continue;
		gaspdb_add_to(&line->before_ns, ns);
		if (ns > least_ns)
			set_thread_sum(l,
				       (int64_t[]){ thread, i, GASPDB_NONE,
						    GASPDB_NONE },
				       ns);
	}
}

void gaspdb_path_lines_end_thread(path_lines *l, int64_t thread)
{
	gaspdb_path_lines_flush(l);
	end_calls(l, thread);
	end_computation(l, thread, computed_ns(l) / PARTS_MAX);
}

/* --- rows ----------------------------------------------------------------- */

struct writer {
	struct gaspdb_table_writer *rows;
	int64_t id;
};

/* The sources of a row; NONE: none. */
struct sources {
	int64_t function, from, to;
};

static const struct sources nowhere = { GASPDB_NONE, GASPDB_NONE, GASPDB_NONE };

static void write_line(struct writer *w, enum what what, struct sources s,
		       int64_t path_ns, int64_t threads_ns)
{
	if (path_ns > 0 || threads_ns > 0)
		gaspdb_table_writer_add(
			w->rows,
			(int64_t[GASPDB_PATH_LINE_COLUMNS]){
				[GASPDB_PATH_LINE_ID] = ++w->id,
				[GASPDB_PATH_LINE_WHAT] = what,
				[GASPDB_PATH_LINE_FUNCTION_SOURCE] = s.function,
				[GASPDB_PATH_LINE_FROM_SOURCE] = s.from,
				[GASPDB_PATH_LINE_TO_SOURCE] = s.to,
				[GASPDB_PATH_LINE_TIME] = path_ns,
				[GASPDB_PATH_LINE_THREADS] = threads_ns });
}

static void write_sums(struct writer *w, enum what what, struct sources s,
		       const int64_t ns[GASPDB_PATH_SIDES])
{
	write_line(w, what, s, ns[GASPDB_ON_PATH],
		   gaspdb_plus(ns[GASPDB_ON_PATH], ns[GASPDB_BESIDE_PATH]));
}

static void write_pairs(struct writer *w, const path_lines *l)
{
	for (size_t i = 0; i < l->pairs.n; i++) {
		const int64_t *row = gaspdb_groups_row(&l->pairs, i);
		struct sources s = { GASPDB_NONE, row[FROM], row[TO] };
		const bool in_function = row[FROM] >= l->n_lines;

		if (in_function)
			gaspdb_path_lines_resolve(l, row[FROM], &s.function,
						  &s.from);
		write_sums(w, in_function ? FUNCTION : COMPUTATION, s,
			   row + KEYS);
	}
}

static void write_lines(struct writer *w, enum what what, const path_lines *l)
{
	for (int64_t i = 0; i < l->n_lines; i++) {
		struct sources s = nowhere;

		if (l->lines[i].call != (what == CALL))
			continue;
		*(what == FUNCTION ? &s.function : &s.from) = i;
		write_sums(w, what, s, l->lines[i].ns);
	}
}

static void write_threads(path_lines *l)
{
	struct gaspdb_table_writer *bulk = gaspdb_table_writer_open(
		&l->run->tables, GASPDB_TABLE(thread_computation), 0, NULL);

	gaspdb_groups_sort(&l->threads);
	for (size_t i = 0; bulk && i < l->threads.n; i++) {
		const int64_t *row = gaspdb_groups_row(&l->threads, i);

		gaspdb_table_writer_add(
			bulk,
			(int64_t[GASPDB_THREAD_COMPUTATION_COLUMNS]){
				[GASPDB_THREAD_COMPUTATION_ID] = (int64_t)i + 1,
				[GASPDB_THREAD_COMPUTATION_THREAD] = row[0],
				[GASPDB_THREAD_COMPUTATION_FUNCTION_SOURCE] =
					row[1],
				[GASPDB_THREAD_COMPUTATION_FROM_SOURCE] =
					row[2],
				[GASPDB_THREAD_COMPUTATION_TO_SOURCE] = row[3],
				[GASPDB_THREAD_COMPUTATION_TIME] = row[4] });
	}
}

static void write_calls(path_lines *l)
{
	struct gaspdb_table_writer *bulk = gaspdb_table_writer_open_keyed(
		&l->run->tables, GASPDB_KEYED_TABLE(path_call), 0, NULL);

	gaspdb_groups_sort(&l->calls);
	for (size_t i = 0; bulk && i < l->calls.n; i++)
		gaspdb_table_writer_add(bulk, gaspdb_groups_row(&l->calls, i));
}

void gaspdb_path_lines_write(path_lines *l, int64_t not_started_ns,
			     int64_t ended_ns)
{
	struct writer w = { gaspdb_table_writer_open(
				    &l->run->tables, GASPDB_TABLE(path_line),
				    GASPDB_PATH_LINE_WHAT, what_names),
			    0 };

	if (!w.rows)
		return;
	gaspdb_path_lines_flush(l);
	gaspdb_groups_sort(&l->pairs);
	write_pairs(&w, l);
	write_lines(&w, FUNCTION, l);
	write_lines(&w, CALL, l);
	for (int64_t i = 0; i < l->n_lines; i++)
		write_line(&w, WAITING,
			   (struct sources){ GASPDB_NONE, i, GASPDB_NONE },
			   l->lines[i].waiting_ns, 0);
	write_sums(&w, NOT_RECORDED, nowhere, l->not_recorded);
	write_line(&w, NOT_STARTED, nowhere, not_started_ns, 0);
	write_line(&w, ENDED, nowhere, ended_ns, 0);
	write_sums(&w, OTHER_COMPUTATION, nowhere, l->others);
	write_calls(l);
	write_threads(l);
}
