/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of hosts' clocks against each other: readings of two hosts, and what
 * else orders their moments, bound the difference of their offsets, mostly
 * better than each one's bounds against the reference host do.
 */
#ifndef GASPDB_IMPORTER_HOSTS_PAIRS_H
#define GASPDB_IMPORTER_HOSTS_PAIRS_H

#include "importer/hosts/system.h"

/* The error of two hosts' clocks against each other, from a time until the next
   row of the pair. */
struct gaspdb_pair_error {
	uint32_t first, second; /* hosts; first < second */
	int64_t ns;		/* common time */
	int64_t error_ns;
};

struct gaspdb_pair_errors {
	struct gaspdb_pair_error *rows; /* by pair and time */
	size_t n, capacity;
};

/* Finds the pairs of a solved system of which some error is less than both
   hosts' own together. Of two hosts that readings link to the reference: those
   with readings of each other. */
void gaspdb_pair_errors_find(struct gaspdb_pair_errors *p,
			     const struct gaspdb_clock_system *s);
void gaspdb_pair_errors_free(struct gaspdb_pair_errors *p);

#endif
