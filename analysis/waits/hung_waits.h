/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits for requests that logs end in; tests, too, and the loops of them.  A
 * call tells which requests it was for only when it has them: one that never
 * returned can be for those of its process that nothing completed.
 */
#ifndef GASPDB_ANALYSIS_WAITS_HUNG_WAITS_H
#define GASPDB_ANALYSIS_WAITS_HUNG_WAITS_H

#include "analysis/engine/scan.h"
#include "analysis/messages/streams.h"
#include "analysis/rows/sorter.h"
#include "analysis/waits/polls.h"
#include "analysis/waits/waits.h"
#include "analysis/engine/run.h"

struct gaspdb_hung_waits {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer *writer;
	struct gaspdb_table *events;
	struct gaspdb_sorter requests;
	struct gaspdb_polls polls;
	sqlite3_stmt *argument;
};

/* Both are borrowed until it is closed. */
void gaspdb_hung_waits_open(struct gaspdb_hung_waits *hung,
			    struct gaspdb_run *run,
			    struct gaspdb_wait_writer *writer,
			    struct gaspdb_table *events);
/* A request of this thread is open: for a message whose other end never came,
   which was to be that thread's, NONE: anyone's; */
void gaspdb_hung_waits_never(struct gaspdb_hung_waits *hung, int64_t thread,
			     enum gaspdb_end_kind kind, int64_t peer);
/* for one whose other end did, source: of the call that posted it; */
void gaspdb_hung_waits_came(struct gaspdb_hung_waits *hung, int64_t thread,
			    enum gaspdb_end_kind kind, int64_t source,
			    const struct gaspdb_end *other);
/* for another, or it is not known when that came. */
void gaspdb_hung_waits_unknown(struct gaspdb_hung_waits *hung, int64_t thread);
/* Propose what they waited for. */
void gaspdb_hung_waits_close(struct gaspdb_hung_waits *hung);

#endif
