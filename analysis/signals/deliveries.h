/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the write of a word to the return of who waited for it: the pass that
 * matches them tells it here, a later one reads it.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_DELIVERIES_H
#define GASPDB_ANALYSIS_SIGNALS_DELIVERIES_H

#include "analysis/rows/shared_sorter.h"

/* A row: the event that waited, how long after the write began, and after it
   was there itself, it went on. */
enum { GASPDB_DELIVERY_EVENT, GASPDB_DELIVERY_NS, GASPDB_DELIVERY_COLUMNS };

/* By event.  The run's; NULL after a failure. */
static inline struct gaspdb_sorter *gaspdb_deliveries(struct gaspdb_run *run)
{
	return gaspdb_sorter_share(run, &run->shared.deliveries,
				   GASPDB_DELIVERY_COLUMNS, 1);
}

#endif
