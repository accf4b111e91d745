/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairing of sends and receives. The ends of each side of a channel arrive in
 * the order of their posts. The first ends of both sides become a pair as soon
 * as it is final whether their order is certain.
 */
#include "analysis/messages/pairs.h"

#include <stdlib.h>

#include "common/heap.h"
#include "common/sum.h"

struct gaspdb_pairs_undecided {
	int64_t until_ns;
	uint32_t queued, serial, channel;
};

void gaspdb_pairs_init(struct gaspdb_pairs *p, struct gaspdb_run *run,
		       struct gaspdb_table *events,
		       const struct gaspdb_pair_callbacks *callbacks)
{
	*p = (struct gaspdb_pairs){ .events = events,
				    .callbacks = callbacks,
				    .watermark_ns = INT64_MIN };
	gaspdb_channels_init(&p->channels, run);
}

void gaspdb_pairs_fini(struct gaspdb_pairs *p)
{
	gaspdb_channels_fini(&p->channels);
	free(p->undecided);
}

/* --- pairing -------------------------------------------------------------- */

/* Was the receive posted before the probe? At the same time, the ids of a
   thread's events give the order. */
static bool posted_before(const struct gaspdb_end *receive,
			  const struct gaspdb_end *probe)
{
	return receive->at_ns != probe->at_ns
		       ? receive->at_ns < probe->at_ns
		       : receive->post.event < probe->post.event;
}

/*
 * Assign a message to the probes that saw it. A probe sees the first message of
 * its channel that is not yet received: the one whose receive is the first
 * posted after the probe's start. A matched probe posts that receive itself.
 */
static void assign_to_probes(struct gaspdb_pairs *p, uint32_t channel,
			     const struct gaspdb_end *send,
			     const struct gaspdb_end *receive)
{
	const struct gaspdb_queued_end *probe;

	while ((probe = gaspdb_channel_first(&p->channels, channel,
					     GASPDB_PROBE)) &&
	       !posted_before(receive, &probe->end)) {
		p->callbacks->probed(p->callbacks->user, &probe->end, send,
				     receive);
		gaspdb_channel_pop(&p->channels, channel, GASPDB_PROBE);
	}
}

/* Consume n unrecorded messages of the first end, or the end itself. */
static void consume(struct gaspdb_pairs *p, uint32_t channel,
		    enum gaspdb_end_kind kind, int64_t n)
{
	struct gaspdb_end *end =
		&gaspdb_channel_first(&p->channels, channel, kind)->end;

	end->n_unrecorded -= n;
	if (end->n_unrecorded <= 0)
		gaspdb_channel_pop(&p->channels, channel, kind);
}

/* --- channels whose pairs are unknown ------------------------------------- */

static void report_unmatched(struct gaspdb_pairs *p, uint32_t channel,
			     enum gaspdb_end_kind kind)
{
	const struct gaspdb_queued_end *w;

	while ((w = gaspdb_channel_first(&p->channels, channel, kind))) {
		if (!w->end.n_unrecorded)
			p->callbacks->unmatched(p->callbacks->user,
						&p->channels.channels[channel],
						kind, &w->end);
		gaspdb_channel_pop(&p->channels, channel, kind);
	}
}

/* End the pairing on a channel whose pairs can no longer be determined. */
static void close_channel(struct gaspdb_pairs *p, uint32_t channel)
{
	p->channels.channels[channel].closed = true;
	report_unmatched(p, channel, GASPDB_SEND);
	report_unmatched(p, channel, GASPDB_RECEIVE);
	while (gaspdb_channel_first(&p->channels, channel, GASPDB_PROBE))
		gaspdb_channel_pop(&p->channels, channel, GASPDB_PROBE);
}

static bool is_lost(const struct gaspdb_queued_end *w)
{
	return w && w->end.n_unrecorded == GASPDB_LOST;
}

/* Is the pair received before it is sent? On a channel with an inferred number
   of lost messages this shows that the number is wrong. */
static bool is_impossible(const struct gaspdb_pairs *p,
			  const struct gaspdb_channel *channel,
			  const struct gaspdb_end *s,
			  const struct gaspdb_end *r)
{
	return channel->inferred && !s->n_unrecorded && !r->n_unrecorded &&
	       gaspdb_end_call_before(p->events, &r->complete, s->at_ns);
}

/* --- pairs in queues ------------------------------------------------------ */

/* Pair the first ends of both queues; false: these and all later pairs of the
   channel are unknown. */
static bool pair(struct gaspdb_pairs *p, uint32_t at, struct gaspdb_end *s,
		 struct gaspdb_end *r)
{
	struct gaspdb_channel *channel = &p->channels.channels[at];
	int64_t n = 1;

	channel->inferred |= s->inferred || r->inferred;
	if (is_impossible(p, channel, s, r))
		return false;
	if (s->n_unrecorded && r->n_unrecorded) {
		n = s->n_unrecorded < r->n_unrecorded ? s->n_unrecorded
						      : r->n_unrecorded;
	} else {
		p->callbacks->pair(p->callbacks->user, channel, s, r);
		assign_to_probes(p, at,
				 s->n_unrecorded || r->n_unrecorded ||
						 channel->distrusted
					 ? NULL
					 : s,
				 r);
	}
	consume(p, at, GASPDB_SEND, n);
	consume(p, at, GASPDB_RECEIVE, n);
	return true;
}

static void pair_all(struct gaspdb_pairs *p, uint32_t channel)
{
	while (p->channels.channels[channel].in_use) {
		struct gaspdb_queued_end *s = gaspdb_channel_first(
			&p->channels, channel, GASPDB_SEND);
		struct gaspdb_queued_end *r = gaspdb_channel_first(
			&p->channels, channel, GASPDB_RECEIVE);
		const bool both = s && r && s->order_final && r->order_final;

		if (is_lost(s) || is_lost(r) ||
		    (both && !pair(p, channel, &s->end, &r->end)))
			close_channel(p, channel);
		else if (!both)
			break;
	}
	gaspdb_channel_release(&p->channels, channel, p->watermark_ns);
}

/* --- certainty of the order ----------------------------------------------- */

static inline bool undecided_before(const void *of,
				    const struct gaspdb_pairs_undecided *a,
				    const struct gaspdb_pairs_undecided *b)
{
	(void)of;
	return a->until_ns < b->until_ns;
}

GASPDB_HEAP(undecided, struct gaspdb_pairs_undecided, undecided_before)

/* The end of the posting call; at least a nanosecond after its start, because
   the order of two posts at the same time is unknown. */
static int64_t posting_until(const struct gaspdb_end *end)
{
	return gaspdb_max(end->post.end_ns, gaspdb_plus(end->at_ns, 1));
}

static void finalize_later(struct gaspdb_pairs *p, uint32_t at)
{
	struct gaspdb_queued_end *w = &p->channels.queued[at];

	if (!gaspdb_grow(p->channels.run, &p->undecided, p->n_undecided,
			 &p->undecided_room, sizeof *p->undecided))
		return;
	w->order_final = false;
	undecided_up(NULL, p->undecided, p->n_undecided++,
		     (struct gaspdb_pairs_undecided){ posting_until(&w->end),
						      at, w->serial,
						      w->channel });
}

void gaspdb_pairs_set_watermark(struct gaspdb_pairs *p, int64_t at_ns)
{
	p->watermark_ns = at_ns;
	while (p->n_undecided && p->undecided[0].until_ns <= at_ns) {
		const struct gaspdb_pairs_undecided first = p->undecided[0];
		struct gaspdb_queued_end *w = &p->channels.queued[first.queued];

		p->undecided[0] = p->undecided[--p->n_undecided];
		undecided_down(NULL, p->undecided, p->n_undecided, 0);
		if (w->serial == first.serial)
			w->order_final = true;
		pair_all(p, first.channel);
	}
}

/*
 * Check the last end of a queue against the next arrival: its order is
 * uncertain if another thread posts during its posting call. Arrivals are in
 * the order of posts, so no later one needs a check.
 */
static void check_last(struct gaspdb_pairs *p, uint32_t channel,
		       const struct gaspdb_arrival *next)
{
	const uint32_t at =
		p->channels.channels[channel].queues[next->kind].last;
	struct gaspdb_queued_end *last;

	if (!gaspdb_channel_first(&p->channels, channel, next->kind))
		return;
	last = &p->channels.queued[at];
	if (last->order_final)
		return;
	last->order_final = true;
	last->end.uncertain |= !next->end.n_unrecorded &&
			       next->end.thread != last->end.thread &&
			       next->end.at_ns < posting_until(&last->end);
}

/* Check an end against earlier posts: its order is uncertain if the posting
   call of another thread lasts beyond its own post. */
static void check_new(struct gaspdb_pairs *p, uint32_t channel,
		      enum gaspdb_end_kind kind, struct gaspdb_end *now)
{
	struct gaspdb_channel *c = &p->channels.channels[channel];
	const bool same = now->thread == c->posting[kind].thread;
	const int64_t until_ns = c->posting[kind].until_ns;
	const int64_t now_until_ns = posting_until(now);
	int64_t *others_until_ns = &c->posting[kind].others_until_ns;

	now->uncertain = (same ? *others_until_ns : until_ns) > now->at_ns;
	if (now_until_ns <= until_ns) {
		if (!same && now_until_ns > *others_until_ns)
			*others_until_ns = now_until_ns;
		return;
	}
	if (!same)
		*others_until_ns = until_ns;
	c->posting[kind].until_ns = now_until_ns;
	c->posting[kind].thread = now->thread;
}

/* --- arrivals ------------------------------------------------------------- */

static enum gaspdb_end_kind other_kind(enum gaspdb_end_kind kind)
{
	return kind == GASPDB_SEND ? GASPDB_RECEIVE : GASPDB_SEND;
}

/* The queued end with which an arrival can be paired at once; NULL: the arrival
   must be queued. */
static struct gaspdb_queued_end *partner_of(struct gaspdb_pairs *p,
					    uint32_t channel,
					    const struct gaspdb_arrival *a)
{
	struct gaspdb_queued_end *other;

	if (!a->alone || a->kind == GASPDB_PROBE || a->end.n_unrecorded ||
	    p->channels.channels[channel].inferred ||
	    gaspdb_channel_first(&p->channels, channel, a->kind))
		return NULL;
	other = gaspdb_channel_first(&p->channels, channel,
				     other_kind(a->kind));
	return other && other->order_final && !other->end.n_unrecorded ? other
								       : NULL;
}

static void pair_at_once(struct gaspdb_pairs *p, uint32_t at,
			 const struct gaspdb_arrival *a,
			 const struct gaspdb_queued_end *other)
{
	struct gaspdb_channel *channel = &p->channels.channels[at];
	const bool sends = a->kind == GASPDB_SEND;
	const struct gaspdb_end *s = sends ? &a->end : &other->end;
	const struct gaspdb_end *r = sends ? &other->end : &a->end;

	p->callbacks->pair(p->callbacks->user, channel, s, r);
	assign_to_probes(p, at, channel->distrusted ? NULL : s, r);
	gaspdb_channel_pop(&p->channels, at, other_kind(a->kind));
	gaspdb_channel_release(&p->channels, at, p->watermark_ns);
}

static void enqueue(struct gaspdb_pairs *p, uint32_t channel,
		    const struct gaspdb_arrival *a)
{
	uint32_t at;

	if (a->kind != GASPDB_PROBE)
		check_last(p, channel, a);
	at = gaspdb_channel_push(&p->channels, channel, a->kind, &a->end);
	if (at == GASPDB_ABSENT)
		return;
	if (!a->alone && a->kind != GASPDB_PROBE && !a->end.n_unrecorded) {
		check_new(p, channel, a->kind, &p->channels.queued[at].end);
		finalize_later(p, at);
	}
	if (a->end.n_unrecorded ||
	    gaspdb_channel_first(&p->channels, channel, other_kind(a->kind)))
		pair_all(p, channel);
}

void gaspdb_pairs_arrive(struct gaspdb_pairs *p, const struct gaspdb_arrival *a)
{
	const uint32_t channel = gaspdb_channel_get(&p->channels, a->channel);
	const struct gaspdb_queued_end *other;

	if (channel == GASPDB_ABSENT)
		return;
	if (p->channels.channels[channel].closed) {
		if (a->kind != GASPDB_PROBE && !a->end.n_unrecorded)
			p->callbacks->unmatched(p->callbacks->user,
						&p->channels.channels[channel],
						a->kind, &a->end);
		return;
	}
	other = partner_of(p, channel, a);
	if (other)
		pair_at_once(p, channel, a, other);
	else
		enqueue(p, channel, a);
}

void gaspdb_pairs_finish(struct gaspdb_pairs *p)
{
	size_t n;
	uint32_t *channels = gaspdb_channels_sorted(&p->channels, &n);

	for (size_t i = 0; i < n; i++) {
		report_unmatched(p, channels[i], GASPDB_SEND);
		report_unmatched(p, channels[i], GASPDB_RECEIVE);
	}
	free(channels);
}
