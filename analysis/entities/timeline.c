/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of a thread's time, by what is open. */
#include "analysis/entities/timeline.h"

#include <stdlib.h>

#include "analysis/engine/scan.h"
#include "common/sum.h"
#include "sql/passes/entities.h"

void gaspdb_timeline_open(struct gaspdb_timeline *t, struct gaspdb_run *run)
{
	*t = (struct gaspdb_timeline){ .run = run };
	gaspdb_shares_open(&t->shares, run);
	gaspdb_entity_sums_open(&t->sums, run, t->shares.n);
	gaspdb_cover_open(&t->gaps, run, gaspdb_sql_entity_gaps);
	gaspdb_cover_open(&t->waits, run, gaspdb_sql_entity_waits);
	t->counted =
		gaspdb_zeroed(run, (size_t)t->shares.n, sizeof *t->counted);
}

void gaspdb_timeline_close(struct gaspdb_timeline *t)
{
	gaspdb_shares_close(&t->shares);
	gaspdb_entity_sums_close(&t->sums);
	gaspdb_cover_close(&t->gaps);
	gaspdb_cover_close(&t->waits);
	free(t->counted);
	free(t->calls.at);
	free(t->entities.at);
}

/* --- what is open --------------------------------------------------------- */

/* Removes calls from the top that have ended.  One below that has ended too is
   removed when it is at the top. */
static void drop_ended_calls(struct gaspdb_timeline *t)
{
	struct gaspdb_open_calls *c = &t->calls;

	while (c->n && c->at[c->n - 1].end_ns <= t->now_ns)
		c->n--;
}

/* Removes all entities that have ended: those below the top count, too. */
static void drop_ended_entities(struct gaspdb_timeline *t)
{
	struct gaspdb_open_calls *e = &t->entities;
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++)
		if (e->at[i].end_ns > t->now_ns)
			e->at[n++] = e->at[i];
	e->n = n;
}

static const struct gaspdb_open_call *top_of(const struct gaspdb_open_calls *c)
{
	return c->n ? &c->at[c->n - 1] : NULL;
}

static void push(struct gaspdb_timeline *t, struct gaspdb_open_calls *to,
		 const struct gaspdb_event *event)
{
	if (event->duration_ns > 0 &&
	    gaspdb_grow(t->run, &to->at, to->n, &to->room, sizeof *to->at))
		to->at[to->n++] = (struct gaspdb_open_call){
			.event = event->id,
			.source = event->source,
			.end_ns = event->start_ns + event->duration_ns,
			.entity = event->object,
		};
}

/* The source of what began last. */
static int64_t source_now(const struct gaspdb_timeline *t)
{
	const struct gaspdb_open_call *call = top_of(&t->calls),
				      *entity = top_of(&t->entities);

	if (call && (!entity || call->event > entity->event))
		return call->source;
	return entity ? entity->source : GASPDB_NONE;
}

/* When the first of what is open ends, if that is before until_ns. */
static int64_t next_end(const struct gaspdb_timeline *t, int64_t until_ns)
{
	const struct gaspdb_open_call *call = top_of(&t->calls);

	if (call)
		until_ns = gaspdb_min(until_ns, call->end_ns);
	for (size_t i = 0; i < t->entities.n; i++)
		until_ns = gaspdb_min(until_ns, t->entities.at[i].end_ns);
	return until_ns;
}

/* --- pieces --------------------------------------------------------------- */

/* Adds to the inclusive time of an entity what the piece of `ns` has not yet
   counted for it. */
static void include(struct gaspdb_timeline *t, int64_t entity, int64_t amount,
		    int64_t ns, struct gaspdb_entity_sum *sum)
{
	struct gaspdb_counted *c = &t->counted[entity];

	if (c->piece != t->piece)
		*c = (struct gaspdb_counted){ .piece = t->piece };
	amount = gaspdb_min(amount, ns - c->ns);
	c->ns += amount;
	sum->inclusive_ns += amount;
}

/* The innermost entity, or those of a mix, get the piece. */
static void add_self(struct gaspdb_timeline *t, int64_t entity, int64_t source,
		     int64_t ns, bool waits)
{
	struct gaspdb_share share[GASPDB_MIX_PARTS_MAX];
	const size_t n = gaspdb_split(&t->shares, t->thread, entity,
				      GASPDB_SPLIT_SELF, ns, share);

	for (size_t i = 0; i < n; i++) {
		struct gaspdb_entity_sum *sum =
			gaspdb_entity_sum(&t->sums, share[i].entity, source);

		sum->self_ns += share[i].amount;
		if (gaspdb_is_mix(&t->shares, entity))
			sum->shared_ns += share[i].amount;
		sum->wait_ns += waits ? share[i].amount : 0;
		include(t, share[i].entity, share[i].amount, ns, sum);
		gaspdb_entity_bin_add(&t->sums, share[i].entity,
				      share[i].amount, waits);
	}
}

/* Entities around the innermost one include the piece. */
static void add_outer(struct gaspdb_timeline *t, int64_t entity, int64_t source,
		      int64_t ns)
{
	struct gaspdb_share share[GASPDB_MIX_PARTS_MAX];
	const size_t n = gaspdb_split(&t->shares, t->thread, entity,
				      GASPDB_SPLIT_OUTER, ns, share);

	for (size_t i = 0; i < n; i++)
		include(t, share[i].entity, share[i].amount, ns,
			gaspdb_entity_sum(&t->sums, share[i].entity, source));
}

static void add_piece(struct gaspdb_timeline *t, int64_t ns, bool waits)
{
	const struct gaspdb_open_calls *open = &t->entities;
	const int64_t source = source_now(t);
	struct gaspdb_entity_sum *none;

	if (open->n == 0) {
		none = gaspdb_entity_sum(&t->sums, GASPDB_NONE, source);
		none->self_ns += ns;
		none->inclusive_ns += ns;
		none->wait_ns += waits ? ns : 0;
		return;
	}
	t->piece++;
	add_self(t, open->at[open->n - 1].entity, source, ns, waits);
	for (size_t i = open->n - 1; i-- > 0;)
		add_outer(t, open->at[i].entity, source, ns);
}

/* Adds unrecorded time, which belongs to no entity. */
static void add_gap(struct gaspdb_timeline *t, int64_t ns)
{
	struct gaspdb_entity_sum *none =
		gaspdb_entity_sum(&t->sums, GASPDB_NONE, GASPDB_NONE);

	none->self_ns += ns;
	none->inclusive_ns += ns;
}

static void advance(struct gaspdb_timeline *t, int64_t to_ns)
{
	while (t->now_ns < to_ns && t->run->status == GASPDB_OK) {
		int64_t until = to_ns;
		bool gap, waits;

		drop_ended_calls(t);
		drop_ended_entities(t);
		until = next_end(t, until);
		gap = gaspdb_cover_at(&t->gaps, t->thread, t->now_ns, &until);
		waits = gaspdb_cover_at(&t->waits, t->thread, t->now_ns,
					&until);
		gaspdb_entity_bin_at(&t->sums, t->thread, t->now_ns, &until);
		if (gap)
			add_gap(t, until - t->now_ns);
		else
			add_piece(t, until - t->now_ns, waits);
		t->now_ns = until;
	}
	drop_ended_calls(t);
	drop_ended_entities(t);
}

/* --- events --------------------------------------------------------------- */

/* Adds bytes to a sum; NONE: it has none. */
static void add_bytes(int64_t *sum, int64_t bytes)
{
	if (bytes == GASPDB_NONE)
		return;
	if (*sum == GASPDB_NONE)
		*sum = 0;
	gaspdb_add_to(sum, bytes);
}

/* Counts a call for an entity, or all of a mix; NONE: for none. */
static void count(struct gaspdb_timeline *t, int64_t entity, int64_t source,
		  int64_t bytes)
{
	struct gaspdb_share share[GASPDB_MIX_PARTS_MAX] = { { entity, bytes } };
	size_t n = 1;

	if (entity != GASPDB_NONE && gaspdb_is_mix(&t->shares, entity))
		n = gaspdb_split(&t->shares, t->thread, entity,
				 GASPDB_SPLIT_BYTES,
				 bytes == GASPDB_NONE ? 0 : bytes, share);
	for (size_t i = 0; i < n; i++) {
		struct gaspdb_entity_sum *sum =
			gaspdb_entity_sum(&t->sums, share[i].entity, source);

		sum->calls++;
		add_bytes(&sum->bytes,
			  bytes == GASPDB_NONE ? bytes : share[i].amount);
	}
}

void gaspdb_timeline_call(struct gaspdb_timeline *t,
			  const struct gaspdb_event *event)
{
	const struct gaspdb_open_call *entity;

	advance(t, event->start_ns);
	entity = top_of(&t->entities);
	count(t, entity ? entity->entity : GASPDB_NONE, event->source,
	      event->bytes);
	push(t, &t->calls, event);
}

/* Is event->object an entity of the run? */
static bool is_known(const struct gaspdb_timeline *t,
		     const struct gaspdb_event *event)
{
	return event->object > 0 && event->object < t->shares.n &&
	       t->shares.mix && t->counted;
}

void gaspdb_timeline_put(struct gaspdb_timeline *t,
			 const struct gaspdb_event *event)
{
	advance(t, event->start_ns);
	if (is_known(t, event))
		count(t, event->object, event->source, GASPDB_NONE);
}

void gaspdb_timeline_entity(struct gaspdb_timeline *t,
			    const struct gaspdb_event *event)
{
	gaspdb_timeline_put(t, event);
	if (is_known(t, event))
		push(t, &t->entities, event);
}

void gaspdb_timeline_begin(struct gaspdb_timeline *t, int64_t thread)
{
	t->thread = thread;
	t->now_ns = t->run->threads[thread].first_ns;
	t->calls.n = t->entities.n = 0;
}

void gaspdb_timeline_end(struct gaspdb_timeline *t)
{
	advance(t, t->run->threads[t->thread].last_ns);
	gaspdb_entity_sums_flush(&t->sums, t->thread);
}
