/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classification of late senders by a scan of all messages from the last
 * received to the first. At each wait the scan has seen the messages received
 * later. For each receiver it keeps the earliest send time per sender, the
 * earliest of all senders, and the earliest of all other senders. Messages of
 * all receivers are sorted by time together, because they arrive nearly in that
 * order. After very many pairs of processes the rest is sorted by receiver, so
 * that only one receiver's senders are kept.
 */
#include "analysis/messages/wrong_order.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/rows/groups.h"

/* Columns of a message, the first in the rows of both sorters. Two threads, or
   sources, share a column, packed by two_of(). */
enum message { BEFORE, RECEIVER_AND_SENDER, SENT, MESSAGE_COLUMNS };

/* Pack two numbers of threads or sources, which are below 2^32. */
static int64_t two_of(int64_t first, int64_t second)
{
	return first << 32 | second;
}

static int64_t first_of(int64_t two)
{
	return two >> 32;
}

static int64_t second_of(int64_t two)
{
	return two & UINT32_MAX;
}

/* Set the columns of a message. BEFORE sorts from the last received to the
   first; a message that was not received is the first of all. */
static void fill(int64_t *row, const struct gaspdb_received *m)
{
	row[BEFORE] =
		m->received_ns == GASPDB_NONE ? GASPDB_NONE : -m->received_ns;
	row[RECEIVER_AND_SENDER] = two_of(m->receiver, m->sender);
	row[SENT] = m->sent_ns;
}

/* Columns of a wait, after those of its message. */
enum wait {
	THREAD_AND_CAUSE = MESSAGE_COLUMNS,
	EVENT,
	START, /* NONE: polled */
	END,
	CAUSE_EVENT,
	PARTNER_AND_SOURCE, /* the cause's */
	WAIT_COLUMNS
};

void gaspdb_wrong_order_open(struct gaspdb_wrong_order *order,
			     struct gaspdb_run *run)
{
	order->run = run;
	gaspdb_sorter_init(&order->messages, run, MESSAGE_COLUMNS, 1);
	gaspdb_sorter_init(&order->waits, run, WAIT_COLUMNS, 1);
}

void gaspdb_wrong_order_message(struct gaspdb_wrong_order *order,
				const struct gaspdb_received *message)
{
	int64_t *row;

	if (message->received_ns == GASPDB_NONE)
		return;
	row = gaspdb_sorter_new_row(&order->messages);
	if (row)
		fill(row, message);
}

void gaspdb_wrong_order_wait(struct gaspdb_wrong_order *order,
			     const struct gaspdb_received *message,
			     const struct gaspdb_wait *w)
{
	int64_t row[WAIT_COLUMNS] = {
		[THREAD_AND_CAUSE] = two_of(w->thread, w->cause_thread),
		[EVENT] = w->event,
		[START] = w->polled ? GASPDB_NONE : w->start_ns,
		[END] = w->end_ns,
		[CAUSE_EVENT] = w->cause_event,
		[PARTNER_AND_SOURCE] = two_of(w->partner, w->cause_source),
	};

	if (!w->polled && w->end_ns <= w->start_ns)
		return;
	fill(row, message);
	gaspdb_sorter_add(&order->waits, row);
}

/* Number of pairs of processes, at 50 to 100 bytes each, from which on the rest
   is sorted by receiver. */
enum { MANY_PAIRS = 1 << 16 };

/* --- scan ----------------------------------------------------------------- */

/* The messages received later than the scan's position. */
struct later {
	struct gaspdb_run *run;
	struct gaspdb_groups earliest; /* receiver and sender: 1, earliest send
					  time */
	struct later_of {
		bool any;
		uint32_t recent;	 /* cache of `earliest` */
		int64_t sent_ns, sender; /* the earliest of all senders */
		int64_t other_ns;	 /* the earliest of other senders */
	} * of;				 /* by receiving thread */
};

static void add_message(struct later *later, const int64_t *row)
{
	const int64_t sent_ns = row[SENT];
	const int64_t sender = second_of(row[RECEIVER_AND_SENDER]);
	struct later_of *of = &later->of[first_of(row[RECEIVER_AND_SENDER])];
	int64_t *known =
		gaspdb_group_cached(later->run, &later->earliest,
				    &row[RECEIVER_AND_SENDER], &of->recent);

	if (known && (!known[0] || sent_ns < known[1])) {
		known[0] = 1;
		known[1] = sent_ns;
	}
	if (!of->any) {
		of->any = true;
		of->sent_ns = sent_ns;
		of->sender = sender;
		of->other_ns = INT64_MAX;
	} else if (sent_ns < of->sent_ns) {
		if (of->sender != sender)
			of->other_ns = of->sent_ns;
		of->sent_ns = sent_ns;
		of->sender = sender;
	} else if (sender != of->sender && sent_ns < of->other_ns) {
		of->other_ns = sent_ns;
	}
}

static enum gaspdb_wrong classify(const struct later *later, const int64_t *row)
{
	const int64_t sender = second_of(row[RECEIVER_AND_SENDER]);
	const struct later_of *of =
		&later->of[first_of(row[RECEIVER_AND_SENDER])];
	const int64_t *same =
		gaspdb_groups_find(&later->earliest, &row[RECEIVER_AND_SENDER]);

	if (same && same[1] < row[SENT])
		return GASPDB_WRONG_SAME_SOURCE;
	if (of->any &&
	    (of->sender == sender ? of->other_ns : of->sent_ns) < row[SENT])
		return GASPDB_WRONG_DIFFERENT_SOURCE;
	return GASPDB_WRONG_NOT;
}

static void propose(struct gaspdb_wait_writer *writer, const int64_t *row,
		    enum gaspdb_wrong wrong)
{
	const bool polled = row[START] == GASPDB_NONE;

	gaspdb_wait_propose(
		writer,
		&(struct gaspdb_wait){
			.kind = GASPDB_WAIT_LATE_SENDER,
			.thread = first_of(row[THREAD_AND_CAUSE]),
			.event = row[EVENT],
			.start_ns = row[START],
			.end_ns = row[END],
			.cause_thread = second_of(row[THREAD_AND_CAUSE]),
			.cause_event = row[CAUSE_EVENT],
			.cause_ns = row[SENT],
			.cause_source = second_of(row[PARTNER_AND_SOURCE]),
			.has_cause_source = true,
			.partner = first_of(row[PARTNER_AND_SOURCE]),
			.clamped = !polled && row[SENT] > row[END],
			.polled = polled,
			.wrong_order = wrong });
}

/* --- sorted by receiver --------------------------------------------------- */

/* Add a row with its receiver as the first key. */
static void add_by_receiver(struct gaspdb_sorter *to, const int64_t *row)
{
	int64_t with[1 + WAIT_COLUMNS] = { first_of(row[RECEIVER_AND_SENDER]) };

	memcpy(with + 1, row, (to->columns - 1) * sizeof *row);
	gaspdb_sorter_add(to, with);
}

/* The next row without that key; false: no more. */
static bool next_by_receiver(struct gaspdb_sorter *from, int64_t *row)
{
	const int64_t *with = gaspdb_sorter_next(from);

	if (with)
		memcpy(row, with + 1, (from->columns - 1) * sizeof *row);
	return with;
}

/* Move the sums so far to the sorter, as messages before all others. */
static void move_sums(struct gaspdb_sorter *to, struct later *later)
{
	for (size_t i = 0; i < later->earliest.n; i++) {
		const int64_t *pair = gaspdb_groups_row(&later->earliest, i);

		add_by_receiver(to,
				(int64_t[]){ [BEFORE] = GASPDB_NONE,
					     [RECEIVER_AND_SENDER] = pair[0],
					     [SENT] = pair[2] });
	}
	gaspdb_groups_clear(&later->earliest);
	memset(later->of, 0, (size_t)later->run->n_threads * sizeof *later->of);
}

static void classify_sorted(struct gaspdb_sorter *messages,
			    struct gaspdb_sorter *waits,
			    struct gaspdb_wait_writer *writer,
			    struct later *later)
{
	int64_t wait[WAIT_COLUMNS], message[MESSAGE_COLUMNS];
	int64_t last = GASPDB_NONE;
	bool more = next_by_receiver(messages, message);

	while (next_by_receiver(waits, wait)) {
		const int64_t receiver = first_of(wait[RECEIVER_AND_SENDER]);

		if (receiver != last)
			gaspdb_groups_clear(&later->earliest);
		last = receiver;
		for (; more; more = next_by_receiver(messages, message)) {
			const int64_t of =
				first_of(message[RECEIVER_AND_SENDER]);

			if (of > receiver ||
			    (of == receiver && message[BEFORE] >= wait[BEFORE]))
				break;
			if (of == receiver)
				add_message(later, message);
		}
		propose(writer, wait, classify(later, wait));
	}
}

/* Classify the rest, from a message and a wait on, by receiver. */
static void classify_by_receiver(struct gaspdb_wrong_order *order,
				 struct gaspdb_wait_writer *writer,
				 struct later *later, const int64_t *message,
				 const int64_t *wait)
{
	struct gaspdb_sorter messages, waits;

	gaspdb_sorter_init(&messages, order->run, 1 + MESSAGE_COLUMNS, 2);
	gaspdb_sorter_init(&waits, order->run, 1 + WAIT_COLUMNS, 2);
	move_sums(&messages, later);
	for (; message; message = gaspdb_sorter_next(&order->messages))
		add_by_receiver(&messages, message);
	for (; wait; wait = gaspdb_sorter_next(&order->waits))
		add_by_receiver(&waits, wait);
	classify_sorted(&messages, &waits, writer, later);
	gaspdb_sorter_fini(&messages);
	gaspdb_sorter_fini(&waits);
}

/* --- all ------------------------------------------------------------------ */

/* Messages received at the same time are not later than each other. */
static void classify_all(struct gaspdb_wrong_order *order,
			 struct gaspdb_wait_writer *writer, struct later *later)
{
	const int64_t *wait = gaspdb_sorter_next(&order->waits),
		      *message = NULL;

	if (wait)
		message = gaspdb_sorter_next(&order->messages);
	for (; wait; wait = gaspdb_sorter_next(&order->waits)) {
		for (; message && message[BEFORE] < wait[BEFORE];
		     message = gaspdb_sorter_next(&order->messages)) {
			if (later->earliest.n >= MANY_PAIRS) {
				classify_by_receiver(order, writer, later,
						     message, wait);
				return;
			}
			add_message(later, message);
		}
		propose(writer, wait, classify(later, wait));
	}
}

void gaspdb_wrong_order_close(struct gaspdb_wrong_order *order,
			      struct gaspdb_wait_writer *writer)
{
	struct later later = { .run = order->run };

	gaspdb_groups_init(&later.earliest, 1, 2);
	later.of = gaspdb_zeroed(order->run, (size_t)order->run->n_threads,
				 sizeof *later.of);
	if (later.of)
		classify_all(order, writer, &later);
	gaspdb_groups_fini(&later.earliest);
	free(later.of);
	gaspdb_sorter_fini(&order->messages);
	gaspdb_sorter_fini(&order->waits);
}
