/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of small accesses: the blocking remote accesses of one line on one
 * thread between two of its synchronizations, without polling reads. One access
 * for each peer could replace a group.
 */
#include "analysis/access/fine_grained.h"
#include "common/sum.h"

#include <stdio.h>

#include "sql/passes/access.h"

enum { SMALL_BYTES = 256, MIN_ACCESSES = 16 };

/* Values of a row of `peers`: sums of one source and peer, and the last place
   and stride, of two words each. */
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

/* SHAPE: patterns ruled out so far; the first five flags for either word. */
enum {
	NOT_ADJACENT = 1, /* an access did not begin at the end of the last */
	NOT_ADJACENT_BACK = 2,	    /* nor end at the start of the last */
	NOT_CONSTANT = 4,	    /* strides differ */
	NOT_ZERO = 8,		    /* a stride is not 0 */
	NOT_SMALL = 16,		    /* a stride is more than INT32_MAX bytes */
	WORD = 5,		    /* number of flags of a word */
	NO_ADDRESS = 1 << 2 * WORD, /* an address is unknown */
	OF_POINTERS = 2 << 2 * WORD /* words of a UPC pointer */
};

void gaspdb_fine_grained_open(struct gaspdb_fine_grained *fine,
			      struct gaspdb_run *run)
{
	fine->run = run;
	fine->thread = GASPDB_NONE;
	gaspdb_groups_init(&fine->peers, 2, N_VALUES);
	fine->insert = gaspdb_prepare(run, gaspdb_sql_fine_grained_add);
}

static int64_t compare_stride(int64_t *v, const struct gaspdb_access *a,
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
		shape |= NOT_ZERO;
	if (stride > INT32_MAX || stride < -INT32_MAX)
		shape |= NOT_SMALL;
	v[STRIDE + word] = stride;
	return shape << word * WORD;
}

static void update_pattern(int64_t *v, const struct gaspdb_access *a)
{
	if (!a->placed) {
		v[SHAPE] |= NO_ADDRESS;
		return;
	}
	if (a->is_pointer)
		v[SHAPE] |= OF_POINTERS;
	for (unsigned word = 0; word < 2; word++) {
		if (v[ACCESSES] > 0 && !(v[SHAPE] & NO_ADDRESS))
			v[SHAPE] |= compare_stride(v, a, word);
		v[LAST + word] = a->place[word];
	}
	v[LAST_BYTES] = a->bytes;
}

void gaspdb_fine_grained_add(struct gaspdb_fine_grained *fine,
			     const struct gaspdb_access *a,
			     enum gaspdb_reread reread)
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
	update_pattern(v, a);
	v[ACCESSES]++;
	gaspdb_add_to(&v[BYTES], a->bytes);
	gaspdb_add_to(&v[TIME], a->duration_ns);
	if (reread == GASPDB_READ_REPEATED)
		gaspdb_add_to(&v[REPEATED], a->duration_ns);
	if (a->duration_ns > v[LONGEST])
		v[LONGEST] = a->duration_ns;
}

/* A group: sums over the peers of one source. */
struct group {
	int64_t peers, accesses, bytes, time_ns;
	int64_t repeated_ns, longest_ns, first_event;
	int64_t shape, stride[2];
	bool strides_differ[2], moves; /* moves: a peer has two accesses */
};

static void add_peer(struct group *g, const int64_t *v)
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
 * Name the access pattern. One word of a UPC pointer has an address, the other
 * the owner, which is constant, and a position in a block, which may vary. A
 * word that grows by the size of the accesses is an address; other varying
 * words need not be.
 */
static void name_pattern(const struct group *g, char *name, size_t size)
{
	const int64_t shape[] = { g->shape, g->shape >> WORD };
	const unsigned word = !(shape[0] & NOT_ZERO);
	const int64_t stride = g->stride[word];
	const bool differ =
		shape[word] & NOT_CONSTANT || g->strides_differ[word];

	if (g->shape & NO_ADDRESS)
		snprintf(name, size, "unknown");
	else if (!(shape[0] & NOT_ADJACENT) ||
		 !(shape[0] & NOT_ADJACENT_BACK) ||
		 !(shape[1] & NOT_ADJACENT) || !(shape[1] & NOT_ADJACENT_BACK))
		snprintf(name, size, "contiguous");
	else if (!(shape[word] & NOT_ZERO))
		snprintf(name, size, "same address");
	else if (g->shape & OF_POINTERS &&
		 ((shape[!word] & NOT_ZERO) || (shape[word] & NOT_SMALL)))
		snprintf(name, size, "unknown");
	else if (differ)
		snprintf(name, size, "irregular");
	else
		snprintf(name, size, "strided by %lld", (long long)stride);
}

/* Write a group. Its saving is all time but the longest access to each peer. */
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

		add_peer(&g, row + 2);
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
