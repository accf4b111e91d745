/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check of UPC's lock pointers: upc_all_lock_alloc returns the same pointer to
 * every thread, upc_global_lock_alloc a different one to each caller. If the
 * logs contradict this, pointers were recorded with a wrong size.
 */
#ifndef GASPDB_ANALYSIS_LOCKS_IDENTITY_H
#define GASPDB_ANALYSIS_LOCKS_IDENTITY_H

#include "analysis/engine/scan.h"
#include "analysis/rows/sorter.h"

struct gaspdb_lock_identity {
	struct gaspdb_run *run;
	struct gaspdb_sorter collective; /* collective allocations */
	struct gaspdb_sorter single;	 /* other allocations, and frees */
	int64_t thread, ordinal; /* current thread, its collective allocations
				  */
};

void gaspdb_lock_identity_open(struct gaspdb_lock_identity *identity,
			       struct gaspdb_run *run);
/* Process one event; they come in the order of their ids. */
void gaspdb_lock_identity_consume(struct gaspdb_lock_identity *identity,
				  const struct gaspdb_event *e,
				  enum gaspdb_type type);
/* Check, after the last event, and write rows of table quality. */
void gaspdb_lock_identity_close(struct gaspdb_lock_identity *identity);

#endif
