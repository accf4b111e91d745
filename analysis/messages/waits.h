/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Late senders and late receivers: the waits of a matched pair. */
#ifndef GASPDB_ANALYSIS_MESSAGES_WAITS_H
#define GASPDB_ANALYSIS_MESSAGES_WAITS_H

#include "analysis/engine/quality.h"
#include "analysis/engine/run.h"
#include "analysis/messages/streams.h"
#include "analysis/messages/wrong_order.h"
#include "analysis/waits/waits.h"

struct gaspdb_message_waits {
	struct gaspdb_run *run;
	struct gaspdb_wait_writer writer;
	struct gaspdb_wrong_order order;
	struct gaspdb_table events;
	struct gaspdb_contradictions contradictions; /* received before sent */
};

void gaspdb_message_waits_open(struct gaspdb_message_waits *waits,
			       struct gaspdb_run *run);
/* Is the pair wrong: of uncertain order, and received before it was sent? */
bool gaspdb_message_is_mispaired(struct gaspdb_message_waits *waits,
				 const struct gaspdb_end *send,
				 const struct gaspdb_end *receive);
/* Propose the waits of a pair. */
void gaspdb_message_waits_add(struct gaspdb_message_waits *waits,
			      const struct gaspdb_end *send,
			      const struct gaspdb_end *receive);
/* Propose the wait of an unmatched blocking call that is open at the end of its
   log. peer: process; NONE: any. */
void gaspdb_message_waits_add_hung(struct gaspdb_message_waits *waits,
				   int64_t event, enum gaspdb_end_kind kind,
				   int64_t peer);
/* Propose the wait of a probe that saw the message of a pair. */
void gaspdb_message_waits_add_probe(struct gaspdb_message_waits *waits,
				    const struct gaspdb_end *send,
				    const struct gaspdb_end *receive,
				    const struct gaspdb_end *probe);
/* Write the contradictions to quality, and propose the late senders. */
void gaspdb_message_waits_close(struct gaspdb_message_waits *waits);

#endif
