/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ends arrive in order of their posts, on each side of a channel.  As soon as
 * both sides have one, and it is known whether its order is certain, the two
 * are a pair.
 */
#include "analysis/messages/pairs.h"

#include <stdlib.h>

#include "common/sum.h"
#include "common/heap.h"

struct gaspdb_pairs_late {
	int64_t until_ns;
	uint32_t waiting, serial, channel;
};

void gaspdb_pairs_init(struct gaspdb_pairs *p, struct gaspdb_run *run,
		       struct gaspdb_table *events,
		       const struct gaspdb_pair_calls *calls)
{
	*p = (struct gaspdb_pairs){ .events = events,
				     .calls = calls,
				     .reached_ns = INT64_MIN };
	gaspdb_channels_init(&p->channels, run);
}

void gaspdb_pairs_fini(struct gaspdb_pairs *p)
{
	gaspdb_channels_fini(&p->channels);
	free(p->late);
}

/* --- pairing -------------------------------------------------------------- */

/* Did the receive's posting come before the probe?  Calls of a thread have ids
   in their order, for those that take no time. */
static bool posted_before(const struct gaspdb_end *receive,
			  const struct gaspdb_end *probe)
{
	return receive->at_ns != probe->at_ns
		       ? receive->at_ns < probe->at_ns
		       : receive->post.event < probe->post.event;
}

/*
 * A probe sees the first message of its channel that is not yet received: the
 * one whose receive is the first to be posted after the probe began.  (That of
 * a matched probe is posted by the probe itself.)
 */
static void give_to_probes(struct gaspdb_pairs *p, uint32_t channel,
			   const struct gaspdb_end *send,
			   const struct gaspdb_end *receive)
{
	const struct gaspdb_waiting *probe;

	while ((probe = gaspdb_channel_first(&p->channels, channel,
					     GASPDB_PROBE)) &&
	       !posted_before(receive, &probe->end)) {
		p->calls->probed(p->calls->user, &probe->end, send, receive);
		gaspdb_channel_pop(&p->channels, channel, GASPDB_PROBE);
	}
}

/* So many of what passed unrecorded are gone, or an end is. */
static void use_up(struct gaspdb_pairs *p, uint32_t channel,
		   enum gaspdb_end_kind kind, int64_t n)
{
	struct gaspdb_end *end =
		&gaspdb_channel_first(&p->channels, channel, kind)->end;

	end->count -= n;
	if (end->count <= 0)
		gaspdb_channel_pop(&p->channels, channel, kind);
}

/* --- what was lost -------------------------------------------------------- */

static void tell_left(struct gaspdb_pairs *p, uint32_t channel,
		      enum gaspdb_end_kind kind)
{
	const struct gaspdb_waiting *w;

	while ((w = gaspdb_channel_first(&p->channels, channel, kind))) {
		if (!w->end.count)
			p->calls->unmatched(p->calls->user,
					    &p->channels.channels[channel],
					    kind, &w->end);
		gaspdb_channel_pop(&p->channels, channel, kind);
	}
}

/* What belongs together is not known from here on: nothing is paired. */
static void end_channel(struct gaspdb_pairs *p, uint32_t channel)
{
	p->channels.channels[channel].ended = true;
	tell_left(p, channel, GASPDB_SEND);
	tell_left(p, channel, GASPDB_RECEIVE);
	while (gaspdb_channel_first(&p->channels, channel, GASPDB_PROBE))
		gaspdb_channel_pop(&p->channels, channel, GASPDB_PROBE);
}

static bool is_lost(const struct gaspdb_waiting *w)
{
	return w && w->end.count == GASPDB_LOST;
}

/* No message is received before it is sent: where others were lost, these two
   do not belong together. */
static bool cannot_be(const struct gaspdb_pairs *p,
		      const struct gaspdb_channel *channel,
		      const struct gaspdb_end *s, const struct gaspdb_end *r)
{
	return channel->guessed && !s->count && !r->count &&
	       gaspdb_end_call_before(p->events, &r->complete, s->at_ns);
}

/* --- pairing all that can be ---------------------------------------------- */

/* false: these two do not belong together, nor do those after them. */
static bool pair(struct gaspdb_pairs *p, uint32_t at, struct gaspdb_end *s,
		 struct gaspdb_end *r)
{
	struct gaspdb_channel *channel = &p->channels.channels[at];
	int64_t n = 1;

	channel->guessed |= s->guessed || r->guessed;
	if (cannot_be(p, channel, s, r))
		return false;
	if (s->count && r->count) {
		n = s->count < r->count ? s->count : r->count;
	} else {
		p->calls->pair(p->calls->user, channel, s, r);
		give_to_probes(p, at,
			       s->count || r->count || channel->distrust ? NULL
									 : s,
			       r);
	}
	use_up(p, at, GASPDB_SEND, n);
	use_up(p, at, GASPDB_RECEIVE, n);
	return true;
}

static void pair_all(struct gaspdb_pairs *p, uint32_t channel)
{
	while (p->channels.channels[channel].in_use) {
		struct gaspdb_waiting *s = gaspdb_channel_first(
			&p->channels, channel, GASPDB_SEND);
		struct gaspdb_waiting *r = gaspdb_channel_first(
			&p->channels, channel, GASPDB_RECEIVE);
		const bool both = s && r && s->settled && r->settled;

		if (is_lost(s) || is_lost(r) ||
		    (both && !pair(p, channel, &s->end, &r->end)))
			end_channel(p, channel);
		else if (!both)
			break;
	}
	gaspdb_channel_release(&p->channels, channel, p->reached_ns);
}

/* --- certainty ------------------------------------------------------------ */

static inline bool late_before(const void *of,
			       const struct gaspdb_pairs_late *a,
			       const struct gaspdb_pairs_late *b)
{
	(void)of;
	return a->until_ns < b->until_ns;
}

GASPDB_HEAP(late, struct gaspdb_pairs_late, late_before)

/* Until when its call goes on: into the next nanosecond at least, for of two of
   one moment nobody knows which was the first. */
static int64_t posting_until(const struct gaspdb_end *end)
{
	return gaspdb_max(end->post.end_ns, gaspdb_plus(end->at_ns, 1));
}

static void settle_later(struct gaspdb_pairs *p, uint32_t at)
{
	struct gaspdb_waiting *w = &p->channels.waiting[at];

	if (!gaspdb_grow(p->channels.run, &p->late, p->n_late, &p->late_room,
			 sizeof *p->late))
		return;
	w->settled = false;
	late_up(NULL, p->late, p->n_late++,
		(struct gaspdb_pairs_late){ posting_until(&w->end), at,
					    w->serial, w->channel });
}

void gaspdb_pairs_reach(struct gaspdb_pairs *p, int64_t at_ns)
{
	p->reached_ns = at_ns;
	while (p->n_late && p->late[0].until_ns <= at_ns) {
		const struct gaspdb_pairs_late late = p->late[0];
		struct gaspdb_waiting *w = &p->channels.waiting[late.waiting];

		p->late[0] = p->late[--p->n_late];
		late_down(NULL, p->late, p->n_late, 0);
		if (w->serial == late.serial)
			w->settled = true;
		pair_all(p, late.channel);
	}
}

/*
 * Posts come in the order of their start: if any later one of another thread
 * begins in this one, then the next one does.
 */
static void judge_last(struct gaspdb_pairs *p, uint32_t channel,
		       const struct gaspdb_arrival *next)
{
	const uint32_t at =
		p->channels.channels[channel].queues[next->kind].last;
	struct gaspdb_waiting *last;

	if (!gaspdb_channel_first(&p->channels, channel, next->kind))
		return;
	last = &p->channels.waiting[at];
	if (last->settled)
		return;
	last->settled = true;
	last->end.uncertain |= !next->end.count &&
			       next->end.thread != last->end.thread &&
			       next->end.at_ns < posting_until(&last->end);
}

/* Earlier posts may reach into this one. */
static void judge(struct gaspdb_pairs *p, uint32_t channel,
		  enum gaspdb_end_kind kind, struct gaspdb_end *now)
{
	struct gaspdb_channel *c = &p->channels.channels[channel];
	const bool same = now->thread == c->busy[kind].thread;
	const int64_t until_ns = c->busy[kind].until_ns;
	const int64_t now_until_ns = posting_until(now);
	int64_t *others_until_ns = &c->busy[kind].others_until_ns;

	now->uncertain = (same ? *others_until_ns : until_ns) > now->at_ns;
	if (now_until_ns <= until_ns) {
		if (!same && now_until_ns > *others_until_ns)
			*others_until_ns = now_until_ns;
		return;
	}
	if (!same)
		*others_until_ns = until_ns;
	c->busy[kind].until_ns = now_until_ns;
	c->busy[kind].thread = now->thread;
}

/* --- arrivals ------------------------------------------------------------- */

static enum gaspdb_end_kind other_kind(enum gaspdb_end_kind kind)
{
	return kind == GASPDB_SEND ? GASPDB_RECEIVE : GASPDB_SEND;
}

/* What it would be paired with at once, so that it need not wait; NULL: it
   must. */
static struct gaspdb_waiting *other_of(struct gaspdb_pairs *p, uint32_t channel,
				       const struct gaspdb_arrival *a)
{
	struct gaspdb_waiting *other;

	if (!a->alone || a->kind == GASPDB_PROBE || a->end.count ||
	    p->channels.channels[channel].guessed ||
	    gaspdb_channel_first(&p->channels, channel, a->kind))
		return NULL;
	other = gaspdb_channel_first(&p->channels, channel,
				     other_kind(a->kind));
	return other && other->settled && !other->end.count ? other : NULL;
}

static void pair_now(struct gaspdb_pairs *p, uint32_t at,
		     const struct gaspdb_arrival *a,
		     const struct gaspdb_waiting *other)
{
	struct gaspdb_channel *channel = &p->channels.channels[at];
	const bool sends = a->kind == GASPDB_SEND;
	const struct gaspdb_end *s = sends ? &a->end : &other->end;
	const struct gaspdb_end *r = sends ? &other->end : &a->end;

	p->calls->pair(p->calls->user, channel, s, r);
	give_to_probes(p, at, channel->distrust ? NULL : s, r);
	gaspdb_channel_pop(&p->channels, at, other_kind(a->kind));
	gaspdb_channel_release(&p->channels, at, p->reached_ns);
}

static void wait_for_other(struct gaspdb_pairs *p, uint32_t channel,
			   const struct gaspdb_arrival *a)
{
	uint32_t at;

	if (a->kind != GASPDB_PROBE)
		judge_last(p, channel, a);
	at = gaspdb_channel_push(&p->channels, channel, a->kind, &a->end);
	if (at == GASPDB_ABSENT)
		return;
	if (!a->alone && a->kind != GASPDB_PROBE && !a->end.count) {
		judge(p, channel, a->kind, &p->channels.waiting[at].end);
		settle_later(p, at);
	}
	if (a->end.count ||
	    gaspdb_channel_first(&p->channels, channel, other_kind(a->kind)))
		pair_all(p, channel);
}

void gaspdb_pairs_arrive(struct gaspdb_pairs *p, const struct gaspdb_arrival *a)
{
	const uint32_t channel = gaspdb_channel_get(&p->channels, a->channel);
	const struct gaspdb_waiting *other;

	if (channel == GASPDB_ABSENT)
		return;
	if (p->channels.channels[channel].ended) {
		if (a->kind != GASPDB_PROBE && !a->end.count)
			p->calls->unmatched(p->calls->user,
					    &p->channels.channels[channel],
					    a->kind, &a->end);
		return;
	}
	other = other_of(p, channel, a);
	if (other)
		pair_now(p, channel, a, other);
	else
		wait_for_other(p, channel, a);
}

void gaspdb_pairs_finish(struct gaspdb_pairs *p)
{
	size_t n;
	uint32_t *channels = gaspdb_channels_sorted(&p->channels, &n);

	for (size_t i = 0; i < n; i++) {
		tell_left(p, channels[i], GASPDB_SEND);
		tell_left(p, channels[i], GASPDB_RECEIVE);
	}
	free(channels);
}
