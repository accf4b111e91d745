/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk of the critical path: backwards from the end of the run, on the
 * thread that ended last. At the end of each wait it moves to the thread that
 * was waited for.
 */
#ifndef GASPDB_ANALYSIS_PATH_WALK_H
#define GASPDB_ANALYSIS_PATH_WALK_H

#include "analysis/rows/sorter.h"

/* Kinds of segments, as in critical_path.kind. */
#define GASPDB_PATH_KINDS(KIND)          \
	KIND(RUNNING, "running")         \
	KIND(WAITING, "waiting")         \
	KIND(NOT_STARTED, "not started") \
	KIND(ENDED, "ended")

enum gaspdb_path_kind {
#define KIND(ident, name) GASPDB_PATH_##ident,
	GASPDB_PATH_KINDS(KIND)
#undef KIND
};

struct gaspdb_path_segment {
	int64_t thread;
	enum gaspdb_path_kind kind;
	int64_t start_ns, end_ns; /* start_ns < end_ns */
	int64_t wait; /* the wait of the thread that ends at start_ns, or that
			 the segment is; NONE: neither */
	int64_t error_ns; /* as in critical_path, if read from there */
};

typedef void (*gaspdb_path_fn)(void *user,
			       const struct gaspdb_path_segment *segment);

/* The sorter of the run's waits, which are added in any order. */
void gaspdb_path_waits_init(struct gaspdb_sorter *waits,
			    struct gaspdb_run *run);
/* cause_thread NONE: unknown. */
void gaspdb_path_waits_add(struct gaspdb_sorter *waits, int64_t id,
			   int64_t thread, int64_t start_ns, int64_t end_ns,
			   int64_t cause_thread);

/*
 * Walk the path: fn gets its segments from the run's end to its start, without
 * gaps. No waits may be added afterwards.
 */
void gaspdb_path_walk(struct gaspdb_run *run, struct gaspdb_sorter *waits,
		      gaspdb_path_fn fn, void *user);

#endif
