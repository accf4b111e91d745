/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of computation over threads, and their maximum, by bin. */
#include "analysis/pop/bins.h"

typedef struct gaspdb_pop_bins bins;

/* The start of bin i: i 64ths of the region, rounded down. */
static int64_t edge(const bins *b, int64_t i)
{
	const int64_t length = b->end_ns - b->start_ns;

	return b->start_ns + length / GASPDB_POP_BINS * i +
	       length % GASPDB_POP_BINS * i / GASPDB_POP_BINS;
}

static void set_bin(bins *b, int64_t bin)
{
	b->bin = bin;
	b->edge_ns = edge(b, bin + 1);
}

void gaspdb_pop_bins_init(bins *b, int64_t start_ns, int64_t end_ns)
{
	*b = (bins){ .start_ns = start_ns, .end_ns = end_ns };
	for (int i = 0; i < 2 * GASPDB_POP_BINS; i++)
		b->part[i].most_thread = GASPDB_NONE;
	set_bin(b, 0);
}

int64_t gaspdb_pop_bins_at(bins *b, int64_t at_ns)
{
	while (b->edge_ns <= at_ns)
		set_bin(b, b->bin + 1);
	return b->edge_ns;
}

void gaspdb_pop_bins_thread(bins *b, int64_t thread)
{
	int64_t ns[2 * GASPDB_POP_BINS];

	for (int i = 2 * GASPDB_POP_BINS - 1; i > 0; i--) {
		struct gaspdb_pop_part *p = &b->part[i];

		if (i >= GASPDB_POP_BINS) {
			ns[i] = b->thread_ns[i - GASPDB_POP_BINS];
			b->thread_ns[i - GASPDB_POP_BINS] = 0;
		} else {
			ns[i] = ns[2 * i] + ns[2 * i + 1];
		}
		p->computation_ns += ns[i];
		if (p->most_thread == GASPDB_NONE || ns[i] > p->most_ns) {
			p->most_ns = ns[i];
			p->most_thread = thread;
		}
	}
	set_bin(b, 0);
}

void gaspdb_pop_bins_write(const bins *b, struct gaspdb_run *run, bool whole)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, GASPDB_INSERT_INTO_pop_bin);

	for (int64_t n = 1; n <= GASPDB_POP_BINS; n *= 2)
		for (int64_t i = 0; i < n; i++) {
			const struct gaspdb_pop_part *p = &b->part[n + i];
			const int64_t per = GASPDB_POP_BINS / n;
			const int64_t start_ns = edge(b, i * per);
			const int64_t end_ns = edge(b, (i + 1) * per);

			if (end_ns > start_ns && p->most_thread != GASPDB_NONE)
				gaspdb_write(run, stmt, 7,
					     (int64_t[]){ whole, n, start_ns,
							  end_ns,
							  p->computation_ns,
							  p->most_ns,
							  p->most_thread },
					     NULL);
		}
	sqlite3_finalize(stmt);
}
