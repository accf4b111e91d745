/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pass consists of: completions.c (the walk), begin.c (what
   begins), end.c (what is completed, or lost sight of). */
#ifndef GASPDB_ANALYSIS_COMPLETION_PARTS_H
#define GASPDB_ANALYSIS_COMPLETION_PARTS_H

#include "analysis/completion/rows.h"
#include "analysis/completion/threads.h"

/* A transfer that is over, and its thread's computation up to then. */
struct gaspdb_taken {
	const struct gaspdb_transfer *transfer;
	int64_t computed_ns;
};

struct completions {
	struct gaspdb_run *run;
	struct gaspdb_completion_rules rules;
	struct gaspdb_open_transfers open;
	struct gaspdb_completion_rows rows;
	struct gaspdb_walk walk;
	sqlite3_stmt *request;	     /* what completed an event's request */
	bool all_whole;		     /* logs of this process, to their ends */
	int64_t last_gap_ns;	     /* end of the last of the process */
	struct gaspdb_groups unseen; /* thread, kind, blocking */

	/* The event at hand. */
	struct gaspdb_walk_thread *thread;
	const int64_t *event; /* its row */
	int64_t end_ns;
	const struct gaspdb_completion_rule *rule;
	const int64_t *argument; /* by enum gaspdb_transfer_argument; NONE: it
				    is not there */
	int64_t found[GASPDB_N_TRANSFER_ARGUMENTS];
	int64_t none[GASPDB_N_TRANSFER_ARGUMENTS]; /* all NONE */

	/* What it completes. */
	struct gaspdb_taken *taken;
	struct gaspdb_part *parts;
	size_t n_taken, taken_room, parts_room;

	/* What it posts; those that a probe did wait for their receive. */
	struct gaspdb_posted_request *posted, *probed;
	size_t n_posted, posted_room, n_probed, probed_room;
	int64_t lost_ns; /* recording stopped; NONE: the process is over */
	int64_t gaps;	 /* so far */
};

/* Room for the shares of n transfers in parts; false: a failure. */
bool gaspdb_completions_parts(struct completions *c, size_t n);

/* What the event begins, and of a probe: posts. */
void gaspdb_completions_begin(struct completions *c);
void gaspdb_completions_probed(struct completions *c);

/* What the event completes. */
void gaspdb_completions_complete(struct completions *c);

/* Was something not recorded since it began by a handle?  That may have come to
   stand for another. */
bool gaspdb_completions_over_gap(const struct completions *c,
				 const struct gaspdb_transfer *t);
/* A handle is given again: what had it, before a gap, was completed in that. */
void gaspdb_completions_replace(struct completions *c, int64_t handle);
/* Recording stops; the process is over. */
void gaspdb_completions_stop(struct completions *c, int64_t ns);
void gaspdb_completions_finish(struct completions *c);

#endif
