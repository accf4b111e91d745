/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Totals of profile and traffic over all threads, and their distribution over
 * these: tables profile_total, spread and traffic_total. Their size does not
 * depend on the number of threads. Threads are added one after another.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_TOTALS_H
#define GASPDB_IMPORTER_ROLLUPS_TOTALS_H

#include "importer/run/registry.h"

struct gaspdb_profile;
struct gaspdb_traffic;

struct gaspdb_totals {
	struct gaspdb_registry *registry;
	struct gaspdb_names keys; /* struct key of groups */
	uint32_t *of_key;	  /* number of a key's group, from 1 */
	size_t of_key_capacity;
	struct gaspdb_total *total; /* by number - 1 */
	size_t capacity;
	uint32_t n;
	struct gaspdb_groups_of {
		uint32_t call, line, operation, category; /* number; 0: none */
	} * groups; /* by source.id and nested */
	size_t groups_capacity;
	int64_t *threads; /* threads with a log so far, in order */
	size_t n_threads, threads_capacity;
	/* Bytes were added to the rows of an earlier thread: bytes of
	   profile_total and spread are computed by gaspdb_sql_late_bytes. */
	bool has_late_bytes;
	int64_t process; /* whose traffic is in flow */
	struct gaspdb_map flow_index;
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

/* Adds a thread with a log, before its rows. */
void gaspdb_totals_thread(struct gaspdb_totals *t, int64_t thread);
/* Adds a thread's row of profile. event_cost_ns: cost of recording one event;
   0: unknown. */
void gaspdb_totals_profile(struct gaspdb_totals *t, int64_t thread,
			   const struct gaspdb_profile *p,
			   double event_cost_ns);
/* Adds a row of traffic. process: the first thread of its process; processes
   come one after another. */
void gaspdb_totals_traffic(struct gaspdb_totals *t, int64_t process,
			   const struct gaspdb_traffic *row);

/* Writes the tables. */
void gaspdb_totals_finish(struct gaspdb_totals *t);

#endif
