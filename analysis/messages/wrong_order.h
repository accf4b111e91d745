/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Late senders in wrong order: a thread waited for a message while another
 * one, sent earlier, was received by it only later.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_WRONG_ORDER_H
#define GASPDB_ANALYSIS_MESSAGES_WRONG_ORDER_H

#include "analysis/rows/sorter.h"
#include "analysis/waits/waits.h"

struct gaspdb_wrong_order {
	struct gaspdb_run *run;
	/* received before: receiving thread, sent, sending process */
	struct gaspdb_sorter messages;
	/* the same of those that were waited for, and the wait */
	struct gaspdb_sorter waits;
};

/* A message as this sees it. */
struct gaspdb_received {
	int64_t receiver; /* the thread */
	int64_t sender;	  /* the process, by its first thread */
	int64_t sent_ns;
	int64_t received_ns; /* NONE: not seen */
};

void gaspdb_wrong_order_open(struct gaspdb_wrong_order *order,
			     struct gaspdb_run *run);
void gaspdb_wrong_order_message(struct gaspdb_wrong_order *order,
				const struct gaspdb_received *message);
/* A late sender: its wait is kept until the end. */
void gaspdb_wrong_order_wait(struct gaspdb_wrong_order *order,
			     const struct gaspdb_received *message,
			     const struct gaspdb_wait *wait);
/* Propose the waits, each with its wrong_order. */
void gaspdb_wrong_order_close(struct gaspdb_wrong_order *order,
			      struct gaspdb_wait_writer *writer);

#endif
