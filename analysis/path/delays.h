/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads did that others waited for. */
#ifndef GASPDB_ANALYSIS_PATH_DELAYS_H
#define GASPDB_ANALYSIS_PATH_DELAYS_H

#include "analysis/path/collective_delays.h"
#include "analysis/path/delay_causes.h"
#include "analysis/waits/waits.h"

struct gaspdb_delays {
	struct gaspdb_run *run;
	const struct gaspdb_path_lines *lines;
	struct gaspdb_collective_delays collective;
	struct gaspdb_delay_causes meanwhile;
	/* kind, thread, line, doing, from, to: ns, and 2^-32 ns */
	struct gaspdb_groups shares;
};

/* lines: what the sources of pieces stand for; borrowed. */
void gaspdb_delays_open(struct gaspdb_delays *delays, struct gaspdb_run *run,
			const struct gaspdb_path_lines *lines);
/* All rows of table wait, their kinds, and the sources of the calls that were
   waited for; NONE: not known. */
void gaspdb_delays_wait(struct gaspdb_delays *delays, const int64_t *wait,
			enum gaspdb_wait_kind kind, int64_t cause_source);
/* They are all told.  spent: what a thread does; borrowed. */
void gaspdb_delays_begin(struct gaspdb_delays *delays,
			 struct gaspdb_recent_time *spent);
/*
 * Is it of interest what a thread does at that time; *until_ns: before which
 * that does not change.  Threads one after the other, each in order of time.
 */
bool gaspdb_delays_need(struct gaspdb_delays *delays, int64_t thread,
			int64_t at_ns, int64_t *until_ns);
/* All pieces that are, in their order. */
void gaspdb_delays_add(struct gaspdb_delays *delays,
		       const struct gaspdb_piece *piece);
/* Write delay.  Wants wait_total. */
void gaspdb_delays_close(struct gaspdb_delays *delays);

#endif
