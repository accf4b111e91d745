/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On each channel the j-th send, in order of start, belongs to the j-th
 * receive, in order of posting: MPI's rule that messages do not overtake.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_PAIRS_H
#define GASPDB_ANALYSIS_MESSAGES_PAIRS_H

#include "analysis/messages/channels.h"

struct gaspdb_pairs_late;

/* What comes of it; a pair, or an end alone.  An end whose count is not 0
   stands for one of as many that nobody recorded. */
struct gaspdb_pair_calls {
	void *user;
	/* channel->distrust may be set. */
	void (*pair)(void *user, struct gaspdb_channel *channel,
		     const struct gaspdb_end *send,
		     const struct gaspdb_end *receive);
	/* A probe that saw a receive's message; send NULL: whose start is not
	   known, or not to be trusted.  After its pair. */
	void (*probed)(void *user, const struct gaspdb_end *probe,
		       const struct gaspdb_end *send,
		       const struct gaspdb_end *receive);
	/* By channel, at the end; or as soon as nobody can tell any longer what
	   belongs together on it. */
	void (*unmatched)(void *user, const struct gaspdb_channel *channel,
			  enum gaspdb_end_kind kind,
			  const struct gaspdb_end *end);
};

struct gaspdb_pairs {
	struct gaspdb_channels channels;
	struct gaspdb_table *events; /* borrowed */
	const struct gaspdb_pair_calls *calls;
	/* Ends whose order may turn out uncertain until their posting call
	   ends: a heap by that time. */
	struct gaspdb_pairs_late *late;
	size_t n_late, late_room;
	int64_t reached_ns;
};

void gaspdb_pairs_init(struct gaspdb_pairs *pairs, struct gaspdb_run *run,
		       struct gaspdb_table *events,
		       const struct gaspdb_pair_calls *calls);
void gaspdb_pairs_arrive(struct gaspdb_pairs *pairs,
			 const struct gaspdb_arrival *arrival);
/* Nothing comes any more that is earlier. */
void gaspdb_pairs_reach(struct gaspdb_pairs *pairs, int64_t at_ns);
/* Tell what is left; all has been reached. */
void gaspdb_pairs_finish(struct gaspdb_pairs *pairs);
void gaspdb_pairs_fini(struct gaspdb_pairs *pairs);

#endif
