/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scalasca's Late Sender and Late Receiver. A call that completes several
 * messages has a proposal for each; table wait keeps the longest, and no Late
 * Receiver where there is a Late Sender (analysis/waits/waits.c).
 */
#include "analysis/messages/waits.h"

#include "analysis/engine/scan.h"
#include "analysis/waits/polls.h"
#include "common/sum.h"

void gaspdb_message_waits_open(struct gaspdb_message_waits *waits,
			       struct gaspdb_run *run)
{
	waits->run = run;
	gaspdb_wait_writer_open(&waits->writer, run);
	gaspdb_wrong_order_open(&waits->order, run);
	gaspdb_contradictions_open(&waits->contradictions, run);
	gaspdb_table_open(&waits->events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
}

/* Is it a test or probe? The unsuccessful ones before it waited, too. */
static bool polls(const struct gaspdb_run *run,
		  const struct gaspdb_end_call *call)
{
	return gaspdb_type_polls(gaspdb_source_type(run, call->source));
}

/* Is it a call that waits, by itself or by polling? */
static bool waits_or_polls(const struct gaspdb_run *run,
			   const struct gaspdb_end_call *call)
{
	switch (gaspdb_source_type(run, call->source)) {
	case GASPDB_TYPE_send:
	case GASPDB_TYPE_receive:
	case GASPDB_TYPE_send_receive:
	case GASPDB_TYPE_wait:
	case GASPDB_TYPE_probe:
		return true;
	default:
		return polls(run, call);
	}
}

/* May the call have waited until a time? For a successful test the unsuccessful
   ones before it may have waited even if it started later. */
static bool may_wait(const struct gaspdb_run *run,
		     const struct gaspdb_end_call *call, int64_t until_ns)
{
	return call->event != GASPDB_NONE &&
	       (call->start_ns < until_ns ? waits_or_polls(run, call)
					  : polls(run, call));
}

static bool has_event(const struct gaspdb_run_thread *thread, int64_t event)
{
	return thread->first_event != GASPDB_NONE &&
	       event >= thread->first_event && event <= thread->last_event;
}

/* The thread whose call completed an end: any thread of its process. */
static int64_t completing_thread(const struct gaspdb_run *run,
				 const struct gaspdb_end *end)
{
	const int64_t event = end->complete.event;
	int64_t process;

	if (has_event(&run->threads[end->thread], event))
		return end->thread;
	process = gaspdb_run_process(run, end->thread);
	for (int64_t i = process;
	     i >= 0 && i < run->n_threads && run->threads[i].process == process;
	     i++)
		if (has_event(&run->threads[i], event))
			return i;
	return end->thread;
}

static struct gaspdb_received message_of(const struct gaspdb_message_waits *w,
					 const struct gaspdb_end *send,
					 const struct gaspdb_end *receive)
{
	return (struct gaspdb_received){
		.receiver = completing_thread(w->run, receive),
		.sender = gaspdb_run_process(w->run, send->thread),
		.sent_ns = send->at_ns,
		.received_ns = receive->complete.event == GASPDB_NONE
				       ? GASPDB_NONE
				       : receive->complete.end_ns
	};
}

/* Count a contradiction of clocks if a call that received or saw the message
   ended before it was sent. */
static void check_clocks(struct gaspdb_message_waits *waits, int64_t thread,
			 const struct gaspdb_end_call *call,
			 const struct gaspdb_end *send)
{
	const int64_t ns =
		gaspdb_end_call_before(&waits->events, call, send->at_ns);

	if (ns)
		gaspdb_contradictions_add(&waits->contradictions, thread,
					  send->thread, ns);
}

/* Is it a blocking call of this kind that is open at the end of its log? Its
   row. */
static bool is_open(struct gaspdb_message_waits *waits, int64_t event,
		    enum gaspdb_end_kind kind, int64_t *row)
{
	enum gaspdb_type type;

	if (!gaspdb_table_get(&waits->events, event, GASPDB_EVENT_COLUMNS,
			      row) ||
	    !row[GASPDB_EVENT_OPEN])
		return false;
	type = gaspdb_source_type(waits->run, row[GASPDB_EVENT_SOURCE]);
	return type == GASPDB_TYPE_send_receive ||
	       type == (kind == GASPDB_SEND ? GASPDB_TYPE_send
					    : GASPDB_TYPE_receive);
}

void gaspdb_message_waits_add_hung(struct gaspdb_message_waits *waits,
				   int64_t event, enum gaspdb_end_kind kind,
				   int64_t peer)
{
	const enum gaspdb_wait_kind late = kind == GASPDB_SEND
						   ? GASPDB_WAIT_LATE_RECEIVER
						   : GASPDB_WAIT_LATE_SENDER;
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (!is_open(waits, event, kind, row))
		return;
	gaspdb_wait_propose(
		&waits->writer,
		&(struct gaspdb_wait){ .kind = late,
				       .thread = row[GASPDB_EVENT_THREAD],
				       .event = event,
				       .start_ns = row[GASPDB_EVENT_START],
				       .end_ns = row[GASPDB_EVENT_START] +
						 row[GASPDB_EVENT_DURATION],
				       .cause_thread = peer,
				       .cause_event = GASPDB_NONE,
				       .cause_ns = GASPDB_NONE,
				       .bound = true });
}

/* Propose a late sender for a message that was sent, but whose receive is open
   at the end of its log. */
static void late_sender_of_open(struct gaspdb_message_waits *waits,
				const struct gaspdb_end *send,
				const struct gaspdb_end *receive)
{
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (!is_open(waits, receive->post.event, GASPDB_RECEIVE, row))
		return;
	gaspdb_wait_propose(
		&waits->writer,
		&(struct gaspdb_wait){
			.kind = GASPDB_WAIT_LATE_SENDER,
			.thread = receive->thread,
			.event = receive->post.event,
			.start_ns = receive->post.start_ns,
			.end_ns = send->at_ns, /* waits.c clamps it */
			.cause_thread = send->thread,
			.cause_event = send->post.event,
			.cause_source = send->post.source,
			.has_cause_source = true,
			.partner = receive->post.source,
			.cause_ns = send->at_ns });
}

/* Propose a late sender: a thread's call waited for the pair's message. */
static void late_sender(struct gaspdb_message_waits *waits, int64_t thread,
			const struct gaspdb_end_call *call,
			const struct gaspdb_end *send,
			const struct gaspdb_end *receive,
			const struct gaspdb_received *message)
{
	struct gaspdb_received waited_for = *message;
	struct gaspdb_wait wait = { .thread = thread,
				    .event = call->event,
				    .start_ns = call->start_ns,
				    .end_ns = gaspdb_min(send->at_ns,
							 call->end_ns),
				    .cause_thread = send->thread,
				    .cause_event = send->post.event,
				    .cause_source = send->post.source,
				    .partner = receive->post.source };

	waited_for.receiver = thread; /* a probe's may be another thread */
	gaspdb_wrong_order_wait(&waits->order, &waited_for, &wait);
	wait.polled = true;
	if (polls(waits->run, call))
		gaspdb_wrong_order_wait(&waits->order, &waited_for, &wait);
}

static void late_receiver(struct gaspdb_message_waits *waits,
			  const struct gaspdb_end *send,
			  const struct gaspdb_end *receive)
{
	struct gaspdb_wait wait = { .kind = GASPDB_WAIT_LATE_RECEIVER,
				    .thread =
					    completing_thread(waits->run, send),
				    .event = send->complete.event,
				    .start_ns = send->complete.start_ns,
				    .end_ns = receive->at_ns,
				    .cause_thread = receive->thread,
				    .cause_event = receive->post.event,
				    .cause_source = receive->post.source,
				    .has_cause_source = true,
				    .partner = send->post.source,
				    .cause_ns = receive->at_ns };

	if (send->complete.end_ns <= receive->at_ns)
		return;
	gaspdb_wait_propose(&waits->writer, &wait);
	wait.polled = true;
	if (polls(waits->run, &send->complete))
		gaspdb_wait_propose(&waits->writer, &wait);
}

bool gaspdb_message_is_mispaired(struct gaspdb_message_waits *waits,
				 const struct gaspdb_end *send,
				 const struct gaspdb_end *receive)
{
	return (send->uncertain || receive->uncertain) &&
	       gaspdb_received_before_sent(waits->run, &waits->events, send,
					   receive);
}

void gaspdb_message_waits_add(struct gaspdb_message_waits *waits,
			      const struct gaspdb_end *send,
			      const struct gaspdb_end *receive)
{
	const struct gaspdb_end_call *done = &receive->complete;
	const struct gaspdb_received message = message_of(waits, send, receive);

	gaspdb_wrong_order_message(&waits->order, &message);
	check_clocks(waits, receive->thread, done, send);
	if (may_wait(waits->run, done, send->at_ns))
		late_sender(waits, message.receiver, done, send, receive,
			    &message);
	if (done->event == GASPDB_NONE)
		late_sender_of_open(waits, send, receive);
	if (gaspdb_posted_by_probe(waits->run, receive)) {
		check_clocks(waits, receive->thread, &receive->post, send);
		late_sender(waits, receive->thread, &receive->post, send,
			    receive, &message);
	}
	if (may_wait(waits->run, &send->complete, receive->at_ns))
		late_receiver(waits, send, receive);
}

void gaspdb_message_waits_add_probe(struct gaspdb_message_waits *waits,
				    const struct gaspdb_end *send,
				    const struct gaspdb_end *receive,
				    const struct gaspdb_end *probe)
{
	const struct gaspdb_received message = message_of(waits, send, receive);

	/* Of uncertain order, and seen before it was sent: a wrong pair. */
	if ((send->uncertain || receive->uncertain) &&
	    gaspdb_end_call_before(&waits->events, &probe->post, send->at_ns))
		return;
	if (probe->post.event != receive->post.event)
		check_clocks(waits, probe->thread, &probe->post, send);
	late_sender(waits, probe->thread, &probe->post, send, receive,
		    &message);
}

void gaspdb_message_waits_close(struct gaspdb_message_waits *waits)
{
	gaspdb_contradictions_close(
		&waits->contradictions, "messages from",
		"were received or seen before they were sent");
	gaspdb_wrong_order_close(&waits->order, &waits->writer);
	gaspdb_wait_writer_close(&waits->writer);
	gaspdb_table_close(&waits->events);
}
