/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A group: the blocking remote accesses of one line on one thread between two
 * of its synchronizations, each small, and none polling.  One access a peer
 * could do the same.
 */
#include "analysis/fine_grained.h"
#include "sum.h"

#include <stdio.h>

enum { SMALL_BYTES = 256, MIN_ACCESSES = 16 };

/* Values of a row of `peers`: what is known of one source and peer. */
enum {
	ACCESSES,
	BYTES,
	TIME,
	REPEATED,
	LONGEST,
	FIRST_EVENT,
	LAST_OBJECT,
	LAST_BYTES,
	STRIDE,
	SHAPE,
	N_VALUES
};

/* SHAPE: what has been ruled out so far. */
enum {
	NOT_ADJACENT = 1, /* an access did not begin where the last ended */
	NOT_ADJACENT_BACK = 2, /* nor end where the last began */
	NOT_CONSTANT = 4,      /* strides differ */
	NO_ADDRESS = 8	       /* some address is not known */
};

void gaspdb_fine_grained_open(struct gaspdb_fine_grained *fine,
			      struct gaspdb_run *run)
{
	fine->run = run;
	fine->thread = GASPDB_NONE;
	gaspdb_groups_init(&fine->peers, 2, N_VALUES);
	fine->insert = gaspdb_prepare(
		run, "INSERT INTO fine_grained(thread_id, source_id, "
		     "first_event_id, peers, accesses, bytes, time_ns, "
		     "saving_ns, repeated_ns, pattern) "
		     "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
}

static void follow_addresses(int64_t *v, const struct gaspdb_access *a)
{
	int64_t stride;

	if (a->object == GASPDB_NONE || a->is_pointer) {
		v[SHAPE] |= NO_ADDRESS;
		return;
	}
	if (v[ACCESSES] > 0 && !(v[SHAPE] & NO_ADDRESS)) {
		stride = a->object - v[LAST_OBJECT];
		if (stride != v[LAST_BYTES])
			v[SHAPE] |= NOT_ADJACENT;
		if (stride != -a->bytes)
			v[SHAPE] |= NOT_ADJACENT_BACK;
		if (v[ACCESSES] > 1 && stride != v[STRIDE])
			v[SHAPE] |= NOT_CONSTANT;
		v[STRIDE] = stride;
	}
	v[LAST_OBJECT] = a->object;
	v[LAST_BYTES] = a->bytes;
}

void gaspdb_fine_grained_add(struct gaspdb_fine_grained *fine,
			     const struct gaspdb_access *a,
			     enum gaspdb_reread what)
{
	int64_t *v;

	if (a->bytes > SMALL_BYTES)
		return;
	fine->thread = a->thread;
	v = gaspdb_group(fine->run, &fine->peers,
			 (int64_t[]){ a->source, a->peer });
	if (!v)
		return;
	if (!v[ACCESSES])
		v[FIRST_EVENT] = a->event;
	follow_addresses(v, a);
	v[ACCESSES]++;
	gaspdb_add_to(&v[BYTES], a->bytes);
	gaspdb_add_to(&v[TIME], a->duration_ns);
	if (what == GASPDB_READ_AGAIN)
		gaspdb_add_to(&v[REPEATED], a->duration_ns);
	if (a->duration_ns > v[LONGEST])
		v[LONGEST] = a->duration_ns;
}

/* The peers of one source together. */
struct group {
	int64_t peers, accesses, bytes, time_ns;
	int64_t repeated_ns, longest_ns, first_event;
	int64_t shape, stride;
	bool strides_differ, moves; /* some peer has two accesses */
};

static void join(struct group *g, const int64_t *v)
{
	g->peers++;
	gaspdb_add_to(&g->accesses, v[ACCESSES]);
	gaspdb_add_to(&g->bytes, v[BYTES]);
	gaspdb_add_to(&g->time_ns, v[TIME]);
	gaspdb_add_to(&g->repeated_ns, v[REPEATED]);
	gaspdb_add_to(&g->longest_ns, v[LONGEST]);
	if (g->peers == 1 || v[FIRST_EVENT] < g->first_event)
		g->first_event = v[FIRST_EVENT];
	g->shape |= v[SHAPE];
	if (v[ACCESSES] > 1) {
		g->strides_differ |= g->moves && v[STRIDE] != g->stride;
		g->stride = v[STRIDE];
		g->moves = true;
	}
}

static void name_pattern(const struct group *g, char *name, size_t size)
{
	if (g->shape & NO_ADDRESS)
		snprintf(name, size, "unknown");
	else if (!(g->shape & NOT_ADJACENT) || !(g->shape & NOT_ADJACENT_BACK))
		snprintf(name, size, "contiguous");
	else if (g->shape & NOT_CONSTANT || g->strides_differ)
		snprintf(name, size, "irregular");
	else if (g->stride == 0)
		snprintf(name, size, "same address");
	else
		snprintf(name, size, "strided by %lld", (long long)g->stride);
}

/* The median that bounds the saving is only known at the end. */
static void write_group(struct gaspdb_fine_grained *fine, int64_t source,
			const struct group *g)
{
	const int64_t values[] = { fine->thread,   source,
				   g->first_event, g->peers,
				   g->accesses,	   g->bytes,
				   g->time_ns,	   g->time_ns - g->longest_ns,
				   g->repeated_ns };
	char pattern[64];

	if (g->accesses < MIN_ACCESSES)
		return;
	name_pattern(g, pattern, sizeof(pattern));
	gaspdb_write(fine->run, fine->insert, 9, values, pattern);
}

void gaspdb_fine_grained_end(struct gaspdb_fine_grained *fine)
{
	struct group g = { 0 };

	if (!fine->peers.n)
		return;
	gaspdb_groups_sort(&fine->peers);
	for (size_t i = 0; i < fine->peers.n; i++) {
		const int64_t *row = gaspdb_groups_row(&fine->peers, i);

		join(&g, row + 2);
		if (i + 1 < fine->peers.n &&
		    gaspdb_groups_row(&fine->peers, i + 1)[0] == row[0])
			continue;
		write_group(fine, row[0], &g);
		g = (struct group){ 0 };
	}
	gaspdb_groups_clear(&fine->peers);
}

void gaspdb_fine_grained_close(struct gaspdb_fine_grained *fine)
{
	gaspdb_fine_grained_end(fine);
	gaspdb_exec(fine->run,
		    "UPDATE fine_grained SET saving_ns = min(saving_ns, "
		    "(accesses - peers) * (SELECT median_ns FROM access_line a "
		    "WHERE a.source_id = fine_grained.source_id "
		    "AND a.remote = 1))");
	gaspdb_exec(fine->run, "DELETE FROM fine_grained WHERE saving_ns <= 0");
	gaspdb_exec(fine->run,
		    "INSERT INTO fine_grained_total(source_id, thread_id, "
		    "pattern, groups, peers, accesses, bytes, time_ns, "
		    "saving_ns, repeated_ns) "
		    "SELECT source_id, thread_id, pattern, "
		    "count(*), max(peers), sum(accesses), sum(bytes), "
		    "sum(time_ns), sum(saving_ns), "
		    "sum(repeated_ns) FROM fine_grained "
		    "GROUP BY source_id, thread_id, pattern");
	sqlite3_finalize(fine->insert);
	gaspdb_groups_fini(&fine->peers);
}
