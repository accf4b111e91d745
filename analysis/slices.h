/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that come thread by thread, given again slice of time by slice of time:
 * of each slice all threads' calls that begin in it.  A slice has a few 10,000,
 * however many there are (unless more begin in the same nanosecond); a file
 * without a name holds the others, in 8 or 16 bytes each.
 */
#ifndef GASPDB_ANALYSIS_SLICES_H
#define GASPDB_ANALYSIS_SLICES_H

#include "analysis/run.h"

struct gaspdb_sliced_call {
	int64_t start_ns, end_ns;
	int32_t thread;
	uint32_t what, peer; /* the caller's; both 0 take less room */
};

struct gaspdb_slice;
struct gaspdb_spool;

struct gaspdb_slices {
	struct gaspdb_run *run;
	struct gaspdb_slice *slices; /* in order of time, equally long */
	size_t n;
	int64_t from_ns; /* the first */
	uint64_t width_ns;
	/* The last call's slice, and where that begins and ends, from from_ns
	   on. */
	struct gaspdb_slice *current;
	uint64_t current_from, current_until;
	struct gaspdb_spool *spool;
};

struct gaspdb_slices_out {
	void *user;
	/* Of a slice: in the order in which they were added. */
	void (*call)(void *user, const struct gaspdb_sliced_call *call);
	/* The slice is complete: all calls that begin up to this moment have
	   been given. */
	void (*reached)(void *user, int64_t at_ns);
};

/* So many calls may be added, most of them between these two moments. */
void gaspdb_slices_open(struct gaspdb_slices *slices, struct gaspdb_run *run,
			int64_t from_ns, int64_t until_ns, int64_t calls);
void gaspdb_slices_add(struct gaspdb_slices *slices,
		       const struct gaspdb_sliced_call *call);
/* Give all that have been added; as often as is wanted. */
void gaspdb_slices_give(struct gaspdb_slices *slices,
			const struct gaspdb_slices_out *out);
/* Zeroed: nothing. */
void gaspdb_slices_close(struct gaspdb_slices *slices);

#endif
