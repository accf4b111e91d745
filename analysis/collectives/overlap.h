/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The overlap test: do the calls of all members overlap within the error of
   their clocks, as those of a synchronizing instance must? */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_OVERLAP_H
#define GASPDB_ANALYSIS_COLLECTIVES_OVERLAP_H

#include "analysis/collectives/calls/events.h"
#include "analysis/engine/clock_errors.h"

struct gaspdb_overlap_test {
	struct gaspdb_clock_errors clocks;
	struct gaspdb_host_span *hosts; /* by number; of the instance */
	size_t n_hosts;
};

void gaspdb_overlap_test_open(struct gaspdb_overlap_test *test,
			      struct gaspdb_run *run);
/*
 * Can the calls overlap: does no member enter later than another one leaves, by
 * more than the errors of the two clocks? false: also if an error is unknown.
 */
bool gaspdb_overlap_possible(struct gaspdb_overlap_test *test,
			     const struct gaspdb_member *members, size_t n);
void gaspdb_overlap_test_close(struct gaspdb_overlap_test *test);

#endif
