/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A group: the blocking remote accesses of one line on one thread between two
 * of its synchronizations, each small, and none polling.  One access a peer
 * could do the same.
 */
#include "analysis/access/fine_grained.h"
#include "common/sum.h"

#include <stdio.h>

#include "sql/passes/access.h"

enum { SMALL_BYTES = 256, MIN_ACCESSES = 16 };

/* Values of a row of `peers`: what is known of one source and peer.  LAST and
   STRIDE are two words each. */
enum {
	ACCESSES,
	BYTES,
	TIME,
	REPEATED,
	LONGEST,
	FIRST_EVENT,
	LAST,
	LAST_BYTES = LAST + 2,
	STRIDE,
	SHAPE = STRIDE + 2,
	N_VALUES
};

/* SHAPE: what has been ruled out so far, the first five of either word. */
enum {
	NOT_ADJACENT = 1, /* an access did not begin where the last ended */
	NOT_ADJACENT_BACK = 2,	    /* nor end where the last began */
	NOT_CONSTANT = 4,	    /* strides differ */
	NOT_STILL = 8,		    /* a stride is not 0 */
	NOT_NEAR = 16,		    /* a stride is more than INT32_MAX bytes */
	WORD = 5,		    /* bits of the first word */
	NO_ADDRESS = 1 << 2 * WORD, /* some address is not known */
	OF_POINTERS = 2 << 2 * WORD /* a word may be more than an address */
};

void gaspdb_fine_grained_open(struct gaspdb_fine_grained *fine,
			      struct gaspdb_run *run)
{
	fine->run = run;
	fine->thread = GASPDB_NONE;
	gaspdb_groups_init(&fine->peers, 2, N_VALUES);
	fine->insert = gaspdb_prepare(run, gaspdb_sql_fine_grained_add);
}

static int64_t rule_out(int64_t *v, const struct gaspdb_access *a,
			unsigned word)
{
	const int64_t stride = a->place[word] - v[LAST + word];
	int64_t shape = 0;

	if (stride != v[LAST_BYTES])
		shape |= NOT_ADJACENT;
	if (stride != -a->bytes)
		shape |= NOT_ADJACENT_BACK;
	if (v[ACCESSES] > 1 && stride != v[STRIDE + word])
		shape |= NOT_CONSTANT;
	if (stride)
		shape |= NOT_STILL;
	if (stride > INT32_MAX || stride < -INT32_MAX)
		shape |= NOT_NEAR;
	v[STRIDE + word] = stride;
	return shape << word * WORD;
}

static void follow_addresses(int64_t *v, const struct gaspdb_access *a)
{
	if (!a->placed) {
		v[SHAPE] |= NO_ADDRESS;
		return;
	}
	if (a->is_pointer)
		v[SHAPE] |= OF_POINTERS;
	for (unsigned word = 0; word < 2; word++) {
		if (v[ACCESSES] > 0 && !(v[SHAPE] & NO_ADDRESS))
			v[SHAPE] |= rule_out(v, a, word);
		v[LAST + word] = a->place[word];
	}
	v[LAST_BYTES] = a->bytes;
}

void gaspdb_fine_grained_add(struct gaspdb_fine_grained *fine,
			     const struct gaspdb_access *a,
			     enum gaspdb_reread what)
{
	int64_t *v;

	if (a->bytes > SMALL_BYTES || a->bytes <= 0)
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
	int64_t shape, stride[2];
	bool strides_differ[2], moves; /* some peer has two accesses */
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
	if (v[ACCESSES] < 2)
		return;
	for (unsigned word = 0; word < 2; word++) {
		const int64_t stride = v[STRIDE + word];

		g->strides_differ[word] |=
			g->moves && stride != g->stride[word];
		g->stride[word] = stride;
	}
	g->moves = true;
}

/*
 * A pointer's words are an address, and what the compiler puts beside it: the
 * owner, which is the same, and a place in its block, which need not be.  What
 * grows by the accesses' size is an address; what else moves may be.
 */
static void name_pattern(const struct group *g, char *name, size_t size)
{
	const int64_t shape[] = { g->shape, g->shape >> WORD };
	const unsigned word = !(shape[0] & NOT_STILL);
	const int64_t stride = g->stride[word];
	const bool differ =
		shape[word] & NOT_CONSTANT || g->strides_differ[word];

	if (g->shape & NO_ADDRESS)
		snprintf(name, size, "unknown");
	else if (!(shape[0] & NOT_ADJACENT) ||
		 !(shape[0] & NOT_ADJACENT_BACK) ||
		 !(shape[1] & NOT_ADJACENT) || !(shape[1] & NOT_ADJACENT_BACK))
		snprintf(name, size, "contiguous");
	else if (!(shape[word] & NOT_STILL))
		snprintf(name, size, "same address");
	else if (g->shape & OF_POINTERS &&
		 ((shape[!word] & NOT_STILL) || (shape[word] & NOT_NEAR)))
		snprintf(name, size, "unknown");
	else if (differ)
		snprintf(name, size, "irregular");
	else
		snprintf(name, size, "strided by %lld", (long long)stride);
}

/* The longest access to each peer stays. */
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

void gaspdb_fine_grained_write(struct gaspdb_fine_grained *fine)
{
	struct group g = { 0 };

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
	gaspdb_exec(fine->run, gaspdb_sql_fine_grained_finish);
	sqlite3_finalize(fine->insert);
	gaspdb_groups_fini(&fine->peers);
}
