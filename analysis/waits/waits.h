/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The writer of table wait. Passes propose waits; the last pass resolves the
 * proposals of each event: of two that overlap it keeps the longer one.
 */
#ifndef GASPDB_ANALYSIS_WAITS_WAITS_H
#define GASPDB_ANALYSIS_WAITS_WAITS_H

#include "analysis/engine/run.h"

/*
 * Kinds of waiting, as in wait.kind. Of two equally long proposals that
 * overlap, the first kind in this list is kept.
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

/* Names as in wait.kind: of one kind, of all by number. */
const char *gaspdb_wait_kind_name(enum gaspdb_wait_kind kind);
const char *const *gaspdb_wait_kind_names(void);
/* The kind of a column value as sql/store/table.h reads it. */
enum gaspdb_wait_kind gaspdb_wait_kind_of(int64_t word);

/* Values of wait.wrong_order (messages/wrong_order.h). */
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
	int64_t cause_source;  /* the cause's source, if has_cause_source */
	bool has_cause_source; /* else it is looked up by cause_event */
	int64_t partner; /* for messages: source that posted the waiting end; 0:
			    another wait */
	bool clamped, bound;
	bool polled; /* the wait lies in the unsuccessful tests that its event
			ends (polls.h): start_ns is unused, the cause known */
	enum gaspdb_wrong wrong_order;
};

/* A pass's access to the proposals. Close it in any case. */
struct gaspdb_wait_writer {
	struct gaspdb_run *run;
	struct gaspdb_sorter *proposals, *polled; /* of run->shared */
};

void gaspdb_wait_writer_open(struct gaspdb_wait_writer *writer,
			     struct gaspdb_run *run);
/* Propose a wait; one without length is ignored. Of the polled proposals of one
   event and kind only the one whose cause is the latest is kept. */
void gaspdb_wait_propose(struct gaspdb_wait_writer *writer,
			 const struct gaspdb_wait *wait);
/*
 * Propose the wait of one unsuccessful test: a callback for
 * gaspdb_polls_before(). user: a struct gaspdb_wait_part, whose wait applies to
 * each test until the cause's time.
 */
struct gaspdb_wait_part {
	struct gaspdb_wait_writer *writer;
	struct gaspdb_wait wait;
};
void gaspdb_wait_propose_part(void *user, int64_t event, int64_t start_ns,
			      int64_t end_ns);
void gaspdb_wait_writer_close(struct gaspdb_wait_writer *writer);

/*
 * The source of the cause of each row of table wait, in the order of rows; one
 * column, NONE: unknown. The reader empties it afterwards. NULL: a failure.
 */
struct gaspdb_sorter *gaspdb_wait_causes(struct gaspdb_run *run);

/* The pass: fill wait and wait_total. */
enum gaspdb_status gaspdb_pass_waits(struct gaspdb_run *run);

#endif
