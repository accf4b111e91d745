/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delay causes. The open waits of one kind for one thread to reach one line are
 * counted together. If there are no others, each piece of the thread's activity
 * is added at once, times the number of waits.
 *
 * If waits of several kinds or lines are open, a piece is added only to its own
 * line, because there may be a thousand kinds and lines. When a wait starts or
 * ends, its kind and line are credited with the time since their last credit.
 * That concerns only lines visited since, which are the first in a list ordered
 * by last visit.
 */
#include "analysis/path/delay_causes.h"

#include <stdlib.h>

#include "common/heap.h"
#include "common/sum.h"

/* A row of `waits`. */
enum { THREAD, START, ID, END, KIND, SOURCE, WAIT_COLUMNS };
enum { WAIT_KEYS = ID + 1 };

/* Values of `waited`: number of open waits, tick of the last credit. */
enum { WAITING, CREDITED, WAITED_VALUES };

/* Values of `lines`: time so far, tick of the last piece, neighbours in the
   list ordered by last visit: row + 1, 0: none. */
enum { NS, TICK, NEWER, OLDER, LINE_VALUES };

/* Values of `sums`: the line's time at the last credit, and the sum. */
enum { CREDITED_NS, SUM, SUM_VALUES };

struct gaspdb_delay_causes_end {
	int64_t end_ns;
	size_t waited; /* row */
};

typedef struct gaspdb_delay_causes causes;
typedef struct gaspdb_delay_causes_end end;

void gaspdb_delay_causes_open(causes *m, struct gaspdb_run *run,
			      struct gaspdb_groups *shares)
{
	*m = (causes){ .run = run, .shares = shares, .thread = GASPDB_NONE };
	gaspdb_sorter_init(&m->waits, run, WAIT_COLUMNS, WAIT_KEYS);
	gaspdb_groups_init(&m->waited, 2, WAITED_VALUES);
	gaspdb_groups_init(&m->lines, 3, LINE_VALUES);
	gaspdb_groups_init(&m->sums, 2, SUM_VALUES);
}

void gaspdb_delay_causes_wait(causes *m,
			      const struct gaspdb_delay_causes_wait *w)
{
	gaspdb_sorter_add(&m->waits, (int64_t[]){ [THREAD] = w->cause_thread,
						  [START] = w->start_ns,
						  [ID] = w->id,
						  [END] = w->end_ns,
						  [KIND] = w->kind,
						  [SOURCE] = w->cause_source });
}

void gaspdb_delay_causes_begin(causes *m)
{
	m->next = gaspdb_sorter_next(&m->waits);
}

/* --- sums ----------------------------------------------------------------- */

static const int64_t *waited_keys(const causes *m, size_t row)
{
	return gaspdb_groups_row(&m->waited, row);
}

static int64_t *waited_values(const causes *m, size_t row)
{
	return gaspdb_groups_row(&m->waited, row) + m->waited.n_keys;
}

static const int64_t *line_keys(const causes *m, size_t row)
{
	return gaspdb_groups_row(&m->lines, row);
}

static int64_t *line_values(const causes *m, size_t row)
{
	return gaspdb_groups_row(&m->lines, row) + m->lines.n_keys;
}

static void add_share(causes *m, const int64_t *waited, const int64_t *line,
		      int64_t ns)
{
	int64_t *sum =
		gaspdb_group(m->run, m->shares,
			     (int64_t[]){ waited[0], m->thread, waited[1],
					  line[0], line[1], line[2] });

	if (sum)
		gaspdb_add_to(sum, ns);
}

/* Credit the waits of a kind and line with the time since their last credit. */
static void credit(causes *m, size_t row)
{
	int64_t *waited = waited_values(m, row);
	const int64_t *line;

	for (size_t i = m->newest; i; i = (size_t)line[OLDER]) {
		int64_t *sum;

		line = line_values(m, i - 1);
		if (line[TICK] <= waited[CREDITED])
			break;
		sum = gaspdb_group(m->run, &m->sums,
				   (int64_t[]){ (int64_t)row, (int64_t)i - 1 });
		if (!sum)
			break;
		gaspdb_add_to(&sum[SUM],
			      gaspdb_times(waited[WAITING],
					   line[NS] - sum[CREDITED_NS]));
		sum[CREDITED_NS] = line[NS];
	}
	waited[CREDITED] = m->ticks;
}

/* Move the sums to the shares when the last open wait has ended. */
static void flush(causes *m)
{
	for (size_t i = 0; i < m->sums.n; i++) {
		const int64_t *row = gaspdb_groups_row(&m->sums, i);
		const int64_t ns = row[m->sums.n_keys + SUM];

		if (ns > 0)
			add_share(m, waited_keys(m, (size_t)row[0]),
				  line_keys(m, (size_t)row[1]), ns);
	}
	gaspdb_groups_clear(&m->waited);
	gaspdb_groups_clear(&m->lines);
	gaspdb_groups_clear(&m->sums);
	m->newest = 0;
	m->ticks = 0;
}

/* --- open waits ----------------------------------------------------------- */

static inline bool ends_before(const void *of, const end *a, const end *b)
{
	(void)of;
	return a->end_ns < b->end_ns;
}

GASPDB_HEAP(ends, end, ends_before)

static void push(causes *m, end e)
{
	ends_up(NULL, m->open, m->n_open++, e);
}

static void pop(causes *m)
{
	m->open[0] = m->open[--m->n_open];
	ends_down(NULL, m->open, m->n_open, 0);
}

static void end_wait(causes *m)
{
	const size_t row = m->open[0].waited;

	credit(m, row);
	waited_values(m, row)[WAITING]--;
	pop(m);
	if (!m->n_open)
		flush(m);
}

static void start_wait(causes *m)
{
	int64_t *waited = gaspdb_group(m->run, &m->waited, &m->next[KIND]);
	size_t row;

	if (!waited || !gaspdb_grow(m->run, &m->open, m->n_open, &m->open_room,
				    sizeof *m->open))
		return;
	row = gaspdb_groups_number(&m->waited, waited);
	credit(m, row);
	waited_values(m, row)[WAITING]++;
	if (!m->n_open || m->next[END] > m->last_end_ns)
		m->last_end_ns = m->next[END];
	push(m, (end){ m->next[END], row });
}

/* Advance to a time of a thread: end and start waits. */
static void advance(causes *m, int64_t thread, int64_t at_ns)
{
	while (m->n_open && (thread != m->thread || m->open[0].end_ns <= at_ns))
		end_wait(m);
	m->thread = thread;
	while (m->next &&
	       (m->next[THREAD] < thread ||
		(m->next[THREAD] == thread && m->next[START] <= at_ns))) {
		if (m->next[THREAD] == thread && m->next[END] > at_ns)
			start_wait(m);
		m->next = gaspdb_sorter_next(&m->waits);
	}
}

/* The time at which the next wait starts or ends. */
static int64_t next_change(const causes *m)
{
	int64_t ns = m->n_open ? m->open[0].end_ns : INT64_MAX;

	if (m->next && m->next[THREAD] == m->thread)
		ns = gaspdb_min(ns, m->next[START]);
	return ns;
}

bool gaspdb_delay_causes_need(causes *m, int64_t thread, int64_t at_ns,
			      int64_t *until_ns)
{
	advance(m, thread, at_ns);
	*until_ns = m->n_open ? m->last_end_ns : next_change(m);
	return m->n_open > 0;
}

/* --- pieces --------------------------------------------------------------- */

/* Move a line to the front of the list. */
static void move_to_front(causes *m, size_t row)
{
	int64_t *line = line_values(m, row);
	const size_t newer = (size_t)line[NEWER], older = (size_t)line[OLDER];

	if (m->newest == row + 1)
		return;
	if (newer)
		line_values(m, newer - 1)[OLDER] = line[OLDER];
	if (older)
		line_values(m, older - 1)[NEWER] = line[NEWER];
	line[NEWER] = 0;
	line[OLDER] = (int64_t)m->newest;
	if (m->newest)
		line_values(m, m->newest - 1)[NEWER] = (int64_t)row + 1;
	m->newest = row + 1;
}

/* Add ns of a piece while waits are open. */
static void add_time(causes *m, const struct gaspdb_activity_piece *p,
		     int64_t ns)
{
	const int64_t keys[] = { p->kind, p->from, p->to };
	int64_t *line;

	if (m->waited.n == 1) {
		add_share(m, waited_keys(m, 0), keys,
			  gaspdb_times(waited_values(m, 0)[WAITING], ns));
		return;
	}
	line = gaspdb_group(m->run, &m->lines, keys);
	if (!line)
		return;
	gaspdb_add_to(&line[NS], ns);
	line[TICK] = ++m->ticks;
	move_to_front(m, gaspdb_groups_number(&m->lines, line));
}

void gaspdb_delay_causes_add(causes *m, const struct gaspdb_activity_piece *p)
{
	int64_t at_ns = p->start_ns;

	if (!m->next && !m->n_open)
		return;
	while (at_ns < p->end_ns) {
		int64_t stop_ns;

		advance(m, p->thread, at_ns);
		stop_ns = gaspdb_min(p->end_ns, next_change(m));
		if (m->n_open && p->kind != GASPDB_NOT_RECORDED)
			add_time(m, p, stop_ns - at_ns);
		at_ns = stop_ns;
	}
}

void gaspdb_delay_causes_finish(causes *m)
{
	while (m->n_open)
		end_wait(m);
}

void gaspdb_delay_causes_close(causes *m)
{
	gaspdb_sorter_fini(&m->waits);
	gaspdb_groups_fini(&m->waited);
	gaspdb_groups_fini(&m->lines);
	gaspdb_groups_fini(&m->sums);
	free(m->open);
}
