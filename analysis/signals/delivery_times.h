/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delivery times of signals, compared with the durations of puts. */
#ifndef GASPDB_ANALYSIS_SIGNALS_DELIVERY_TIMES_H
#define GASPDB_ANALYSIS_SIGNALS_DELIVERY_TIMES_H

#include "analysis/engine/run.h"

struct gaspdb_delivery_times;

/* Open the sums; NULL: no deliveries, or a failure. */
struct gaspdb_delivery_times *
gaspdb_delivery_times_open(struct gaspdb_run *run);
/* Add a blocking put to another process's memory. times may be NULL. */
void gaspdb_delivery_times_put(struct gaspdb_delivery_times *times,
			       int64_t duration_ns);
/* Fill delivery_total. times may be NULL. */
void gaspdb_delivery_times_close(struct gaspdb_delivery_times *times);

#endif
