/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run's length is made of. */
#ifndef GASPDB_ANALYSIS_PATH_CRITICAL_PATH_H
#define GASPDB_ANALYSIS_PATH_CRITICAL_PATH_H

#include "analysis/path/lines.h"
#include "analysis/path/walk.h"

struct gaspdb_critical_path {
	struct gaspdb_run *run;
	struct gaspdb_sorter waits;	 /* all, until it is walked */
	struct gaspdb_sorter on_threads; /* its segments, by thread and time */
	struct gaspdb_path_segment next; /* of on_threads */
	bool more;
	int64_t not_started_ns, ended_ns; /* found, when it is closed */
};

void gaspdb_critical_path_open(struct gaspdb_critical_path *path,
			       struct gaspdb_run *run);
/* All rows of table wait. */
void gaspdb_critical_path_wait(struct gaspdb_critical_path *path,
			       const int64_t *wait);
/* Walk it, and write critical_path. */
void gaspdb_critical_path_begin(struct gaspdb_critical_path *path);
/*
 * Which side of the path a thread is on at that time; threads one after the
 * other, each in order of time.  *until_ns: before which that does not change.
 */
enum gaspdb_path_side gaspdb_critical_path_at(struct gaspdb_critical_path *path,
					      int64_t thread, int64_t at_ns,
					      int64_t *until_ns);
void gaspdb_critical_path_close(struct gaspdb_critical_path *path);

#endif
