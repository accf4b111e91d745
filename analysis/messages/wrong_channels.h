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

#endif
