/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When threads were not recorded: always, if one has no log; from its last
 * record on, if its log is not whole; and where table gap says so, unless that
 * is the collector's own work.  Of each process, and of all together: what is
 * in none of these times is known.
 *
 * A process is absent while any of its threads is.  Times are as few intervals
 * as can be; beyond 2^20 of them, and three a process, each takes in its
 * neighbour and what is between the two: less is known then, and nothing is
 * that is not so.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_UNRECORDED_H
#define GASPDB_ANALYSIS_ENGINE_UNRECORDED_H

#include "analysis/rows/sorter.h"

struct gaspdb_unrecorded_interval {
	int64_t process; /* NONE: of all */
	int64_t start_ns, end_ns;
	int64_t before_ns; /* the process's, all before it */
};

struct gaspdb_unrecorded {
	struct gaspdb_run *run;
	struct gaspdb_unrecorded_interval *rows; /* by process and time */
	size_t n, room;
	size_t limit, full; /* full: so many; make them fewer */
};

enum { GASPDB_UNRECORDED_COLUMNS = 3 };

/* Reads the run's threads and gaps; limit: how many intervals, 0: 2^20.  more:
   NULL, or rows of further ones: process, start, end. */
void gaspdb_unrecorded_open(struct gaspdb_unrecorded *absences,
			    struct gaspdb_run *run, size_t limit,
			    struct gaspdb_sorter *more);
void gaspdb_unrecorded_close(struct gaspdb_unrecorded *absences);

/* Of all, or of a process (its first thread): */

/* Is it absent; *until_ns: how long that does not change, INT64_MAX: ever. */
bool gaspdb_unrecorded_at(const struct gaspdb_unrecorded *absences,
			  int64_t process, int64_t at_ns, int64_t *until_ns);
/* For how long between the two. */
int64_t gaspdb_unrecorded_between(const struct gaspdb_unrecorded *absences,
				  int64_t process, int64_t from_ns,
				  int64_t until_ns);
/* From when on it is absent next, at_ns if it is then; INT64_MAX: no more. */
int64_t gaspdb_unrecorded_next(const struct gaspdb_unrecorded *absences,
			       int64_t process, int64_t at_ns);
/* Until when it was absent last before at_ns, which it is if it was just then;
   INT64_MIN: never. */
int64_t gaspdb_unrecorded_last(const struct gaspdb_unrecorded *absences,
			       int64_t process, int64_t at_ns);

#endif
