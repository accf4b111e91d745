/* SPDX-License-Identifier: GPL-3.0-or-later */
/* End of transfers: by a completing call, or without a recorded completion. */
#include <stdlib.h>

#include "analysis/completion/state.h"
#include "analysis/engine/quality.h"
#include "common/sum.h"

#define BIT(key) (1u << GASPDB_KEY_##key)
#define ANY_KEY	 (~0u)

/* --- without a completion ------------------------------------------------- */

static void count_unseen(struct completions *c, const struct gaspdb_transfer *t)
{
	const bool never = !t->unseen && c->lost_ns == GASPDB_NONE &&
			   c->logs_complete && c->last_gap_ns <= t->begun_ns;
	const bool damaged =
		t->message &&
		gaspdb_run_damaged_after(c->run, t->thread, t->begun_ns);
	int64_t *sums;

	if (t->may_stay_open && !t->unseen && !damaged &&
	    c->lost_ns == GASPDB_NONE)
		return;
	sums = gaspdb_group(c->run, &c->unseen,
			    (int64_t[]){ t->thread,
					 never ? GASPDB_QUALITY_TRANSFER_OPEN
					       : GASPDB_QUALITY_TRANSFER_UNSEEN,
					 t->blocking });
	if (!sums)
		return;
	if (!sums[0]++ || t->event < sums[2])
		sums[2] = t->event;
	gaspdb_add_to(&sums[1], t->bytes);
}

/* End a transfer whose completion was not recorded. */
static bool lose(void *user, struct gaspdb_transfer *t)
{
	struct completions *c = user;
	const struct gaspdb_run_thread *thread =
		gaspdb_run_thread(c->run, t->thread);
	const struct gaspdb_transfer_end end = {
		.event = GASPDB_NONE,
		.at_ns = c->lost_ns != GASPDB_NONE ? c->lost_ns
						   : thread->last_ns,
		.overlapped_ns = GASPDB_NONE,
		.bound = true
	};

	count_unseen(c, t);
	gaspdb_completion_ended(&c->rows, t, &end);
	return true;
}

bool gaspdb_completions_over_gap(const struct completions *c,
				 const struct gaspdb_transfer *t)
{
	return t->gaps != GASPDB_NONE && t->gaps != c->gaps;
}

static bool lose_if_over_gap(void *user, struct gaspdb_transfer *t)
{
	return gaspdb_completions_over_gap(user, t) && lose(user, t);
}

/* End transfers that an unrecorded quiet or flush may have completed. Those
   with a handle or request stay open. */
void gaspdb_completions_stop(struct completions *c, int64_t ns)
{
	c->lost_ns = ns;
	gaspdb_open_transfers_visit_all(&c->open,
					BIT(PUT_ON) | BIT(GET_ON) | BIT(WINDOW),
					GASPDB_NONE, lose, c);
	gaspdb_open_transfers_visit_all(&c->open, BIT(IMPLICIT) | BIT(RELAXED),
					c->thread->id, lose, c);
	c->lost_ns = GASPDB_NONE;
	c->gaps++;
}

void gaspdb_completions_replace(struct completions *c, int64_t handle)
{
	const struct gaspdb_transfer *first = gaspdb_open_transfers_first(
		&c->open, GASPDB_KEY_HANDLE, handle, 0);

	if (!first || !gaspdb_completions_over_gap(c, first))
		return;
	c->lost_ns = c->event[GASPDB_EVENT_START];
	gaspdb_open_transfers_visit(&c->open, GASPDB_KEY_HANDLE, handle, 0,
				    lose_if_over_gap, c);
	c->lost_ns = GASPDB_NONE;
}

static void write_unseen(struct completions *c)
{
	gaspdb_groups_sort(&c->unseen);
	for (size_t i = 0; i < c->unseen.n; i++) {
		const int64_t *r = gaspdb_groups_row(&c->unseen, i);

		gaspdb_quality_add(
			c->run,
			&(struct gaspdb_quality_row){
				.kind = (enum gaspdb_quality_kind)r[1],
				.thread = r[0],
				.event = r[5],
				.count = r[3],
				.bytes = r[4],
				.time_ns = GASPDB_NONE },
			"%s", r[2] ? "puts" : "non-blocking operations");
	}
	gaspdb_groups_clear(&c->unseen);
}

void gaspdb_completions_finish(struct completions *c)
{
	gaspdb_open_transfers_visit_all(&c->open, ANY_KEY, GASPDB_NONE, lose,
					c);
	write_unseen(c);
}

/* --- completing ----------------------------------------------------------- */

static bool add_completed(void *user, struct gaspdb_transfer *t)
{
	struct completions *c = user;
	struct gaspdb_walk_thread *of = c->thread;
	const int64_t at_ns = c->event[GASPDB_EVENT_START];

	/* The begin of another thread's transfer may still be going on. */
	if (t->begun_ns > at_ns ||
	    !gaspdb_grow(c->run, &c->completed, c->n_completed,
			 &c->completed_room, sizeof(*c->completed)))
		return false;
	if (t->thread != of->id)
		of = gaspdb_walk_thread(&c->walk, t->thread);
	c->completed[c->n_completed++] = (struct gaspdb_completed){
		.transfer = t,
		.computed_ns = gaspdb_walk_computed(&c->walk, of, at_ns)
	};
	return true;
}

/* Complete the accesses on a context; at finalize those on all contexts. */
static void complete_on_context(struct completions *c)
{
	const int64_t context = c->argument[GASPDB_ARG_CONTEXT];

	if (c->rule->type == GASPDB_TYPE_finalize) {
		gaspdb_open_transfers_visit_all(&c->open,
						BIT(PUT_ON) | BIT(GET_ON),
						GASPDB_NONE, add_completed, c);
		return;
	}
	gaspdb_open_transfers_visit(&c->open, GASPDB_KEY_PUT_ON, context, 0,
				    add_completed, c);
	if (!c->rule->only_puts)
		gaspdb_open_transfers_visit(&c->open, GASPDB_KEY_GET_ON,
					    context, 0, add_completed, c);
}

static void complete_by_rule(struct completions *c)
{
	const int64_t *a = c->argument;
	const int64_t thread = c->thread->id;
	const enum gaspdb_transfer_key key = c->rule->completes;

	switch (key) {
	case GASPDB_KEY_PUT_ON:
		complete_on_context(c);
		break;
	case GASPDB_KEY_HANDLE:
		gaspdb_open_transfers_visit(&c->open, key, a[GASPDB_ARG_HANDLE],
					    0, add_completed, c);
		break;
	case GASPDB_KEY_WINDOW:
		if (c->event[GASPDB_EVENT_PEER] == GASPDB_NONE)
			gaspdb_open_transfers_visit_all(&c->open, BIT(WINDOW),
							a[GASPDB_ARG_WINDOW],
							add_completed, c);
		else
			gaspdb_open_transfers_visit(
				&c->open, key, a[GASPDB_ARG_WINDOW],
				c->event[GASPDB_EVENT_PEER], add_completed, c);
		break;
	default:
		gaspdb_open_transfers_visit(&c->open, key, thread,
					    c->rule->model, add_completed, c);
	}
}

/* Computation of the thread while the transfer, or its data, was in flight. */
static int64_t overlapped(const struct gaspdb_completed *completed,
			  int64_t at_ns)
{
	const struct gaspdb_transfer *t = completed->transfer;
	int64_t to_ns = completed->computed_ns;

	if (t->data_end_ns != GASPDB_NONE && t->data_end_ns <= at_ns)
		to_ns = t->data_computed_ns;
	return gaspdb_max(0, to_ns - t->computed_ns);
}

static int by_serial(const void *a, const void *b)
{
	const struct gaspdb_completed *x = a, *y = b;

	return (x->transfer->serial > y->transfer->serial) -
	       (x->transfer->serial < y->transfer->serial);
}

bool gaspdb_completions_make_parts(struct completions *c, size_t n)
{
	while (c->parts_room < n)
		if (!gaspdb_grow(c->run, &c->parts, c->parts_room,
				 &c->parts_room, sizeof(*c->parts)))
			return false;
	return true;
}

/* Write a completed transfer with its share of the event's time. */
static void finish(struct completions *c,
		   const struct gaspdb_completed *completed, int64_t share_ns)
{
	const int64_t *e = c->event;
	const struct gaspdb_transfer_end end = {
		.event = e[GASPDB_EVENT_ID],
		.source = e[GASPDB_EVENT_SOURCE],
		.at_ns = e[GASPDB_EVENT_START],
		.share_ns = share_ns,
		.overlapped_ns = overlapped(completed, e[GASPDB_EVENT_START]),
		.bound = e[GASPDB_EVENT_OPEN] ||
			 gaspdb_completions_over_gap(c, completed->transfer)
	};

	gaspdb_completion_ended(&c->rows, completed->transfer, &end);
}

static void finish_taken(struct completions *c)
{
	const int64_t time_ns = c->event[GASPDB_EVENT_DURATION];

	if (c->n_completed == 1) { /* the usual case */
		finish(c, c->completed, time_ns);
		return;
	}
	qsort(c->completed, c->n_completed, sizeof(*c->completed), by_serial);
	if (!gaspdb_completions_make_parts(c, c->n_completed))
		return;
	for (size_t i = 0; i < c->n_completed; i++)
		c->parts[i].weight = c->completed[i].transfer->bytes;
	gaspdb_share_out(time_ns, c->parts, c->n_completed);
	for (size_t i = 0; i < c->n_completed; i++)
		finish(c, &c->completed[i], c->parts[i].part);
}

void gaspdb_completions_complete(struct completions *c)
{
	c->n_completed = 0;
	if (c->rule->completes &&
	    gaspdb_completes(c->rule, c->argument,
			     c->event[GASPDB_EVENT_BYTES]))
		complete_by_rule(c);
	gaspdb_open_transfers_visit(&c->open, GASPDB_KEY_REQUEST,
				    c->event[GASPDB_EVENT_ID], 0, add_completed,
				    c);
	if (c->n_completed)
		finish_taken(c);
}
