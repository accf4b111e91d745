/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orderings by collective operations: the arrivals that precede each leave. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_SYNCS_H
#define GASPDB_ANALYSIS_COLLECTIVES_SYNCS_H

#include "analysis/collectives/waits.h"
#include "analysis/engine/syncs.h"

/* Add the orderings of an instance. id: collective.id. */
void gaspdb_collective_syncs_add(struct gaspdb_syncs *syncs, int64_t id,
				 const struct gaspdb_run *run,
				 const struct gaspdb_instance *instance);

#endif
