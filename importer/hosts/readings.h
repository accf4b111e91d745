/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readings of two hosts' clocks (REMOTE_CLOCK records), from the logs to
 * batches: readings of one time, of which the tightest bounds are kept.
 */
#ifndef GASPDB_IMPORTER_HOSTS_READINGS_H
#define GASPDB_IMPORTER_HOSTS_READINGS_H

#include "importer/hosts/system.h"

struct gaspdb_readings {
	struct gaspdb_batch *of; /* each reading by itself */
	size_t n, capacity;
	uint64_t n_unusable; /* impossible, astray, or of unknown processes */
	uint64_t n_left_out; /* beyond the limit */
};

/* The moments of a ping-pong: each by the clock of its host. */
struct gaspdb_ping_pong {
	uint32_t asker, peer; /* hosts */
	int64_t sent_ns, received_ns, replied_ns, returned_ns;
};

void gaspdb_readings_add(struct gaspdb_readings *r,
			 const struct gaspdb_ping_pong *p);
/* Sorts the readings to batches of s, without those that most others of their
   batch contradict. */
void gaspdb_readings_batch(struct gaspdb_readings *r,
			   struct gaspdb_clock_system *s);
void gaspdb_readings_free(struct gaspdb_readings *r);

#endif
