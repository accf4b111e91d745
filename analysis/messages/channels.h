/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Channels with what waits on them for its other end.  Those on which nothing
 * does are forgotten, so memory is that of the messages on their way, and of
 * those that will never be matched.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_CHANNELS_H
#define GASPDB_ANALYSIS_MESSAGES_CHANNELS_H

#include "analysis/messages/streams.h"

/* An end that waits. */
struct gaspdb_waiting {
	struct gaspdb_end end;
	uint32_t channel, next; /* next: also of what is free */
	uint32_t serial;	/* changes when it is freed */
	bool settled;		/* whether its order is uncertain is known */
};

struct gaspdb_channel {
	int64_t key[GASPDB_CHANNEL_KEYS];
	struct {
		uint32_t first, last;
	} queues[3]; /* by kind, each in order */
	/* of sends and receives: the latest end of a posting call, its thread,
	   and the latest of any other thread */
	struct {
		int64_t until_ns, thread, others_until_ns;
	} busy[2];
	bool distrust; /* sizes on it have differed */
	bool guessed;  /* how many of it were lost; that it may not be so */
	bool ended;    /* it cannot be told what belongs together */
	bool in_use;
	uint32_t next; /* free one */
};

struct gaspdb_channels {
	struct gaspdb_run *run;
	struct gaspdb_channel *channels;
	size_t n_channels, channels_room;
	struct gaspdb_waiting *waiting;
	size_t n_waiting, waiting_room;
	uint32_t free_channel, free_waiting;
	struct gaspdb_map index; /* of channels */
};

void gaspdb_channels_init(struct gaspdb_channels *channels,
			  struct gaspdb_run *run);
void gaspdb_channels_fini(struct gaspdb_channels *channels);

/* The channel of that key, its number; GASPDB_ABSENT after a failure. */
uint32_t gaspdb_channel_get(struct gaspdb_channels *channels,
			    const int64_t *key);
/* Forget it if nothing waits on it, nothing that comes after now_ns can begin
   in what was posted before, and nothing else is to be remembered. */
void gaspdb_channel_release(struct gaspdb_channels *channels, uint32_t channel,
			    int64_t now_ns);

/* Append a copy, settled; its number; GASPDB_ABSENT after a failure. */
uint32_t gaspdb_channel_push(struct gaspdb_channels *channels, uint32_t channel,
			     enum gaspdb_end_kind kind,
			     const struct gaspdb_end *end);
void gaspdb_channel_pop(struct gaspdb_channels *channels, uint32_t channel,
			enum gaspdb_end_kind kind);
/* NULL: nothing waits.  Borrowed until the next push. */
static inline struct gaspdb_waiting *
gaspdb_channel_first(const struct gaspdb_channels *c, uint32_t channel,
		     enum gaspdb_end_kind kind)
{
	const uint32_t at = c->channels[channel].queues[kind].first;

	return at == GASPDB_ABSENT ? NULL : &c->waiting[at];
}

/* The numbers of all channels, in the order of their keys, n_channels at most;
   to be freed.  *n: how many. */
uint32_t *gaspdb_channels_sorted(struct gaspdb_channels *channels, size_t *n);

#endif
