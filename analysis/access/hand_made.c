/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweep over each thread's candidates and the waits for the thread. The sweep
 * keeps the running sum of waiting time of all threads; the waiting time during
 * a candidate is the difference of two sums.
 */
#include "analysis/access/hand_made.h"

#include <stdlib.h>

#include "analysis/waits/waits.h"
#include "common/sum.h"
#include "sql/passes/access.h"
#include "sql/store/table.h"

/* Values of a line. EXCLUDED: it is no candidate. */
enum { ACCESSES, BYTES, TIME, FIRST, LAST, EXCLUDED, N_VALUES };

/* A row of edges, sorted by thread, time and kind. */
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

/* Sums of hand_made_total. */
enum { T_TIMES, T_ACCESSES, T_BYTES, T_TIME, T_WAITED, N_TOTALS };

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
					.excluded = GASPDB_NONE };
	h->enabled = h->peers >= GASPDB_HAND_MADE_MIN_PEERS && any_waits(run);
	gaspdb_groups_init(&h->lines, 1, N_VALUES);
	gaspdb_groups_init(&h->seen, 2, 1);
	gaspdb_sorter_init(&h->edges, run, E_COLUMNS, E_KEYS);
	h->has_candidate = gaspdb_zeroed(run, (size_t)run->n_threads + 1,
					 sizeof *h->has_candidate);
}

void gaspdb_hand_made_add(struct gaspdb_hand_made *h,
			  const struct gaspdb_access *a, int64_t start_ns)
{
	int64_t *line, *seen;

	if (!h->enabled || a->source == h->excluded)
		return;
	h->thread = a->thread;
	line = gaspdb_group(h->run, &h->lines, &a->source);
	if (!line || line[EXCLUDED]) {
		h->excluded = a->source;
		return;
	}
	seen = gaspdb_group(h->run, &h->seen,
			    (int64_t[]){ a->source, a->peer });
	if (!seen)
		return;
	if (*seen || (line[ACCESSES] && line[BYTES] != a->bytes)) {
		line[EXCLUDED] = 1;
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

		if (v[EXCLUDED] || v[ACCESSES] != h->peers ||
		    v[LAST] <= v[FIRST] || !h->has_candidate)
			continue;
		add_edge(h, h->thread, v[FIRST], BEGINS, line);
		add_edge(h, h->thread, v[LAST], ENDS, line);
		h->has_candidate[h->thread] = h->any = true;
	}
	if (!h->lines.n)
		return;
	h->excluded = GASPDB_NONE;
	gaspdb_groups_clear(&h->lines);
	gaspdb_groups_clear(&h->seen);
}

/* --- waits during candidates ---------------------------------------------- */

static bool add_wait_edges(void *user, const int64_t *w)
{
	struct gaspdb_hand_made *h = user;
	const int64_t cause = w[GASPDB_WAIT_CAUSE_THREAD];

	if (gaspdb_run_thread(h->run, cause) && h->has_candidate[cause]) {
		add_edge(h, cause, w[GASPDB_WAIT_START], WAIT_BEGINS, NULL);
		add_edge(h, cause, w[GASPDB_WAIT_END], WAIT_ENDS, NULL);
	}
	return h->run->status == GASPDB_OK;
}

/* State of the sweep over a thread. */
struct sweep {
	int64_t thread, at_ns;
	int64_t waiting, waited_ns; /* number of open waits, running sum */
	struct gaspdb_groups open;  /* source: start, waited_ns then */
	struct gaspdb_groups totals;
};

static void advance(struct sweep *w, const int64_t *edge)
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

/* End a candidate. It counts if waits take at least half of the other
   processes' time in it. */
static void end_candidate(struct gaspdb_hand_made *h, struct sweep *w,
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

static void process_edge(struct gaspdb_hand_made *h, struct sweep *w,
			 const int64_t *edge)
{
	int64_t *began;

	advance(w, edge);
	switch ((enum edge)edge[E_KIND]) {
	case WAIT_ENDS:
		w->waiting--;
		break;
	case WAIT_BEGINS:
		w->waiting++;
		break;
	case ENDS:
		end_candidate(h, w, edge);
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

static void sweep(struct gaspdb_hand_made *h)
{
	struct sweep w = { .thread = GASPDB_NONE };
	struct gaspdb_table waits;
	const int64_t *edge;

	gaspdb_table_open(&waits, &h->run->tables, "wait", GASPDB_WAIT_COLUMNS);
	gaspdb_table_scan(&waits, add_wait_edges, h);
	gaspdb_table_close(&waits);
	gaspdb_groups_init(&w.open, 1, 2);
	gaspdb_groups_init(&w.totals, 2, N_TOTALS);
	while ((edge = gaspdb_sorter_next(&h->edges)))
		process_edge(h, &w, edge);
	gaspdb_groups_write(h->run, &w.totals, gaspdb_sql_hand_made_add);
	gaspdb_groups_fini(&w.open);
	gaspdb_groups_fini(&w.totals);
}

void gaspdb_hand_made_close(struct gaspdb_hand_made *h)
{
	gaspdb_hand_made_separate(h);
	if (h->any)
		sweep(h);
	gaspdb_groups_fini(&h->lines);
	gaspdb_groups_fini(&h->seen);
	gaspdb_sorter_fini(&h->edges);
	free(h->has_candidate);
}
