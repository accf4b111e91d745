/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regions of the program: functions, loops and user events (phases). Sums of
 * the time inside each and of its computation, for efficiencies: table region.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_REGIONS_H
#define GASPDB_IMPORTER_ROLLUPS_REGIONS_H

#include "importer/log/definitions.h"
#include "importer/rollups/throttled.h"

/* Largest time of one thread, and that thread; ties: the lowest. */
struct gaspdb_thread_maximum {
	int64_t ns, thread;
};

struct gaspdb_regions {
	struct gaspdb_registry *registry;
	struct gaspdb_names keys; /* struct key: number - 1 */
	uint32_t *of_source;	  /* number, from 1; 0: not known yet */
	size_t of_source_capacity;
	struct gaspdb_region {
		uint32_t source; /* the lowest */
		uint32_t active; /* open calls */
		bool touched;	 /* in the list of that name */
		/* The thread being read */
		int64_t ended, inside_ns, computation_ns;
		/* All threads */
		int64_t threads, calls, total_ns, all_computation_ns;
		struct gaspdb_thread_maximum longest, computes;
	} * region; /* by number - 1 */
	size_t capacity;
	uint32_t *touched; /* numbers of regions that the thread entered */
	size_t n_touched, touched_capacity;
};

void gaspdb_regions_init(struct gaspdb_regions *r,
			 struct gaspdb_registry *registry);
void gaspdb_regions_free(struct gaspdb_regions *r);

/* Adds the value of the next thread. */
void gaspdb_thread_maximum_add(struct gaspdb_thread_maximum *maximum,
			       int64_t thread, int64_t ns);

/* Is an operation with a start and an end a region? */
static inline bool gaspdb_is_region(const struct gaspdb_log_operation *o)
{
	return !o->runtime && !o->maps;
}

/* Adds the start of a region. Returns its number, for its end. */
uint32_t gaspdb_region_start(struct gaspdb_regions *r,
			     const struct gaspdb_log_operation *o,
			     uint32_t source);
/* Adds the end of a region; ns: its duration. */
void gaspdb_region_end(struct gaspdb_regions *r, uint32_t number, int64_t ns,
		       int64_t computation_ns);

/* Adds calls that are no events. */
void gaspdb_region_throttled(struct gaspdb_regions *r,
			     const struct gaspdb_log_operation *o,
			     uint32_t source,
			     const struct gaspdb_throttled_calls *calls);

/* Adds calls that the collector has summed up, after gaspdb_region_start(). */
void gaspdb_region_summed(struct gaspdb_regions *r, uint32_t number,
			  int64_t calls, int64_t ns, int64_t computation_ns);
/* Empties the sums of the thread being read. */
void gaspdb_regions_replace(struct gaspdb_regions *r);

/* Adds the thread to the sums of all. */
void gaspdb_regions_flush(struct gaspdb_regions *r, int64_t thread);
/* Writes table region. */
void gaspdb_regions_finish(struct gaspdb_regions *r);

#endif
