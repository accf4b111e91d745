/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the completion pass, which completions.c, begin.c and end.c share.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_STATE_H
#define GASPDB_ANALYSIS_COMPLETION_STATE_H

#include "analysis/completion/rows.h"
#include "analysis/completion/threads.h"

/* A completed transfer, and its thread's computation up to then. */
struct gaspdb_completed {
	const struct gaspdb_transfer *transfer;
	int64_t computed_ns;
};

struct completions {
	struct gaspdb_run *run;
	struct gaspdb_completion_rules rules;
	struct gaspdb_open_transfers open;
	struct gaspdb_completion_rows rows;
	struct gaspdb_walk walk;
	sqlite3_stmt *request;	     /* completion of an event's requests */
	bool logs_complete;	     /* all logs of the process have an end */
	int64_t last_gap_ns;	     /* end of the process's last gap */
	struct gaspdb_groups unseen; /* thread, kind, blocking */

	/* The current event. */
	struct gaspdb_walk_thread *thread;
	const int64_t *event; /* its row */
	int64_t end_ns;
	const struct gaspdb_completion_rule *rule;
	const int64_t *argument; /* values or none, by enum
				    gaspdb_transfer_argument; NONE: absent */
	int64_t values[GASPDB_N_TRANSFER_ARGUMENTS];
	int64_t none[GASPDB_N_TRANSFER_ARGUMENTS]; /* all NONE */

	/* Transfers that it completes. */
	struct gaspdb_completed *completed;
	struct gaspdb_part *parts;
	size_t n_completed, completed_room, parts_room;

	/* Requests that it posts; requests of earlier probes, which begin with
	   their receive. */
	struct gaspdb_posted_request *posted, *probed;
	size_t n_posted, posted_room, n_probed, probed_room;
	int64_t lost_ns; /* start of the current gap; NONE: not in a gap */
	int64_t gaps;	 /* number of gaps so far */
};

/* Make room for n elements of parts; false: a failure. */
bool gaspdb_completions_make_parts(struct completions *c, size_t n);

/* Begin the transfers of the current event; store the requests of a probe. */
void gaspdb_completions_begin(struct completions *c);
void gaspdb_completions_probed(struct completions *c);

/* Complete the transfers that the current event completes. */
void gaspdb_completions_complete(struct completions *c);

/* Did a gap come after the begin of a transfer with a handle? The handle may
   have been reused since then. */
bool gaspdb_completions_over_gap(const struct completions *c,
				 const struct gaspdb_transfer *t);
/* End transfers that had a handle before a gap: it is given again, so they were
   completed in the gap. */
void gaspdb_completions_replace(struct completions *c, int64_t handle);
/* Process a gap of recording; end the process. */
void gaspdb_completions_stop(struct completions *c, int64_t ns);
void gaspdb_completions_finish(struct completions *c);

#endif
