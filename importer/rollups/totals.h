/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profile and traffic of all threads together: what reports show first, and
 * small however many threads there are.  Rows of threads are added one thread
 * after the other.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_TOTALS_H
#define GASPDB_IMPORTER_ROLLUPS_TOTALS_H

#include "importer/run/registry.h"

struct gaspdb_profile;
struct gaspdb_traffic;

struct gaspdb_totals {
	struct gaspdb_registry *registry;
	struct gaspdb_names keys; /* of groups: struct key */
	uint32_t *of_key;	  /* their numbers, from 1 */
	size_t of_key_capacity;
	struct gaspdb_total *total; /* by number - 1 */
	size_t capacity;
	uint32_t n;
	struct gaspdb_groups_of {
		uint32_t call, line, operation, category; /* numbers; 0: none */
	} * groups; /* by source.id and nested */
	size_t groups_capacity;
	int64_t *threads; /* those with a log so far, in their order */
	size_t n_threads, threads_capacity;
	/* Bytes came for a thread that was over: those of profile_total and
	   spread are left to gaspdb_sql_late_bytes (sql/passes/rollups.sql). */
	bool is_late;
	int64_t process;	      /* of the traffic */
	struct gaspdb_map flow_index; /* of this process */
	struct gaspdb_flow {
		int64_t owner;
		uint32_t direction;
		int size_class;
		int64_t operations, bytes, time_ns;
	} * flow;
	size_t flow_capacity;
};

void gaspdb_totals_init(struct gaspdb_totals *t,
			struct gaspdb_registry *registry);
void gaspdb_totals_free(struct gaspdb_totals *t);

/* The next thread that has a log; its rows follow. */
void gaspdb_totals_thread(struct gaspdb_totals *t, int64_t thread);
/*
 * A thread's row of profile.  event_cost_ns: of recording one event; 0: not
 * known.
 */
void gaspdb_totals_profile(struct gaspdb_totals *t, int64_t thread,
			   const struct gaspdb_profile *p,
			   double event_cost_ns);
/* A row of traffic of a thread of that process (its first thread); of one
   process after the other. */
void gaspdb_totals_traffic(struct gaspdb_totals *t, int64_t process,
			   const struct gaspdb_traffic *row);

/* Write tables profile_total, spread and traffic_total. */
void gaspdb_totals_finish(struct gaspdb_totals *t);

#endif
