/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hung waits: waits for requests, and loops of tests, in which a log ends. A
 * call records which requests it completed when it returns. One that never
 * returned is taken to wait for the open requests of its process.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_HUNG_WAITS_H
#define GASPDB_ANALYSIS_MESSAGES_HUNG_WAITS_H

#include "analysis/engine/run.h"
#include "analysis/engine/scan.h"
#include "analysis/messages/streams.h"
#include "analysis/rows/sorter.h"
#include "analysis/waits/polls.h"
#include "analysis/waits/waits.h"

struct gaspdb_hung_waits {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer *writer;
	struct gaspdb_table *events;
	struct gaspdb_sorter requests;
	struct gaspdb_polls polls;
	sqlite3_stmt *request_count;
};

/* writer and events are borrowed until it is closed. */
void gaspdb_hung_waits_open(struct gaspdb_hung_waits *hung,
			    struct gaspdb_run *run,
			    struct gaspdb_wait_writer *writer,
			    struct gaspdb_table *events);
/* Add an open request without a matching end. peer: thread of that end; NONE:
   any thread. */
void gaspdb_hung_waits_add_unmatched(struct gaspdb_hung_waits *hung,
				     int64_t thread, enum gaspdb_end_kind kind,
				     int64_t peer);
/* Add an open request with a matching end. source: of the call that posted the
   request. */
void gaspdb_hung_waits_add_matched(struct gaspdb_hung_waits *hung,
				   int64_t thread, enum gaspdb_end_kind kind,
				   int64_t source,
				   const struct gaspdb_end *other);
/* Add an open request that is no message, or whose matching end is not known.
 */
void gaspdb_hung_waits_add_unknown(struct gaspdb_hung_waits *hung,
				   int64_t thread);
/* Propose the hung waits. */
void gaspdb_hung_waits_close(struct gaspdb_hung_waits *hung);

#endif
