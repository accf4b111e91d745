/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks the critical path, and tells which lines it goes through: its segments
 * on a thread and what that thread did pass by side by side.
 */
#include "analysis/critical_path.h"

#include <stdlib.h>

#include "analysis/activity.h"
#include "analysis/path_blame.h"
#include "sum.h"

/* What a stretch of the path is, as in path_line.what. */
enum what {
	COMPUTATION,
	CALL,
	WAITING,
	NOT_RECORDED,
	NOT_STARTED,
	ENDED
};

static const char *const what_names[] = { "computation", "call",
					  "waiting",	 "not recorded",
					  "not started", "ended" };

static const char *const kind_names[] = {
#define KIND(ident, name) name,
	GASPDB_PATH_KINDS(KIND)
#undef KIND
};

struct path {
	struct gaspdb_run run;
	struct gaspdb_sorter waits;
	struct gaspdb_sorter in_time, on_threads; /* the segments */
	struct gaspdb_path_blame blame;
	struct gaspdb_path_segment next; /* of on_threads */
	bool more;
	struct gaspdb_groups lines; /* what, from, to: ns on the path, ns of
				       all threads without waiting */
};

static bool add_wait(void *user, const int64_t *w)
{
	struct path *p = user;

	gaspdb_path_waits_add(&p->waits, w[GASPDB_WAIT_ID],
			      w[GASPDB_WAIT_THREAD], w[GASPDB_WAIT_START],
			      w[GASPDB_WAIT_END], w[GASPDB_WAIT_CAUSE_THREAD]);
	gaspdb_path_blame_wait(&p->blame, w);
	return p->run.status == GASPDB_OK;
}

static void add_segment(void *user, const struct gaspdb_path_segment *s)
{
	struct path *p = user;

	gaspdb_sorter_add(&p->in_time, (int64_t[]){ s->start_ns, s->end_ns,
						    s->thread, s->kind,
						    s->wait });
	gaspdb_sorter_add(&p->on_threads, (int64_t[]){ s->thread, s->start_ns,
						       s->end_ns, s->kind,
						       s->wait });
}

static void write_segments(struct path *p)
{
	struct gaspdb_bulk *bulk =
		gaspdb_bulk_open(&p->run, "critical_path", 6, 2, kind_names);
	const int64_t *row;
	int64_t id = 0;

	while (bulk && (row = gaspdb_sorter_next(&p->in_time)))
		gaspdb_bulk_add(bulk, (int64_t[]){ ++id, row[2], row[3], row[0],
						   row[1], row[4] });
}

/* --- lines ---------------------------------------------------------------- */

static void add_line(struct path *p, enum what what, int64_t from, int64_t to,
		     int64_t path_ns, int64_t thread_ns)
{
	int64_t *sums = gaspdb_group(&p->run, &p->lines,
				     (int64_t[]){ what, from, to });

	if (!sums)
		return;
	gaspdb_add_to(&sums[0], path_ns);
	gaspdb_add_to(&sums[1], thread_ns);
}

static void read_segment(struct path *p)
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
static int64_t on_path(struct path *p, const struct gaspdb_piece *piece)
{
	int64_t sum = 0;

	while (p->more && (p->next.thread < piece->thread ||
			   (p->next.thread == piece->thread &&
			    p->next.start_ns < piece->end_ns))) {
		const struct gaspdb_path_segment *s = &p->next;
		const int64_t from_ns = s->start_ns > piece->start_ns
						? s->start_ns
						: piece->start_ns;
		const int64_t to_ns = s->end_ns < piece->end_ns ? s->end_ns
								: piece->end_ns;

		if (s->thread == piece->thread && to_ns > from_ns)
			sum += to_ns - from_ns;
		if (s->thread == piece->thread && s->end_ns > piece->end_ns)
			break; /* it goes on in the next piece */
		read_segment(p);
	}
	return sum;
}

static void add_piece(void *user, const struct gaspdb_piece *piece)
{
	struct path *p = user;
	const int64_t path_ns = on_path(p, piece);
	const int64_t ns = piece->end_ns - piece->start_ns;

	switch (piece->doing) {
	case GASPDB_COMPUTING:
		add_line(p, COMPUTATION, piece->from, piece->to, path_ns, ns);
		break;
	case GASPDB_CALLING:
		add_line(p, CALL, piece->from, GASPDB_NONE, path_ns, ns);
		break;
	case GASPDB_WAITING:
		add_line(p, WAITING, piece->from, GASPDB_NONE, path_ns, 0);
		break;
	case GASPDB_NOT_RECORDED:
		add_line(p, NOT_RECORDED, GASPDB_NONE, GASPDB_NONE, path_ns,
			 ns);
		break;
	}
}

static void write_lines(struct path *p)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&p->run, "INSERT INTO path_line(from_source_id, to_source_id, "
			 "time_ns, threads_ns, what) VALUES(?, ?, ?, ?, ?)");

	gaspdb_groups_sort(&p->lines);
	for (size_t i = 0; i < p->lines.n; i++) {
		const int64_t *row = gaspdb_groups_row(&p->lines, i);

		if (row[3] > 0 || row[4] > 0)
			gaspdb_write(&p->run, stmt, 4, row + 1,
				     what_names[row[0]]);
	}
	sqlite3_finalize(stmt);
}

enum gaspdb_status gaspdb_pass_critical_path(sqlite3 *db,
					     struct gaspdb_error *err)
{
	struct path p = { .more = false };

	gaspdb_run_open(&p.run, db, err);
	gaspdb_path_waits_init(&p.waits, &p.run);
	gaspdb_sorter_init(&p.in_time, &p.run, 5, 1);
	gaspdb_sorter_init(&p.on_threads, &p.run, 5, 2);
	gaspdb_groups_init(&p.lines, 3, 2);
	gaspdb_path_blame_open(&p.blame, &p.run);
	gaspdb_table_scan(&p.blame.table, INT64_MIN, add_wait, &p);
	gaspdb_path_walk(&p.run, &p.waits, add_segment, &p);
	gaspdb_sorter_fini(&p.waits);
	write_segments(&p);
	read_segment(&p);
	gaspdb_activity(&p.run, add_piece, &p);
	while (p.more)
		read_segment(&p);
	write_lines(&p);
	gaspdb_path_blame_close(&p.blame);
	gaspdb_sorter_fini(&p.in_time);
	gaspdb_sorter_fini(&p.on_threads);
	gaspdb_groups_fini(&p.lines);
	return gaspdb_run_close(&p.run);
}
