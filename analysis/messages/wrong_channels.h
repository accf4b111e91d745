/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wrong channels: channels with a pair that is proven wrong. On one host, which
 * has one clock, a message cannot be received before it is sent. So some send
 * or receive of the channel is missing from the logs, any of its pairs may be
 * shifted, and all waits for its messages are rejected.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_WRONG_CHANNELS_H
#define GASPDB_ANALYSIS_MESSAGES_WRONG_CHANNELS_H

#include "analysis/engine/clock_errors.h"
#include "analysis/messages/streams.h"
#include "analysis/rows/groups.h"
#include "analysis/waits/unknown_waits.h"
#include "analysis/waits/waits.h"

struct gaspdb_wrong_channels {
	struct gaspdb_run *run;
	struct gaspdb_table *events; /* borrowed */
	struct gaspdb_clock_errors clocks;
	bool *synchronous; /* by source: a synchronous send, which ends after
			      the start of its receive */
	struct gaspdb_groups channels; /* team, sender, receiver, tag: pairs,
					  ns, the first's receive */
};

void gaspdb_wrong_channels_open(struct gaspdb_wrong_channels *w,
				struct gaspdb_run *run,
				struct gaspdb_table *events);
/* Is the pair proven wrong? Its channel is recorded then. */
bool gaspdb_wrong_channels_prove(struct gaspdb_wrong_channels *w,
				 const int64_t *channel,
				 const struct gaspdb_end *send,
				 const struct gaspdb_end *receive);
/* Write table wrong_channel, and quality. */
void gaspdb_wrong_channels_close(struct gaspdb_wrong_channels *w);

/* Messages of wrong channels, for rejecting the waits for them. */
struct gaspdb_distrusted {
	struct gaspdb_run *run;
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_distrusted_end {
		int64_t event, waiting; /* waiting: process that waits for it */
	} * sends, *posts;		/* sorted */
	size_t n, room[2];
};

void gaspdb_distrusted_load(struct gaspdb_distrusted *d,
			    struct gaspdb_run *run);
/* Is the wait for a message of a wrong channel? Its call is added to the
   unknown waits then. */
bool gaspdb_distrusted_has(struct gaspdb_distrusted *d,
			   const struct gaspdb_wait *wait);
void gaspdb_distrusted_free(struct gaspdb_distrusted *d);

#endif
