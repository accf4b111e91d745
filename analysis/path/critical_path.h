/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The critical path: its segments, and the side of the path of each thread. */
#ifndef GASPDB_ANALYSIS_PATH_CRITICAL_PATH_H
#define GASPDB_ANALYSIS_PATH_CRITICAL_PATH_H

#include "analysis/path/lines.h"
#include "analysis/path/walk.h"

struct gaspdb_critical_path {
	struct gaspdb_run *run;
	struct gaspdb_sorter waits;	 /* input of the walk */
	struct gaspdb_sorter on_threads; /* segments by thread and time */
	struct gaspdb_path_segment next; /* of on_threads, if more */
	bool more;
	int64_t not_started_ns, ended_ns; /* complete after closing */
};

void gaspdb_critical_path_open(struct gaspdb_critical_path *path,
			       struct gaspdb_run *run);
/* Add a row of table wait: all rows, before gaspdb_critical_path_begin(). */
void gaspdb_critical_path_wait(struct gaspdb_critical_path *path,
			       const int64_t *wait);
/* Find the path, and write table critical_path. */
void gaspdb_critical_path_begin(struct gaspdb_critical_path *path);
/* The side of the path of a thread at a time, in the order of threads and time.
 *until_ns: the answer holds until then. */
enum gaspdb_path_side gaspdb_critical_path_at(struct gaspdb_critical_path *path,
					      int64_t thread, int64_t at_ns,
					      int64_t *until_ns);
void gaspdb_critical_path_close(struct gaspdb_critical_path *path);

#endif
