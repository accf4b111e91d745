/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairing of sends and receives. On each channel the j-th send in the order of
 * starts matches the j-th receive in the order of posts, because MPI messages
 * do not overtake each other.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_PAIRS_H
#define GASPDB_ANALYSIS_MESSAGES_PAIRS_H

#include "analysis/messages/channels.h"

struct gaspdb_pairs_undecided;

/* Callbacks for pairs and unmatched ends. An end with n_unrecorded not 0 stands
   for an end that was not recorded. */
struct gaspdb_pair_callbacks {
	void *user;
	/* A pair. The callback may set channel->distrusted. */
	void (*pair)(void *user, struct gaspdb_channel *channel,
		     const struct gaspdb_end *send,
		     const struct gaspdb_end *receive);
	/* A probe that saw the message of a pair, after the pair. send NULL:
	   unknown, or on a distrusted channel. */
	void (*probed)(void *user, const struct gaspdb_end *probe,
		       const struct gaspdb_end *send,
		       const struct gaspdb_end *receive);
	/* An unmatched end: at the end by channel, or as soon as the channel
	   is closed. */
	void (*unmatched)(void *user, const struct gaspdb_channel *channel,
			  enum gaspdb_end_kind kind,
			  const struct gaspdb_end *end);
};

struct gaspdb_pairs {
	struct gaspdb_channels channels;
	struct gaspdb_table *events; /* borrowed */
	const struct gaspdb_pair_callbacks *callbacks;
	/* Heap of ends whose order is not final, by the end of their posting
	   call. */
	struct gaspdb_pairs_undecided *undecided;
	size_t n_undecided, undecided_room;
	int64_t watermark_ns;
};

void gaspdb_pairs_init(struct gaspdb_pairs *pairs, struct gaspdb_run *run,
		       struct gaspdb_table *events,
		       const struct gaspdb_pair_callbacks *callbacks);
void gaspdb_pairs_arrive(struct gaspdb_pairs *pairs,
			 const struct gaspdb_arrival *arrival);
/* Set the watermark: no later arrival is earlier than this time. */
void gaspdb_pairs_set_watermark(struct gaspdb_pairs *pairs, int64_t at_ns);
/* Report the ends that are left as unmatched. The watermark is INT64_MAX. */
void gaspdb_pairs_finish(struct gaspdb_pairs *pairs);
void gaspdb_pairs_fini(struct gaspdb_pairs *pairs);

#endif
