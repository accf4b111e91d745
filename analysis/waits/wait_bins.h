/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting time per time bin: tables wait_bin and thread_wait_bin. */
#ifndef GASPDB_ANALYSIS_WAITS_WAIT_BINS_H
#define GASPDB_ANALYSIS_WAITS_WAIT_BINS_H

#include "analysis/waits/waits.h"

struct gaspdb_wait_bins {
	struct gaspdb_run *run;
	int64_t width_ns, thread_width_ns; /* 0: the run has no bins */
	int64_t n, n_thread; /* number of bins of a kind, of a thread */
	int64_t *ns; /* n_thread bins per thread, then n bins per kind */
};

void gaspdb_wait_bins_open(struct gaspdb_wait_bins *bins,
			   struct gaspdb_run *run);
/* Add a row of table wait. */
void gaspdb_wait_bins_add(struct gaspdb_wait_bins *bins,
			  const struct gaspdb_wait *wait);
/* Write the tables. */
void gaspdb_wait_bins_close(struct gaspdb_wait_bins *bins);

#endif
