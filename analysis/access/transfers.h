/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transfers: durations and sizes of accesses, and groups of small ones. */
#ifndef GASPDB_ANALYSIS_ACCESS_TRANSFERS_H
#define GASPDB_ANALYSIS_ACCESS_TRANSFERS_H

#include "analysis/access/arguments.h"
#include "analysis/engine/scan.h"

struct gaspdb_transfers;

/* Open the analysis; NULL after a failure. arguments: borrowed. */
struct gaspdb_transfers *
gaspdb_transfers_open(struct gaspdb_run *run,
		      struct gaspdb_access_arguments *arguments);
/* Does the analysis use events of a source? */
bool gaspdb_transfers_needs(const struct gaspdb_run_source *source);
/* Process a synchronization of the thread. */
void gaspdb_transfers_separate(struct gaspdb_transfers *transfers);
/* Process a gap, which may hide a synchronization or an access. */
void gaspdb_transfers_interrupt(struct gaspdb_transfers *transfers);
/* Begin a thread. transfers may be NULL. */
void gaspdb_transfers_thread(struct gaspdb_transfers *transfers,
			     int64_t thread);
void gaspdb_transfers_consume(struct gaspdb_transfers *transfers,
			      const struct gaspdb_event *event,
			      const struct gaspdb_run_source *source);
/*
 * Write the tables: access_pair, access_piece, access_line, fine_grained,
 * fine_grained_total, polling_total, reread_total, and the gets, puts and
 * atomics of size_total.
 */
void gaspdb_transfers_close(struct gaspdb_transfers *transfers);

#endif
