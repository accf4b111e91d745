/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks the critical path, and tells which lines it goes through: its segments
 * on a thread and what that thread did pass by side by side.
 */
#include "analysis/critical_path.h"

#include <stdlib.h>

#include "sum.h"

/* What a stretch of the path is, as in path_line.what. */
enum what {
	COMPUTATION,
	CALL,
	WAITING,
	NOT_RECORDED,
	NOT_STARTED,
	ENDED,
	OTHER_COMPUTATION
};

/* Computation goes from each call to each other: of more lines than any program
 * that was seen has the rest is kept together, so that memory is bounded. */
#define PAIRS_MAX ((size_t)1 << 13)

/* With no more sources a table tells each pair's row without hashing. */
enum { TABLE_SOURCES_MAX = 1023 };

/* Calls at one line; ns. */
struct gaspdb_path_call {
	int64_t path_ns, waiting_ns; /* on the path */
	int64_t threads_ns;	     /* of all threads without waiting */
};

static const char *const what_names[] = { "computation",      "call",
					  "waiting",	      "not recorded",
					  "not started",      "ended",
					  "other computation" };

static const char *const kind_names[] = {
#define KIND(ident, name) name,
	GASPDB_PATH_KINDS(KIND)
#undef KIND
};

typedef struct gaspdb_critical_path path;

/* While the path is walked. */
struct walk {
	path *path;
	struct gaspdb_sorter waits, in_time; /* in_time: the segments */
};

static bool add_wait(void *user, const int64_t *w)
{
	struct walk *walk = user;

	gaspdb_path_waits_add(&walk->waits, w[GASPDB_WAIT_ID],
			      w[GASPDB_WAIT_THREAD], w[GASPDB_WAIT_START],
			      w[GASPDB_WAIT_END], w[GASPDB_WAIT_CAUSE_THREAD]);
	gaspdb_path_blame_wait(&walk->path->blame, w);
	return walk->path->run->status == GASPDB_OK;
}

static void add_segment(void *user, const struct gaspdb_path_segment *s)
{
	struct walk *walk = user;

	gaspdb_sorter_add(&walk->in_time,
			  (int64_t[]){ s->start_ns, s->end_ns, s->thread,
				       s->kind, s->wait });
	gaspdb_sorter_add(&walk->path->on_threads,
			  (int64_t[]){ s->thread, s->start_ns, s->end_ns,
				       s->kind, s->wait });
}

static void write_segments(struct walk *walk)
{
	struct gaspdb_bulk *bulk = gaspdb_bulk_open(
		walk->path->run, "critical_path", 6, 2, kind_names);
	const int64_t *row;
	int64_t id = 0;

	while (bulk && (row = gaspdb_sorter_next(&walk->in_time)))
		gaspdb_bulk_add(bulk, (int64_t[]){ ++id, row[2], row[3], row[0],
						   row[1], row[4] });
}

/* --- lines ---------------------------------------------------------------- */

static void add_to(int64_t sums[2], int64_t path_ns, int64_t thread_ns)
{
	gaspdb_add_to(&sums[0], path_ns);
	gaspdb_add_to(&sums[1], thread_ns);
}

static void add_line(path *p, enum what what, int64_t from, int64_t to,
		     int64_t path_ns, int64_t thread_ns)
{
	int64_t *sums =
		gaspdb_group(p->run, &p->lines, (int64_t[]){ what, from, to });

	if (sums)
		add_to(sums, path_ns, thread_ns);
}

static void read_segment(path *p)
{
	const int64_t *row = gaspdb_sorter_next(&p->on_threads);
	struct gaspdb_path_segment *s = &p->next;

	p->more = row != NULL;
	if (!row)
		return;
	*s = (struct gaspdb_path_segment){ row[0],
					   (enum gaspdb_path_kind)row[3],
					   row[1], row[2], row[4] };
	gaspdb_path_blame_segment(&p->blame, s);
	if (s->kind == GASPDB_PATH_NOT_STARTED)
		add_line(p, NOT_STARTED, GASPDB_NONE, GASPDB_NONE,
			 s->end_ns - s->start_ns, 0);
	else if (s->kind == GASPDB_PATH_ENDED)
		add_line(p, ENDED, GASPDB_NONE, GASPDB_NONE,
			 s->end_ns - s->start_ns, 0);
}

/* How much of the piece is on the path. */
static int64_t on_path(path *p, const struct gaspdb_piece *piece)
{
	int64_t sum = 0;

	while (p->more && (p->next.thread < piece->thread ||
			   (p->next.thread == piece->thread &&
			    p->next.start_ns < piece->end_ns))) {
		const struct gaspdb_path_segment *s = &p->next;
		const int64_t from_ns = s->start_ns > piece->start_ns
						? s->start_ns
						: piece->start_ns;
		const int64_t to_ns =
			s->end_ns < piece->end_ns ? s->end_ns : piece->end_ns;

		if (s->thread == piece->thread && to_ns > from_ns)
			sum += to_ns - from_ns;
		if (s->thread == piece->thread && s->end_ns > piece->end_ns)
			break; /* it goes on in the next piece */
		read_segment(p);
	}
	return sum;
}

/* Where the line's row is noted; NULL: the table would be too large. */
static uint16_t *pair_at(path *p, int64_t from, int64_t to)
{
	const size_t row = from == GASPDB_NONE ? 0 : (size_t)from + 1;
	const size_t column = to == GASPDB_NONE ? 0 : (size_t)to + 1;

	return p->row_of ? &p->row_of[row * ((size_t)p->run->n_sources + 1) +
				      column]
			 : NULL;
}

/* The sums of a line that is not noted yet, at *at; NULL: it is one of the
   rest. */
static int64_t *find_pair(path *p, const struct gaspdb_piece *piece,
			  uint16_t *at)
{
	const int64_t line[] = { COMPUTATION, piece->from, piece->to };
	const size_t n = p->lines.n;
	int64_t *sums;

	if (p->pairs >= PAIRS_MAX)
		return at ? NULL : gaspdb_groups_find(&p->lines, line);
	sums = gaspdb_group(p->run, &p->lines, line);
	p->pairs += p->lines.n - n;
	if (at && sums)
		*at = (uint16_t)p->lines.n;
	return sums;
}

static void add_computation(path *p, const struct gaspdb_piece *piece,
			    int64_t path_ns, int64_t ns)
{
	uint16_t *at = pair_at(p, piece->from, piece->to);
	int64_t *sums = at && *at ? gaspdb_groups_row(&p->lines, *at - 1u) +
					    p->lines.n_keys
				  : find_pair(p, piece, at);

	add_to(sums ? sums : p->others, path_ns, ns);
}

static void add_call(path *p, const struct gaspdb_piece *piece, int64_t path_ns,
		     int64_t ns)
{
	struct gaspdb_path_call *c;

	if (!p->calls || !gaspdb_run_source(p->run, piece->from))
		return;
	c = &p->calls[piece->from];
	if (piece->doing == GASPDB_WAITING) {
		gaspdb_add_to(&c->waiting_ns, path_ns);
		return;
	}
	gaspdb_add_to(&c->path_ns, path_ns);
	gaspdb_add_to(&c->threads_ns, ns);
}

static void add_piece(path *p, const struct gaspdb_piece *piece)
{
	const int64_t path_ns = on_path(p, piece);
	const int64_t ns = piece->end_ns - piece->start_ns;

	if (ns <= 0)
		return;
	switch (piece->doing) {
	case GASPDB_COMPUTING:
		add_computation(p, piece, path_ns, ns);
		break;
	case GASPDB_CALLING:
	case GASPDB_WAITING:
		add_call(p, piece, path_ns, ns);
		break;
	case GASPDB_NOT_RECORDED:
		add_line(p, NOT_RECORDED, GASPDB_NONE, GASPDB_NONE, path_ns,
			 ns);
		break;
	}
}

void gaspdb_critical_path_add(path *p, const struct gaspdb_piece *pieces,
			      size_t n)
{
	/* The table is larger than caches, and pairs are anywhere in it. */
	for (size_t i = 0; i < n; i++)
		if (pieces[i].doing == GASPDB_COMPUTING)
			__builtin_prefetch(
				pair_at(p, pieces[i].from, pieces[i].to));
	for (size_t i = 0; i < n; i++)
		add_piece(p, &pieces[i]);
}

static void add_calls(path *p)
{
	for (int64_t i = 0; p->calls && i < p->run->n_sources; i++) {
		const struct gaspdb_path_call *c = &p->calls[i];

		if (c->threads_ns > 0)
			add_line(p, CALL, i, GASPDB_NONE, c->path_ns,
				 c->threads_ns);
		if (c->waiting_ns > 0)
			add_line(p, WAITING, i, GASPDB_NONE, c->waiting_ns, 0);
	}
}

static void write_lines(path *p)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		p->run, "INSERT INTO path_line(from_source_id, to_source_id, "
			"time_ns, threads_ns, what) VALUES(?, ?, ?, ?, ?)");

	add_line(p, OTHER_COMPUTATION, GASPDB_NONE, GASPDB_NONE, p->others[0],
		 p->others[1]);
	gaspdb_groups_sort(&p->lines);
	for (size_t i = 0; i < p->lines.n; i++) {
		const int64_t *row = gaspdb_groups_row(&p->lines, i);

		if (row[3] > 0 || row[4] > 0)
			gaspdb_write(p->run, stmt, 4, row + 1,
				     what_names[row[0]]);
	}
	sqlite3_finalize(stmt);
}

void gaspdb_critical_path_open(path *p, struct gaspdb_run *run)
{
	struct walk walk = { .path = p };

	*p = (path){ .run = run };
	gaspdb_sorter_init(&p->on_threads, run, 5, 2);
	gaspdb_groups_init(&p->lines, 3, 2);
	p->calls = gaspdb_zeroed(run, (size_t)run->n_sources, sizeof *p->calls);
	if (run->n_sources <= TABLE_SOURCES_MAX)
		p->row_of = gaspdb_zeroed(
			run,
			(size_t)((run->n_sources + 1) * (run->n_sources + 1)),
			sizeof *p->row_of);
	gaspdb_path_blame_open(&p->blame, run);
	gaspdb_path_waits_init(&walk.waits, run);
	gaspdb_sorter_init(&walk.in_time, run, 5, 1);
	gaspdb_table_scan(&p->blame.table, INT64_MIN, add_wait, &walk);
	gaspdb_path_walk(run, &walk.waits, add_segment, &walk);
	gaspdb_sorter_fini(&walk.waits);
	write_segments(&walk);
	gaspdb_sorter_fini(&walk.in_time);
	read_segment(p);
}

void gaspdb_critical_path_close(path *p)
{
	while (p->more)
		read_segment(p);
	add_calls(p);
	write_lines(p);
	free(p->calls);
	free(p->row_of);
	gaspdb_path_blame_close(&p->blame);
	gaspdb_sorter_fini(&p->on_threads);
	gaspdb_groups_fini(&p->lines);
}
