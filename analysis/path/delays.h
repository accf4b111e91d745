/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scalasca's delays: the activity of threads that causes others to wait. */
#ifndef GASPDB_ANALYSIS_PATH_DELAYS_H
#define GASPDB_ANALYSIS_PATH_DELAYS_H

#include "analysis/path/collective_delays.h"
#include "analysis/path/delay_causes.h"
#include "analysis/waits/waits.h"

struct gaspdb_delays {
	struct gaspdb_run *run;
	const struct gaspdb_path_lines *lines;
	struct gaspdb_collective_delays collective;
	struct gaspdb_delay_causes causes;
	/* kind, thread, line, activity, from, to: ns, and 2^-32 ns */
	struct gaspdb_groups shares;
};

/* lines: for the sources of pieces; borrowed. */
void gaspdb_delays_open(struct gaspdb_delays *delays, struct gaspdb_run *run,
			const struct gaspdb_path_lines *lines);
/* Add a row of table wait, its kind, and the source of its cause; NONE:
   unknown. All rows are added before gaspdb_delays_begin(). */
void gaspdb_delays_wait(struct gaspdb_delays *delays, const int64_t *wait,
			enum gaspdb_wait_kind kind, int64_t cause_source);
/* recent: recent time of the thread; borrowed. */
void gaspdb_delays_begin(struct gaspdb_delays *delays,
			 struct gaspdb_recent_time *recent);
/* Are the pieces of a thread needed at a time? *until_ns: the answer holds
   until then. Queries are in the order of threads and time. */
bool gaspdb_delays_need(struct gaspdb_delays *delays, int64_t thread,
			int64_t at_ns, int64_t *until_ns);
/* Add a piece: all that are needed, in order. */
void gaspdb_delays_add(struct gaspdb_delays *delays,
		       const struct gaspdb_activity_piece *piece);
/* Write table delay. Needs wait_total. */
void gaspdb_delays_close(struct gaspdb_delays *delays);

#endif
