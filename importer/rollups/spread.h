/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a quantity of a group is spread over the threads that have some: what
 * load imbalance is made of.
 */
#ifndef GASPDB_IMPORTER_ROLLUPS_SPREAD_H
#define GASPDB_IMPORTER_ROLLUPS_SPREAD_H

#include <stdint.h>

struct gaspdb_spread {
	int64_t threads, total;
	int64_t maximum, max_thread, minimum, min_thread;
	double mean, square; /* sum of squared differences from it */
};

/* A thread's; threads come in the order of their ids. */
void gaspdb_spread_add(struct gaspdb_spread *s, int64_t thread, int64_t value);

#endif
