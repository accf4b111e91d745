/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording gaps of threads, for a pass in the order of threads and time. */
#ifndef GASPDB_ANALYSIS_ENGINE_THREAD_GAPS_H
#define GASPDB_ANALYSIS_ENGINE_THREAD_GAPS_H

#include "analysis/engine/run.h"

struct gaspdb_thread_gaps {
	struct gaspdb_run *run;
	sqlite3_stmt *stmt;
	int64_t thread, start_ns,
		end_ns; /* the next gap; thread INT64_MAX: none */
};

void gaspdb_thread_gaps_open(struct gaspdb_thread_gaps *gaps,
			     struct gaspdb_run *run);
/*
 * Is the thread in a gap at that time? Queries come in the order of threads,
 * and of time within a thread. Returns the time until which the answer holds.
 */
int64_t gaspdb_thread_gaps_at(struct gaspdb_thread_gaps *gaps, int64_t thread,
			      int64_t at_ns, bool *in_gap);
void gaspdb_thread_gaps_close(struct gaspdb_thread_gaps *gaps);

#endif
