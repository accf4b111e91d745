/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late senders and late receivers: the waiting of one matched pair. */
#ifndef GASPDB_ANALYSIS_MESSAGES_WAITS_H
#define GASPDB_ANALYSIS_MESSAGES_WAITS_H

#include "analysis/engine/quality.h"
#include "analysis/messages/streams.h"
#include "analysis/messages/wrong_order.h"
#include "analysis/waits/waits.h"
#include "analysis/engine/run.h"

struct gaspdb_message_waits {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer writer;
	struct gaspdb_wrong_order order;
	struct gaspdb_table events;
	/* receiver, sender: messages that were received before they were
	   sent, ns */
	struct gaspdb_contradictions contradictions;
};

void gaspdb_message_waits_open(struct gaspdb_message_waits *waits,
			       struct gaspdb_run *run);
/* Threads posted it at the same time, and by these two calls it was received
   before it was sent: they are of two messages. */
bool gaspdb_message_mistaken(struct gaspdb_message_waits *waits,
			     const struct gaspdb_end *send,
			     const struct gaspdb_end *receive);
/* Propose what the pair's ends waited for each other. */
void gaspdb_message_waits_add(struct gaspdb_message_waits *waits,
			      const struct gaspdb_end *send,
			      const struct gaspdb_end *receive);
/* A receive of no message: if it was going on when its log ended, it waited
   till then, for that process's; NONE: anyone's. */
void gaspdb_message_waits_hang(struct gaspdb_message_waits *waits,
			       int64_t event, int64_t sender);
/* A probe that saw the message of that pair. */
void gaspdb_message_waits_probe(struct gaspdb_message_waits *waits,
				const struct gaspdb_end *send,
				const struct gaspdb_end *receive,
				const struct gaspdb_end *probe);
/* Writes what it found of the clocks to quality. */
void gaspdb_message_waits_close(struct gaspdb_message_waits *waits);

#endif
