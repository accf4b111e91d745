/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The critical path: its segments are written in order of time, and sorted by
   thread for queries that follow each thread's activity. */
#include "analysis/path/critical_path.h"

#include "analysis/engine/clock_errors.h"
#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/store/table.h"

static const char *const kind_names[] = {
#define KIND(ident, name) name,
	GASPDB_PATH_KINDS(KIND)
#undef KIND
};

typedef struct gaspdb_critical_path path;

/* The state of the walk. */
struct walk {
	path *path;
	struct gaspdb_sorter in_time; /* segments in order of time */
	struct gaspdb_clock_errors clocks;
	int64_t first_thread; /* with the run's first record */
	int64_t next_thread;  /* of the segment after; NONE: the run's end */
};

static void find_first_thread(struct walk *walk)
{
	const struct gaspdb_run *run = walk->path->run;
	int64_t first_ns = INT64_MAX;

	for (int64_t i = 0; i < run->n_threads; i++) {
		const struct gaspdb_run_thread *t = gaspdb_run_thread(run, i);

		if (!t || t->first_ns == GASPDB_NONE || t->first_ns >= first_ns)
			continue;
		first_ns = t->first_ns;
		walk->first_thread = i;
	}
}

/* By how much the length of a segment may be off. */
static int64_t error_of(const struct walk *walk,
			const struct gaspdb_path_segment *s)
{
	if (s->kind == GASPDB_PATH_NOT_STARTED)
		return gaspdb_clock_errors_bound(&walk->clocks, s->thread,
						 walk->first_thread,
						 s->start_ns);
	return walk->next_thread == GASPDB_NONE
		       ? 0
		       : gaspdb_clock_errors_bound(&walk->clocks, s->thread,
						   walk->next_thread,
						   s->end_ns);
}

static void add_segment(void *user, const struct gaspdb_path_segment *s)
{
	struct walk *walk = user;

	gaspdb_sorter_add(&walk->in_time,
			  (int64_t[]){ s->start_ns, s->end_ns, s->thread,
				       s->kind, s->wait, error_of(walk, s) });
	walk->next_thread = s->thread;
	gaspdb_sorter_add(&walk->path->on_threads,
			  (int64_t[]){ s->thread, s->start_ns, s->end_ns,
				       s->kind, s->wait });
}

static void write_segments(struct walk *walk)
{
	struct gaspdb_table_writer *bulk = gaspdb_table_writer_open(
		&walk->path->run->tables, GASPDB_TABLE(critical_path),
		GASPDB_CRITICAL_PATH_KIND, kind_names);
	const int64_t *row;
	int64_t id = 0;

	while (bulk && (row = gaspdb_sorter_next(&walk->in_time)))
		gaspdb_table_writer_add(
			bulk, (int64_t[GASPDB_CRITICAL_PATH_COLUMNS]){
				      [GASPDB_CRITICAL_PATH_ID] = ++id,
				      [GASPDB_CRITICAL_PATH_THREAD] = row[2],
				      [GASPDB_CRITICAL_PATH_KIND] = row[3],
				      [GASPDB_CRITICAL_PATH_START] = row[0],
				      [GASPDB_CRITICAL_PATH_END] = row[1],
				      [GASPDB_CRITICAL_PATH_WAIT] = row[4],
				      [GASPDB_CRITICAL_PATH_ERROR] = row[5] });
}

static void read_segment(path *p)
{
	const int64_t *row = gaspdb_sorter_next(&p->on_threads);
	struct gaspdb_path_segment *s = &p->next;

	p->more = row != NULL;
	if (!row)
		return;
	*s = (struct gaspdb_path_segment){
		row[0], (enum gaspdb_path_kind)row[3], row[1], row[2], row[4], 0
	};
	if (s->kind == GASPDB_PATH_NOT_STARTED)
		gaspdb_add_to(&p->not_started_ns, s->end_ns - s->start_ns);
	else if (s->kind == GASPDB_PATH_ENDED)
		gaspdb_add_to(&p->ended_ns, s->end_ns - s->start_ns);
}

enum gaspdb_path_side gaspdb_critical_path_at(path *p, int64_t thread,
					      int64_t at_ns, int64_t *until_ns)
{
	while (p->more &&
	       (p->next.thread < thread ||
		(p->next.thread == thread && p->next.end_ns <= at_ns)))
		read_segment(p);
	*until_ns = INT64_MAX;
	if (!p->more || p->next.thread != thread)
		return GASPDB_BESIDE_PATH;
	*until_ns = p->next.start_ns;
	if (p->next.start_ns > at_ns)
		return GASPDB_BESIDE_PATH;
	*until_ns = p->next.end_ns;
	return GASPDB_ON_PATH;
}

void gaspdb_critical_path_open(path *p, struct gaspdb_run *run)
{
	*p = (path){ .run = run };
	gaspdb_sorter_init(&p->on_threads, run, 5, 2);
	gaspdb_path_waits_init(&p->waits, run);
}

void gaspdb_critical_path_wait(path *p, const int64_t *w)
{
	gaspdb_path_waits_add(&p->waits, w[GASPDB_WAIT_ID],
			      w[GASPDB_WAIT_THREAD], w[GASPDB_WAIT_START],
			      w[GASPDB_WAIT_END], w[GASPDB_WAIT_CAUSE_THREAD]);
}

void gaspdb_critical_path_begin(path *p)
{
	struct walk walk = { .path = p, .next_thread = GASPDB_NONE };

	find_first_thread(&walk);
	gaspdb_clock_errors_load(&walk.clocks, p->run);
	gaspdb_sorter_init(&walk.in_time, p->run, 6, 1);
	gaspdb_path_walk(p->run, &p->waits, add_segment, &walk);
	gaspdb_sorter_fini(&p->waits);
	write_segments(&walk);
	gaspdb_sorter_fini(&walk.in_time);
	gaspdb_clock_errors_free(&walk.clocks);
	read_segment(p);
}

void gaspdb_critical_path_close(path *p)
{
	while (p->more)
		read_segment(p);
	gaspdb_sorter_fini(&p->on_threads);
}
