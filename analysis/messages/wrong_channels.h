/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Channels of which a pair is proven wrong: on one host, which has one clock, a
 * message cannot be received before it is sent.  Some send or receive of the
 * channel is then missing from the logs, and any of its pairs may be shifted by
 * it, the earlier ones too: no wait for them is believed.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_WRONG_CHANNELS_H
#define GASPDB_ANALYSIS_MESSAGES_WRONG_CHANNELS_H

#include "analysis/engine/clock_errors.h"
#include "analysis/rows/groups.h"
#include "analysis/messages/streams.h"
#include "analysis/waits/unknown_waits.h"
#include "analysis/waits/waits.h"

struct gaspdb_wrong_channels {
	struct gaspdb_run *run;
	struct gaspdb_table *events; /* borrowed */
	struct gaspdb_clock_errors clocks;
	bool *synchronous; /* by source: a send that ends when its receive has
			      begun */
	struct gaspdb_groups channels; /* team, sender, receiver, tag: pairs,
					  ns, the first's receive */
};

void gaspdb_wrong_channels_open(struct gaspdb_wrong_channels *w,
				struct gaspdb_run *run,
				struct gaspdb_table *events);
/* Do these two calls prove that the pair is none?  Its channel is noted. */
bool gaspdb_wrong_channels_prove(struct gaspdb_wrong_channels *w,
				 const int64_t *channel,
				 const struct gaspdb_end *send,
				 const struct gaspdb_end *receive);
/* Writes table wrong_channel, and quality. */
void gaspdb_wrong_channels_close(struct gaspdb_wrong_channels *w);

/* The waits for messages of such channels, when all are proposed. */
struct gaspdb_distrusted {
	struct gaspdb_run *run;
	struct gaspdb_unknown_waits untold;
	struct gaspdb_distrusted_end {
		int64_t event, waiting; /* whose process waits for it */
	} * sends, *posts;		/* sorted */
	size_t n, room[2];
};

void gaspdb_distrusted_load(struct gaspdb_distrusted *d,
			    struct gaspdb_run *run);
/* Is it for such a message?  How long its call waited is not known then. */
bool gaspdb_distrusted_has(struct gaspdb_distrusted *d,
			   const struct gaspdb_wait *wait);
void gaspdb_distrusted_free(struct gaspdb_distrusted *d);

#endif
