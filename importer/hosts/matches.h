/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages and barriers between hosts, from their ends to orders of the system
 * of clocks. All orders go to a temporary file; the system gets the tightest of
 * each pair of hosts and interval of time, and then those that a solution
 * violates, until it violates none.
 */
#ifndef GASPDB_IMPORTER_HOSTS_MATCHES_H
#define GASPDB_IMPORTER_HOSTS_MATCHES_H

#include "importer/hosts/ends.h"
#include "importer/hosts/system.h"

struct gaspdb_matches {
	struct gaspdb_clock_system *system;
	int fd; /* of the orders; -1: none */
	uint64_t n_spooled;
	size_t n_buffered;
	struct gaspdb_spooled_order *buffer;
	/* Channels of which one end was read. */
	struct gaspdb_map channels;
	struct gaspdb_end_channel *channel;
	size_t n_channels, channel_capacity;
	uint64_t n_pending; /* ends */
	/* Barriers, by team and number. */
	struct gaspdb_map instances;
	struct gaspdb_barrier_instance *instance;
	size_t n_instances, instance_capacity, instances_max;
	struct gaspdb_barrier_span *spans; /* of each instance and host */
	uint64_t stride;
	/* The tightest order of each pair of hosts and interval. */
	struct gaspdb_map index;
	struct gaspdb_tight_order *tight;
	size_t n_tight, tight_capacity;
	unsigned coarse;	   /* intervals are that many times halved */
	struct gaspdb_map dropped; /* orders that contradict */
};

/* path: a file beside which the temporary one is made. */
void gaspdb_matches_init(struct gaspdb_matches *m,
			 struct gaspdb_clock_system *s, const char *path);
void gaspdb_matches_free(struct gaspdb_matches *m);
/* Takes the ends and barriers of a process, and sorts its ends. */
void gaspdb_matches_process(struct gaspdb_matches *m, struct gaspdb_ends *e);
/* Gives the barriers and the tightest orders to the system; returns their
   number. */
size_t gaspdb_matches_finish(struct gaspdb_matches *m);
/* The same with those that the solution violates. */
size_t gaspdb_matches_violated(struct gaspdb_matches *m);

/* --- shared by matches.c and matches_tight.c ------------------------------ */

/* Emits the orders of all barriers, and checks whether the solution has all
   hosts of each in order. */
void gaspdb_matches_barriers(struct gaspdb_matches *m);
void gaspdb_matches_check_barriers(struct gaspdb_matches *m);

/* An order found by matching. */
void gaspdb_matches_emit(struct gaspdb_matches *m,
			 const struct gaspdb_order *o);
/* Gives an order to the system if the solution violates it. */
void gaspdb_matches_check(struct gaspdb_matches *m,
			  const struct gaspdb_order *o);

#endif
