/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions are what contains the program's own work: its functions and loops,
 * and the user events (phases) that it marked.  Of each the time inside and the
 * computation in it are summed up, thread after thread: what efficiencies are
 * made of.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_REGIONS_H
#define GASPDB_IMPORTER_ROLLUPS_REGIONS_H

#include "importer/log/definitions.h"

/* Of one thread: a region's, or a call path's. */
struct gaspdb_region_most {
	int64_t ns, thread; /* the largest; ties: the lowest thread */
};

struct gaspdb_regions {
	struct gaspdb_registry *registry;
	struct gaspdb_names keys; /* struct key: number - 1 */
	uint32_t *of_source;	  /* numbers, from 1; 0: not known yet */
	size_t of_source_capacity;
	struct gaspdb_region {
		uint32_t source; /* the lowest */
		uint32_t active; /* open now */
		bool touched;
		/* Of the thread */
		int64_t inside_ns, computation_ns;
		/* Of all */
		int64_t threads, calls, total_ns, all_computation_ns;
		struct gaspdb_region_most longest, computes;
	} * region; /* by number - 1 */
	size_t capacity;
	uint32_t *touched; /* numbers, of this thread */
	size_t n_touched, touched_capacity;
};

void gaspdb_regions_init(struct gaspdb_regions *r,
			 struct gaspdb_registry *registry);
void gaspdb_regions_free(struct gaspdb_regions *r);

/* The next thread's value: is it the largest? */
void gaspdb_region_compare(struct gaspdb_region_most *most, int64_t thread,
			   int64_t ns);

/* Is an operation that has a start and an end a region? */
static inline bool gaspdb_is_region(const struct gaspdb_log_operation *o)
{
	return !o->runtime;
}

/* A region begins; returns its number, for its end. */
uint32_t gaspdb_region_start(struct gaspdb_regions *r,
			     const struct gaspdb_log_operation *o,
			     uint32_t source);
/* It ends, after so long, and so much computation. */
void gaspdb_region_end(struct gaspdb_regions *r, uint32_t number, int64_t ns,
		       int64_t computation_ns);

/* The thread is over. */
void gaspdb_regions_flush(struct gaspdb_regions *r, int64_t thread);
/* All are: table region. */
void gaspdb_regions_finish(struct gaspdb_regions *r);

#endif
