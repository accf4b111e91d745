/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the others wait for a thread is summed up along its time, at the edges
 * of waits; how much it is between two moments is the difference of two sums.
 */
#include "analysis/access/hand_made.h"

#include <stdlib.h>

#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/access.h"
#include "sql/store/table.h"

/* Values of a line. */
enum { ACCESSES, BYTES, TIME, FIRST, LAST, BROKEN, N_VALUES };

/* A row of edges, by thread and time.  Of one moment the order is that of their
   kinds. */
enum edge { WAIT_ENDS, WAIT_BEGINS, ENDS, BEGINS };
enum {
	E_THREAD,
	E_TIME,
	E_KIND,
	E_SOURCE,
	E_BYTES,
	E_NS,
	E_COLUMNS,
	E_KEYS = 3
};

/* Columns of hand_made_total that are sums. */
enum { T_TIMES, T_ACCESSES, T_BYTES, T_TIME, T_WAITED, N_TOTALS };

/* Where nobody waits, nobody does so meanwhile. */
static bool any_waits(struct gaspdb_run *run)
{
	sqlite3_stmt *waits = gaspdb_prepare(run, gaspdb_sql_any_wait);
	const bool any = gaspdb_row(run, waits);

	sqlite3_finalize(waits);
	return any;
}

void gaspdb_hand_made_open(struct gaspdb_hand_made *h, struct gaspdb_run *run)
{
	*h = (struct gaspdb_hand_made){ .run = run,
					.peers = gaspdb_run_processes(run) - 1,
					.thread = GASPDB_NONE,
					.broken = GASPDB_NONE };
	h->wanted = h->peers >= GASPDB_HAND_MADE_MIN_PEERS && any_waits(run);
	gaspdb_groups_init(&h->lines, 1, N_VALUES);
	gaspdb_groups_init(&h->seen, 2, 1);
	gaspdb_sorter_init(&h->edges, run, E_COLUMNS, E_KEYS);
	h->found = gaspdb_zeroed(run, (size_t)run->n_threads + 1,
				 sizeof *h->found);
}

void gaspdb_hand_made_add(struct gaspdb_hand_made *h,
			  const struct gaspdb_access *a, int64_t start_ns)
{
	int64_t *line, *seen;

	if (!h->wanted || a->source == h->broken)
		return;
	h->thread = a->thread;
	line = gaspdb_group(h->run, &h->lines, &a->source);
	if (!line || line[BROKEN]) {
		h->broken = a->source;
		return;
	}
	seen = gaspdb_group(h->run, &h->seen,
			    (int64_t[]){ a->source, a->peer });
	if (!seen)
		return;
	if (*seen || (line[ACCESSES] && line[BYTES] != a->bytes)) {
		line[BROKEN] = 1;
		return;
	}
	*seen = 1;
	if (!line[ACCESSES]++)
		line[FIRST] = start_ns;
	line[BYTES] = a->bytes;
	line[LAST] = gaspdb_plus(start_ns, a->duration_ns);
	gaspdb_add_to(&line[TIME], a->duration_ns);
}

static void add_edge(struct gaspdb_hand_made *h, int64_t thread, int64_t at_ns,
		     enum edge kind, const int64_t *line)
{
	gaspdb_sorter_add(&h->edges,
			  (int64_t[]){ thread, at_ns, kind, line ? line[0] : 0,
				       line ? line[1 + BYTES] : 0,
				       line ? line[1 + TIME] : 0 });
}

void gaspdb_hand_made_separate(struct gaspdb_hand_made *h)
{
	for (size_t i = 0; i < h->lines.n; i++) {
		const int64_t *line = gaspdb_groups_row(&h->lines, i);
		const int64_t *v = line + 1;

		if (v[BROKEN] || v[ACCESSES] != h->peers ||
		    v[LAST] <= v[FIRST] || !h->found)
			continue;
		add_edge(h, h->thread, v[FIRST], BEGINS, line);
		add_edge(h, h->thread, v[LAST], ENDS, line);
		h->found[h->thread] = h->any = true;
	}
	if (!h->lines.n)
		return;
	h->broken = GASPDB_NONE;
	gaspdb_groups_clear(&h->lines);
	gaspdb_groups_clear(&h->seen);
}

/* --- who waited meanwhile ------------------------------------------------- */

static bool take_wait(void *user, const int64_t *w)
{
	struct gaspdb_hand_made *h = user;
	const int64_t cause = w[GASPDB_WAIT_CAUSE_THREAD];

	if (gaspdb_run_thread(h->run, cause) && h->found[cause]) {
		add_edge(h, cause, w[GASPDB_WAIT_START], WAIT_BEGINS, NULL);
		add_edge(h, cause, w[GASPDB_WAIT_END], WAIT_ENDS, NULL);
	}
	return h->run->status == GASPDB_OK;
}

/* Where the walk along a thread's time is. */
struct walk {
	int64_t thread, at_ns, waiting, waited_ns;
	struct gaspdb_groups open; /* source: when it began, waited then */
	struct gaspdb_groups totals;
};

static void go_to(struct walk *w, const int64_t *edge)
{
	if (edge[E_THREAD] != w->thread) {
		w->thread = edge[E_THREAD];
		w->waiting = w->waited_ns = 0;
		gaspdb_groups_clear(&w->open);
	} else {
		gaspdb_add_to(
			&w->waited_ns,
			gaspdb_times(w->waiting, edge[E_TIME] - w->at_ns));
	}
	w->at_ns = edge[E_TIME];
}

/* Half of the others' time in it was waiting. */
static void finish(struct gaspdb_hand_made *h, struct walk *w,
		   const int64_t *edge)
{
	const int64_t *began = gaspdb_groups_find(&w->open, &edge[E_SOURCE]);
	int64_t waited_ns, *sums;

	if (!began)
		return;
	waited_ns = w->waited_ns - began[1];
	if (waited_ns < gaspdb_times(edge[E_TIME] - began[0], h->peers) / 2)
		return;
	sums = gaspdb_group(h->run, &w->totals,
			    (int64_t[]){ edge[E_SOURCE], w->thread });
	if (!sums)
		return;
	sums[T_TIMES]++;
	sums[T_ACCESSES] += h->peers;
	gaspdb_add_to(&sums[T_BYTES], gaspdb_times(edge[E_BYTES], h->peers));
	gaspdb_add_to(&sums[T_TIME], edge[E_NS]);
	gaspdb_add_to(&sums[T_WAITED], waited_ns);
}

static void take_edge(struct gaspdb_hand_made *h, struct walk *w,
		      const int64_t *edge)
{
	int64_t *began;

	go_to(w, edge);
	switch ((enum edge)edge[E_KIND]) {
	case WAIT_ENDS:
		w->waiting--;
		break;
	case WAIT_BEGINS:
		w->waiting++;
		break;
	case ENDS:
		finish(h, w, edge);
		break;
	case BEGINS:
		began = gaspdb_group(h->run, &w->open, &edge[E_SOURCE]);
		if (began) {
			began[0] = w->at_ns;
			began[1] = w->waited_ns;
		}
		break;
	}
}

static void walk(struct gaspdb_hand_made *h)
{
	struct walk w = { .thread = GASPDB_NONE };
	struct gaspdb_table waits;
	const int64_t *edge;

	gaspdb_table_open(&waits, &h->run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&waits, take_wait, h);
	gaspdb_table_close(&waits);
	gaspdb_groups_init(&w.open, 1, 2);
	gaspdb_groups_init(&w.totals, 2, N_TOTALS);
	while ((edge = gaspdb_sorter_next(&h->edges)))
		take_edge(h, &w, edge);
	gaspdb_groups_write(h->run, &w.totals, gaspdb_sql_hand_made_add);
	gaspdb_groups_fini(&w.open);
	gaspdb_groups_fini(&w.totals);
}

void gaspdb_hand_made_close(struct gaspdb_hand_made *h)
{
	gaspdb_hand_made_separate(h);
	if (h->any)
		walk(h);
	gaspdb_groups_fini(&h->lines);
	gaspdb_groups_fini(&h->seen);
	gaspdb_sorter_fini(&h->edges);
	free(h->found);
}
