/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each process's messages are gone through from the last received back to the
 * first.  So of what was received later than a wait's message it is enough to
 * know the earliest that each sender had sent, and the earliest of all others:
 * memory is that of a process's senders, the rest is sorting.
 */
#include "analysis/wrong_order.h"

#include "analysis/groups.h"

/* What a message is known by, first in both sorters' rows. */
enum message { RECEIVER, BEFORE, SENT, SENDER, MESSAGE_COLUMNS };

/* BEFORE grows as one goes back in time; what was not received comes first:
   later than nothing, and nothing is later. */
static void fill(int64_t *row, const struct gaspdb_received *m)
{
	row[RECEIVER] = m->receiver;
	row[BEFORE] =
		m->received_ns == GASPDB_NONE ? GASPDB_NONE : -m->received_ns;
	row[SENT] = m->sent_ns;
	row[SENDER] = m->sender;
}

/* Of a wait, after its message. */
enum wait {
	THREAD = MESSAGE_COLUMNS,
	EVENT,
	START,
	END,
	CAUSE_THREAD,
	CAUSE_EVENT,
	CLAMPED,
	WAIT_COLUMNS
};

void gaspdb_wrong_order_open(struct gaspdb_wrong_order *order,
			     struct gaspdb_run *run)
{
	order->run = run;
	gaspdb_sorter_init(&order->messages, run, MESSAGE_COLUMNS, 2);
	gaspdb_sorter_init(&order->waits, run, WAIT_COLUMNS, 2);
}

void gaspdb_wrong_order_message(struct gaspdb_wrong_order *order,
				const struct gaspdb_received *message)
{
	int64_t row[MESSAGE_COLUMNS];

	if (message->received_ns == GASPDB_NONE)
		return;
	fill(row, message);
	gaspdb_sorter_add(&order->messages, row);
}

void gaspdb_wrong_order_wait(struct gaspdb_wrong_order *order,
			     const struct gaspdb_received *message,
			     const struct gaspdb_wait *w)
{
	int64_t row[WAIT_COLUMNS] = { [THREAD] = w->thread,
				      [EVENT] = w->event,
				      [START] = w->start_ns,
				      [END] = w->end_ns,
				      [CAUSE_THREAD] = w->cause_thread,
				      [CAUSE_EVENT] = w->cause_event,
				      [CLAMPED] = w->clamped };

	if (w->end_ns <= w->start_ns)
		return;
	fill(row, message);
	gaspdb_sorter_add(&order->waits, row);
}

/* --- going back ----------------------------------------------------------- */

/* What one process received later. */
struct later {
	int64_t receiver;
	struct gaspdb_groups earliest; /* sender: is known, first sent */
	int64_t sent_ns, sender;       /* the first sent of all; sender NONE:
					  there is none */
	int64_t other_ns;	       /* ... by another than that sender */
};

static void start_process(struct later *later, int64_t receiver)
{
	later->receiver = receiver;
	gaspdb_groups_clear(&later->earliest);
	later->sender = GASPDB_NONE;
	later->sent_ns = later->other_ns = INT64_MAX;
}

static void add_message(struct gaspdb_run *run, struct later *later,
			const int64_t *row)
{
	const int64_t sent_ns = row[SENT], sender = row[SENDER];
	int64_t *known = gaspdb_group(run, &later->earliest, &sender);

	if (known && (!known[0] || sent_ns < known[1])) {
		known[0] = 1;
		known[1] = sent_ns;
	}
	if (sent_ns < later->sent_ns) {
		if (later->sender != sender)
			later->other_ns = later->sent_ns;
		later->sent_ns = sent_ns;
		later->sender = sender;
	} else if (sender != later->sender && sent_ns < later->other_ns) {
		later->other_ns = sent_ns;
	}
}

static enum gaspdb_wrong judge(const struct later *later, const int64_t *row)
{
	const int64_t *same =
		gaspdb_groups_find(&later->earliest, &row[SENDER]);
	const int64_t other_ns =
		later->sender == row[SENDER] ? later->other_ns : later->sent_ns;

	if (same && same[1] < row[SENT])
		return GASPDB_WRONG_SAME_SOURCE;
	return other_ns < row[SENT] ? GASPDB_WRONG_DIFFERENT_SOURCE
				    : GASPDB_WRONG_NOT;
}

static void propose(struct gaspdb_wait_writer *writer, const int64_t *row,
		    enum gaspdb_wrong wrong)
{
	gaspdb_wait_propose(writer, &(struct gaspdb_wait){
					    .kind = GASPDB_WAIT_LATE_SENDER,
					    .thread = row[THREAD],
					    .event = row[EVENT],
					    .start_ns = row[START],
					    .end_ns = row[END],
					    .cause_thread = row[CAUSE_THREAD],
					    .cause_event = row[CAUSE_EVENT],
					    .cause_ns = row[SENT],
					    .clamped = row[CLAMPED],
					    .wrong_order = wrong });
}

static bool comes_before(const int64_t *a, const int64_t *b)
{
	return a[RECEIVER] != b[RECEIVER] ? a[RECEIVER] < b[RECEIVER]
					  : a[BEFORE] < b[BEFORE];
}

/* Those received at the same time are no later than each other. */
static void judge_all(struct gaspdb_wrong_order *order,
		      struct gaspdb_wait_writer *writer, struct later *later)
{
	const int64_t *wait, *message = NULL;
	bool begun = false;

	while ((wait = gaspdb_sorter_next(&order->waits))) {
		if (!begun)
			message = gaspdb_sorter_next(&order->messages);
		if (!begun || wait[RECEIVER] != later->receiver)
			start_process(later, wait[RECEIVER]);
		begun = true;
		while (message && comes_before(message, wait)) {
			if (message[RECEIVER] == later->receiver)
				add_message(order->run, later, message);
			message = gaspdb_sorter_next(&order->messages);
		}
		propose(writer, wait, judge(later, wait));
	}
}

void gaspdb_wrong_order_close(struct gaspdb_wrong_order *order,
			      struct gaspdb_wait_writer *writer)
{
	struct later later = { .receiver = GASPDB_NONE };

	gaspdb_groups_init(&later.earliest, 1, 2);
	judge_all(order, writer, &later);
	gaspdb_groups_fini(&later.earliest);
	gaspdb_sorter_fini(&order->messages);
	gaspdb_sorter_fini(&order->waits);
}
