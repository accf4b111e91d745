/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Late senders in wrong order: a thread waited for a message although another
 * message had been sent earlier, which it received later.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_WRONG_ORDER_H
#define GASPDB_ANALYSIS_MESSAGES_WRONG_ORDER_H

#include "analysis/rows/sorter.h"
#include "analysis/waits/waits.h"

struct gaspdb_wrong_order {
	struct gaspdb_run *run;
	struct gaspdb_sorter messages; /* all received messages */
	struct gaspdb_sorter waits;    /* late senders, with their messages */
};

/* A message. */
struct gaspdb_received {
	int64_t receiver; /* receiving thread */
	int64_t sender;	  /* first thread of the sending process */
	int64_t sent_ns;
	int64_t received_ns; /* NONE: not recorded */
};

void gaspdb_wrong_order_open(struct gaspdb_wrong_order *order,
			     struct gaspdb_run *run);
void gaspdb_wrong_order_message(struct gaspdb_wrong_order *order,
				const struct gaspdb_received *message);
/* Add a late sender's wait and its message; it is proposed at the end. */
void gaspdb_wrong_order_wait(struct gaspdb_wrong_order *order,
			     const struct gaspdb_received *message,
			     const struct gaspdb_wait *wait);
/* Propose the waits, each with its wrong_order. */
void gaspdb_wrong_order_close(struct gaspdb_wrong_order *order,
			      struct gaspdb_wait_writer *writer);

#endif
