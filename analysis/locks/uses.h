/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output of lock analyses: rows of lock_use and lock_wait_total, and the waits,
   for locks and for windows. */
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
	struct gaspdb_lock_call by; /* acquisition */
	int64_t taken_ns, end_ns;
	int64_t release; /* event; NONE */
	int64_t contended_ns;
	int64_t latency_ns;
	int64_t unknown_ns; /* lock_use.untold_ns */
	int64_t attempts;   /* failed ones before it */
	int64_t between_ns; /* since the first of them, outside of them */
};

struct gaspdb_lock_uses {
	struct gaspdb_run *run;
	const struct gaspdb_unrecorded *unrecorded;
	struct gaspdb_wait_writer waits;
	struct gaspdb_unknown_waits unknown_waits;
	/* Calls that may have waited for an unrecorded process; thread: their
	   number, ns, the first. */
	struct gaspdb_groups unknown_by_thread;
	struct gaspdb_table_writer *rows;
	struct gaspdb_sums wait_totals; /* columns of lock_wait_total */
	int64_t last_id;
};

/* Open the tables. unrecorded: borrowed. */
void gaspdb_lock_uses_open(struct gaspdb_lock_uses *uses,
			   struct gaspdb_run *run,
			   const struct gaspdb_unrecorded *unrecorded);
/* Add a row of lock_use; returns its id. */
int64_t gaspdb_lock_uses_add(struct gaspdb_lock_uses *uses, int64_t object,
			     const struct gaspdb_lock_use *use);
/* Add the wait of a failed attempt; holder NULL: unknown. */
void gaspdb_lock_uses_attempt(struct gaspdb_lock_uses *uses, int64_t object,
			      const struct gaspdb_lock_call *call,
			      const struct gaspdb_hold *holder);
/*
 * Split a call's wait, from its enter to limit_ns, between the holds so far.
 * Time between two holds is a hand-over of the lock, except while a process is
 * unrecorded: the holder is then unknown. unknown_ns: later time of the call in
 * which it may have waited as well.
 */
void gaspdb_lock_uses_split(struct gaspdb_lock_uses *uses, int64_t object,
			    const struct gaspdb_lock_call *call,
			    int64_t limit_ns, int64_t unknown_ns,
			    struct gaspdb_lock_history *holds);
/* Count ns of a call in which it may have waited for an unknown holder. */
void gaspdb_lock_uses_unknown(struct gaspdb_lock_uses *uses,
			      const struct gaspdb_lock_call *call, int64_t ns);
/* Write lock_wait_total and rows of table quality. */
void gaspdb_lock_uses_close(struct gaspdb_lock_uses *uses);

#endif
