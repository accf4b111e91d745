/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of the uses of locks, and of waiting for them: the tables that
   tell of both, whatever kind of lock it is. */
#ifndef GASPDB_ANALYSIS_LOCKS_USES_H
#define GASPDB_ANALYSIS_LOCKS_USES_H

#include "analysis/engine/unrecorded.h"
#include "analysis/locks/history.h"
#include "analysis/rows/sums.h"
#include "analysis/waits/unknown_waits.h"
#include "analysis/waits/waits.h"

struct gaspdb_lock_call {
	int64_t event, source, thread;
	int64_t start_ns, end_ns;
};

struct gaspdb_lock_use {
	struct gaspdb_lock_call by; /* that took it */
	int64_t taken_ns, end_ns;
	int64_t release; /* the call that gave it back; NONE */
	int64_t contended_ns;
	int64_t latency_ns;
	int64_t untold_ns;
	int64_t attempts;   /* that failed before it */
	int64_t between_ns; /* since the first of them, outside */
};

struct gaspdb_lock_uses {
	struct gaspdb_run *run;
	const struct gaspdb_unrecorded *absences;
	struct gaspdb_wait_writer waits;
	struct gaspdb_unknown_waits untold;
	struct gaspdb_groups unseen; /* thread: calls that may have waited for
					who was not recorded, ns, the first */
	struct gaspdb_table_writer *rows;
	struct gaspdb_sums matrix; /* columns of lock_wait_total */
	int64_t last_id;
};

/* absences: borrowed. */
void gaspdb_lock_uses_open(struct gaspdb_lock_uses *uses,
			   struct gaspdb_run *run,
			   const struct gaspdb_unrecorded *absences);
/* Returns lock_use.id. */
int64_t gaspdb_lock_uses_add(struct gaspdb_lock_uses *uses, int64_t object,
			     const struct gaspdb_lock_use *use);
/* A call for the lock in vain; holder NULL: nobody known. */
void gaspdb_lock_uses_attempt(struct gaspdb_lock_uses *uses, int64_t object,
			      const struct gaspdb_lock_call *call,
			      const struct gaspdb_hold *holder);
/*
 * Cut the time from a call's enter to limit_ns at the holds so far: each piece
 * to its holder; what lies between them to the lock, but for the time in which
 * somebody was not recorded: who had it then is not known.  untold_ns: in how
 * much of its later time it may have waited, too.
 */
void gaspdb_lock_uses_cut(struct gaspdb_lock_uses *uses, int64_t object,
			  const struct gaspdb_lock_call *call, int64_t limit_ns,
			  int64_t untold_ns, struct gaspdb_lock_history *holds);
/* Of the time of a call that does not wait, as far as is known, nobody knows
   how much it did. */
void gaspdb_lock_uses_emit(struct gaspdb_lock_uses *uses,
			   const struct gaspdb_lock_call *call, int64_t ns);
/* Writes who waited for whom, and what is not known. */
void gaspdb_lock_uses_close(struct gaspdb_lock_uses *uses);

#endif
