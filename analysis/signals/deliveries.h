/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delivery times: from the write of a word to the return of the wait for it.
   The signals pass writes the rows, the accesses pass reads them. */
#ifndef GASPDB_ANALYSIS_SIGNALS_DELIVERIES_H
#define GASPDB_ANALYSIS_SIGNALS_DELIVERIES_H

#include "analysis/rows/shared_sorter.h"

/* A row: the waiting event, and its time after both the event and the write had
   begun, ns. */
enum { GASPDB_DELIVERY_EVENT, GASPDB_DELIVERY_NS, GASPDB_DELIVERY_COLUMNS };

/* The run's rows, sorted by event; NULL after a failure. */
static inline struct gaspdb_sorter *gaspdb_deliveries(struct gaspdb_run *run)
{
	return gaspdb_sorter_share(run, &run->shared.deliveries,
				   GASPDB_DELIVERY_COLUMNS, 1);
}

#endif
