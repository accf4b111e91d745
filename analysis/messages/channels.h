/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Channels with queues of unmatched ends of messages. A channel is freed when
 * its queues are empty, so memory is proportional to the messages in flight and
 * the ends that are never matched.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_CHANNELS_H
#define GASPDB_ANALYSIS_MESSAGES_CHANNELS_H

#include "analysis/messages/streams.h"

/* An end in a queue. */
struct gaspdb_queued_end {
	struct gaspdb_end end;
	uint32_t channel, next; /* next in the queue, or in the free list */
	uint32_t serial;	/* changes when it is freed */
	bool order_final;	/* end.uncertain is final */
};

struct gaspdb_channel {
	int64_t key[GASPDB_CHANNEL_KEYS];
	struct {
		uint32_t first, last;
	} queues[3]; /* by kind, each in the order of posts */
	/* For sends and receives: the latest end of a posting call, its thread,
	   and the latest end of another thread. */
	struct {
		int64_t until_ns, thread, others_until_ns;
	} posting[2];
	bool distrusted; /* a pair has differed in size, or is proven wrong */
	bool inferred; /* a number of lost messages is inferred, may be wrong */
	bool closed;   /* pairs can no longer be determined */
	bool in_use;
	uint32_t next; /* in the free list */
};

struct gaspdb_channels {
	struct gaspdb_run *run;
	struct gaspdb_channel *channels;
	size_t n_channels, channels_room;
	struct gaspdb_queued_end *queued;
	size_t n_queued, queued_room;
	uint32_t free_channel, free_queued;
	struct gaspdb_map index; /* of channels */
};

void gaspdb_channels_init(struct gaspdb_channels *channels,
			  struct gaspdb_run *run);
void gaspdb_channels_fini(struct gaspdb_channels *channels);

/* The index of a key's channel, created if new; GASPDB_ABSENT: a failure. */
uint32_t gaspdb_channel_get(struct gaspdb_channels *channels,
			    const int64_t *key);
/* Free a channel if its queues are empty, no posting call on it lasts beyond
   now_ns, and its flags are not set. */
void gaspdb_channel_release(struct gaspdb_channels *channels, uint32_t channel,
			    int64_t now_ns);

/* Append a copy of an end to its queue, order_final. Returns its index;
   GASPDB_ABSENT: a failure. */
uint32_t gaspdb_channel_push(struct gaspdb_channels *channels, uint32_t channel,
			     enum gaspdb_end_kind kind,
			     const struct gaspdb_end *end);
void gaspdb_channel_pop(struct gaspdb_channels *channels, uint32_t channel,
			enum gaspdb_end_kind kind);
/* The first end of a queue, borrowed until the next push; NULL: empty. */
static inline struct gaspdb_queued_end *
gaspdb_channel_first(const struct gaspdb_channels *c, uint32_t channel,
		     enum gaspdb_end_kind kind)
{
	const uint32_t at = c->channels[channel].queues[kind].first;

	return at == GASPDB_ABSENT ? NULL : &c->queued[at];
}

/* The indices of all channels in use, *n of them, in the order of their keys.
   For free(). */
uint32_t *gaspdb_channels_sorted(struct gaspdb_channels *channels, size_t *n);

#endif
