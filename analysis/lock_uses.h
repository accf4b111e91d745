/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of the uses of locks, and of waiting for them: the tables that
   tell of both, whatever kind of lock it is. */
#ifndef GASPDB_ANALYSIS_LOCK_USES_H
#define GASPDB_ANALYSIS_LOCK_USES_H

#include "analysis/lock_history.h"
#include "analysis/sums.h"
#include "analysis/waits.h"

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
	int64_t attempts;   /* that failed before it */
	int64_t between_ns; /* since the first of them, outside */
};

struct gaspdb_lock_uses {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer waits;
	struct gaspdb_bulk *rows;
	struct gaspdb_sums totals; /* columns of lock_total */
	struct gaspdb_sums matrix; /* columns of lock_wait_total */
	int64_t last_id;
};

void gaspdb_lock_uses_open(struct gaspdb_lock_uses *uses,
			   struct gaspdb_run *run);
/* Returns lock_use.id. */
int64_t gaspdb_lock_uses_add(struct gaspdb_lock_uses *uses, int64_t object,
			     const struct gaspdb_lock_use *use);
/* holder NULL: nobody known.  One that has no length is left out. */
void gaspdb_lock_uses_wait(struct gaspdb_lock_uses *uses, int64_t object,
			   const struct gaspdb_lock_call *call,
			   enum gaspdb_wait_kind kind, int64_t start_ns,
			   int64_t end_ns, const struct gaspdb_hold *holder);
/*
 * Cut the time from a call's enter to limit_ns at the holds so far: each piece
 * to its holder, what lies between them to the lock.
 */
void gaspdb_lock_uses_cut(struct gaspdb_lock_uses *uses, int64_t object,
			  const struct gaspdb_lock_call *call, int64_t limit_ns,
			  struct gaspdb_lock_history *holds);
/* Writes the totals. */
void gaspdb_lock_uses_close(struct gaspdb_lock_uses *uses);

#endif
