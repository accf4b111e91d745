/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals of threads, read in order of thread and time: gaps, waits. */
#ifndef GASPDB_ANALYSIS_ENTITIES_COVERS_H
#define GASPDB_ANALYSIS_ENTITIES_COVERS_H

#include "analysis/engine/run.h"

struct gaspdb_cover {
	struct gaspdb_run *run;
	sqlite3_stmt *stmt;
	bool more; /* the interval below is valid */
	int64_t thread, start_ns, end_ns;
};

/* sql selects thread, start and end, in order of the first two. */
void gaspdb_cover_open(struct gaspdb_cover *c, struct gaspdb_run *run,
		       const char *sql);
void gaspdb_cover_close(struct gaspdb_cover *c);

/* Is the thread in one of its intervals at t_ns? *until_ns is lowered to when
   that changes.  Times of a thread, and threads, never decrease. */
bool gaspdb_cover_at(struct gaspdb_cover *c, int64_t thread, int64_t t_ns,
		     int64_t *until_ns);

#endif
