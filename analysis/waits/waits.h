/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one way to table wait.  Passes propose waits; when all have, the last
 * pass decides: of proposals of one event that overlap it keeps the longer.
 */
#ifndef GASPDB_ANALYSIS_WAITS_WAITS_H
#define GASPDB_ANALYSIS_WAITS_WAITS_H

#include "analysis/engine/run.h"

/*
 * Kinds of waiting, as in wait.kind.  Of two as long as each other that
 * overlap, the first in this list is kept.
 */
#define GASPDB_WAIT_KINDS(KIND)                \
	KIND(LATE_SENDER, "late sender")       \
	KIND(LATE_RECEIVER, "late receiver")   \
	KIND(BARRIER, "barrier")               \
	KIND(NOTIFY_DRAIN, "notify drain")     \
	KIND(ALL_TO_ALL, "all-to-all")         \
	KIND(LATE_BROADCAST, "late broadcast") \
	KIND(EARLY_REDUCE, "early reduce")     \
	KIND(EARLY_SCAN, "early scan")         \
	KIND(LATE_NEIGHBOR, "late neighbour")  \
	KIND(OTHER_GROUP, "other group")       \
	KIND(LATE_SIGNAL, "late signal")       \
	KIND(LOCK, "lock")                     \
	KIND(LOCK_HAND_OVER, "lock hand-over") \
	KIND(LOCK_ATTEMPT, "lock attempt")     \
	KIND(LATE_POST, "late post")           \
	KIND(EARLY_WAIT, "early wait")         \
	KIND(LATE_COMPLETE, "late complete")

enum gaspdb_wait_kind {
#define KIND(ident, name) GASPDB_WAIT_##ident,
	GASPDB_WAIT_KINDS(KIND)
#undef KIND
		GASPDB_N_WAIT_KINDS
};

/* As in wait.kind: of one, of all by number. */
const char *gaspdb_wait_kind_name(enum gaspdb_wait_kind kind);
const char *const *gaspdb_wait_kind_names(void);
/* The kind of a row as table.h reads it. */
enum gaspdb_wait_kind gaspdb_wait_kind_of(int64_t word);

/* As in wait.wrong_order. */
enum gaspdb_wrong {
	GASPDB_WRONG_NOT,
	GASPDB_WRONG_SAME_SOURCE,
	GASPDB_WRONG_DIFFERENT_SOURCE
};

struct gaspdb_wait {
	enum gaspdb_wait_kind kind;
	int64_t thread, event;
	int64_t start_ns, end_ns;
	int64_t cause_thread, cause_event, cause_ns; /* NONE: not known */
	int64_t cause_source; /* the cause's, if that is told */
	bool tells_source;    /* else it is looked up */
	int64_t partner;      /* of a message's wait: the source that posts the
				 receive, or the send, whichever waited; 0: of
				 another wait */
	bool clamped, bound;
	bool polled; /* it lies in the tests in vain that its event ended
			(polls.h): start_ns is not used, the cause is known */
	enum gaspdb_wrong wrong_order;
};

/* Where a pass proposes waits.  Close it whatever happened. */
struct gaspdb_wait_writer {
	struct gaspdb_run *run;
	struct gaspdb_sorter *proposals, *polled; /* the run's */
};

void gaspdb_wait_writer_open(struct gaspdb_wait_writer *writer,
			     struct gaspdb_run *run);
/* One that has no length is left out.  Of those of one kind that are polled for
   in one event the one that lasts longest stays. */
void gaspdb_wait_propose(struct gaspdb_wait_writer *writer,
			 const struct gaspdb_wait *wait);
/*
 * For gaspdb_polls_before(), user being a struct gaspdb_wait_part: each test in
 * vain waited as one would that completes the same, until that came.
 */
struct gaspdb_wait_part {
	struct gaspdb_wait_writer *writer;
	struct gaspdb_wait wait;
};
void gaspdb_wait_propose_part(void *user, int64_t event, int64_t start_ns,
			      int64_t end_ns);
void gaspdb_wait_writer_close(struct gaspdb_wait_writer *writer);

/*
 * Of all rows of table wait, in their order, a row of one column: the source of
 * the event that was waited for; NONE: it is not known.  To be emptied when it
 * has been read.  NULL after a failure.
 */
struct gaspdb_sorter *gaspdb_wait_causes(struct gaspdb_run *run);

/* The pass: fill wait and wait_total. */
enum gaspdb_status gaspdb_pass_waits(struct gaspdb_run *run);

#endif
