/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Did all members' calls overlap, as those of what synchronizes all must?
 * Within the error of their clocks.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_OVERLAP_H
#define GASPDB_ANALYSIS_COLLECTIVES_OVERLAP_H

#include "analysis/engine/clock_errors.h"
#include "analysis/collectives/events.h"

struct gaspdb_overlap_test {
	struct gaspdb_clock_errors clocks;
	struct gaspdb_host_span *hosts; /* by number; of the members looked at
					 */
	size_t n_hosts;
};

void gaspdb_overlap_test_open(struct gaspdb_overlap_test *test,
			      struct gaspdb_run *run);
/*
 * Has no member entered later than another left by more than the clocks of
 * these two may be off?  False where an error is not known.
 */
bool gaspdb_overlap_may_be(struct gaspdb_overlap_test *test,
			   const struct gaspdb_member *members, size_t n);
void gaspdb_overlap_test_close(struct gaspdb_overlap_test *test);

#endif
