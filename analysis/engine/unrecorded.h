/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unrecorded intervals of processes: all time for a thread without a log, the
 * time after the last record of an incomplete log, and the gaps of table gap
 * except the collector's own work. A process is unrecorded while any of its
 * threads is; "all" is the union over processes. Beyond 2^20 intervals, and
 * three a process, neighbours are merged with the time between them. So time
 * may be unrecorded in excess and is never recorded in excess.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_UNRECORDED_H
#define GASPDB_ANALYSIS_ENGINE_UNRECORDED_H

#include "analysis/rows/sorter.h"

struct gaspdb_unrecorded_interval {
	int64_t process; /* NONE: all */
	int64_t start_ns, end_ns;
	int64_t before_ns; /* length of the process's earlier intervals */
};

struct gaspdb_unrecorded {
	struct gaspdb_run *run;
	struct gaspdb_unrecorded_interval
		*rows; /* in order of process and time */
	size_t n, room;
	size_t limit, full; /* full: number of rows that triggers a merge */
};

enum { GASPDB_UNRECORDED_COLUMNS = 3 };

/* Read the run's threads and gaps. limit: number of intervals, 0: 2^20. more,
   unless NULL: rows of further intervals: process, start, end. */
void gaspdb_unrecorded_open(struct gaspdb_unrecorded *unrecorded,
			    struct gaspdb_run *run, size_t limit,
			    struct gaspdb_sorter *more);
void gaspdb_unrecorded_close(struct gaspdb_unrecorded *unrecorded);

/* Queries for all, or for a process by its first thread: */

/* Is it unrecorded at a time? *until_ns: the answer holds until then;
   INT64_MAX: forever. */
bool gaspdb_unrecorded_at(const struct gaspdb_unrecorded *unrecorded,
			  int64_t process, int64_t at_ns, int64_t *until_ns);
/* Unrecorded time between two times. */
int64_t gaspdb_unrecorded_between(const struct gaspdb_unrecorded *unrecorded,
				  int64_t process, int64_t from_ns,
				  int64_t until_ns);
/* The start of the next unrecorded time; at_ns if it is unrecorded then;
   INT64_MAX: none. */
int64_t gaspdb_unrecorded_next(const struct gaspdb_unrecorded *unrecorded,
			       int64_t process, int64_t at_ns);
/* The end of the last unrecorded time before at_ns; at_ns if it was unrecorded
   just then; INT64_MIN: none. */
int64_t gaspdb_unrecorded_last(const struct gaspdb_unrecorded *unrecorded,
			       int64_t process, int64_t at_ns);

#endif
