/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run's length is made of. */
#ifndef GASPDB_ANALYSIS_CRITICAL_PATH_H
#define GASPDB_ANALYSIS_CRITICAL_PATH_H

#include "analysis/activity.h"
#include "analysis/path_blame.h"

struct gaspdb_path_call;

struct gaspdb_critical_path {
	struct gaspdb_run *run;
	struct gaspdb_sorter on_threads; /* its segments, by thread and time */
	struct gaspdb_path_blame blame;
	struct gaspdb_path_segment next; /* of on_threads */
	bool more;
	struct gaspdb_path_call *calls; /* by source */
	size_t pairs;			/* lines of computation */
	uint16_t *row_of; /* by pair of sources: its row in lines, + 1; NULL:
			     too many sources */
	struct gaspdb_groups lines; /* what, from, to: ns on the path, ns of
				       all threads without waiting */
	int64_t others[2];	    /* the same of other computation */
};

/* Walk it, and write critical_path.  Wants wait. */
void gaspdb_critical_path_open(struct gaspdb_critical_path *path,
			       struct gaspdb_run *run);
/* All pieces, in their order, the next n of them. */
void gaspdb_critical_path_add(struct gaspdb_critical_path *path,
			      const struct gaspdb_piece *pieces, size_t n);
/* Write path_line and path_wait. */
void gaspdb_critical_path_close(struct gaspdb_critical_path *path);

#endif
