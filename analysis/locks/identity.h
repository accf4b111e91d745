/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A check of UPC's lock pointers: upc_all_lock_alloc gives every thread the
 * same one, and upc_global_lock_alloc gives each caller another one.  Where a
 * log breaks this, pointers were read with a wrong size.
 */
#ifndef GASPDB_ANALYSIS_LOCKS_IDENTITY_H
#define GASPDB_ANALYSIS_LOCKS_IDENTITY_H

#include "analysis/engine/scan.h"
#include "analysis/rows/sorter.h"

struct gaspdb_lock_identity {
	struct gaspdb_run *run;
	struct gaspdb_sorter together; /* ordinal, object, event, thread */
	struct gaspdb_sorter alone;    /* object, event: allocated or freed */
	int64_t thread, ordinal;       /* of the thread whose events come */
};

void gaspdb_lock_identity_open(struct gaspdb_lock_identity *identity,
			       struct gaspdb_run *run);
/* Events in the order of their ids. */
void gaspdb_lock_identity_consume(struct gaspdb_lock_identity *identity,
				  const struct gaspdb_event *e,
				  enum gaspdb_type type);
/* All events have come: writes rows of table quality. */
void gaspdb_lock_identity_close(struct gaspdb_lock_identity *identity);

#endif
