/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A heap of threads; what is read ahead shares out a fixed number of calls. */
#include "analysis/in_order.h"

#include <stdlib.h>

#include "sum.h"

enum { ALL_CALLS = 1 << 18, MIN_CALLS = 16, MAX_CALLS = 1024 };

static bool before(const struct gaspdb_next_call *x,
		   const struct gaspdb_next_call *y)
{
	return x->start_ns != y->start_ns ? x->start_ns < y->start_ns
					  : x->call->thread < y->call->thread;
}

/* The heap's keys are its own: calls lie all over memory. */
static void sink(struct gaspdb_in_order *o, size_t at)
{
	struct gaspdb_next_call *heap = o->heap;
	const struct gaspdb_next_call moved = heap[at];

	for (size_t child; (child = 2 * at + 1) < o->n_heap; at = child) {
		child += child + 1 < o->n_heap &&
			 before(&heap[child + 1], &heap[child]);
		if (!before(&heap[child], &moved))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

static struct gaspdb_next_call next_of(const struct gaspdb_thread_calls *t)
{
	const struct gaspdb_timed_call *call = &t->calls[t->at];

	return (struct gaspdb_next_call){ call->start_ns, call };
}

static bool take_row(void *user, const int64_t *v)
{
	struct gaspdb_in_order *o = user;
	struct gaspdb_thread_calls *t = o->reading;
	const struct gaspdb_run_source *source;
	const int64_t peer = v[GASPDB_EVENT_PEER];

	if (v[GASPDB_EVENT_ID] > t->last_id)
		return false;
	t->next_id = v[GASPDB_EVENT_ID] + 1;
	source = gaspdb_run_source(o->run, v[GASPDB_EVENT_SOURCE]);
	if (v[GASPDB_EVENT_NESTED] || !source || !source->call)
		return true;
	t->calls[t->n++] = (struct gaspdb_timed_call){
		.start_ns = v[GASPDB_EVENT_START],
		.end_ns = gaspdb_plus(v[GASPDB_EVENT_START],
				      v[GASPDB_EVENT_DURATION]),
		.thread = (int32_t)v[GASPDB_EVENT_THREAD],
		.source = (int32_t)v[GASPDB_EVENT_SOURCE],
		.peer = peer >= 0 && peer < o->run->n_threads ? (int32_t)peer
							      : -1,
		.open = v[GASPDB_EVENT_OPEN]
	};
	return t->n < o->ahead;
}

/* false: the thread has no more. */
static bool read_ahead(struct gaspdb_in_order *o, struct gaspdb_thread_calls *t)
{
	t->n = t->at = 0;
	o->reading = t;
	if (t->next_id <= t->last_id)
		gaspdb_table_scan(&o->events, t->next_id, take_row, o);
	if (t->n < o->ahead)
		t->next_id = t->last_id + 1;
	return t->n > 0;
}

void gaspdb_in_order_open(struct gaspdb_in_order *o, struct gaspdb_run *run)
{
	const size_t n = (size_t)run->n_threads;

	*o = (struct gaspdb_in_order){ .run = run };
	o->ahead = n ? ALL_CALLS / n : MAX_CALLS;
	if (o->ahead < MIN_CALLS)
		o->ahead = MIN_CALLS;
	if (o->ahead > MAX_CALLS)
		o->ahead = MAX_CALLS;
	gaspdb_table_open(&o->events, run, "event", GASPDB_EVENT_COLUMNS);
	o->threads = gaspdb_zeroed(run, n + 1, sizeof *o->threads);
	o->heap = gaspdb_zeroed(run, n + 1, sizeof *o->heap);
	o->buffer = gaspdb_zeroed(run, (n + 1) * o->ahead, sizeof *o->buffer);
	if (!o->threads || !o->heap || !o->buffer)
		return;
	for (size_t i = 0; i < n; i++) {
		struct gaspdb_thread_calls *t = &o->threads[i];

		t->calls = o->buffer + i * o->ahead;
		t->next_id = run->threads[i].first_event;
		t->last_id = run->threads[i].last_event;
		if (run->threads[i].process >= 0 && t->next_id != GASPDB_NONE &&
		    read_ahead(o, t))
			o->heap[o->n_heap++] = next_of(t);
	}
	for (size_t i = o->n_heap / 2; i-- > 0;)
		sink(o, i);
}

const struct gaspdb_timed_call *gaspdb_in_order_next(struct gaspdb_in_order *o)
{
	struct gaspdb_thread_calls *t;

	/* What was given last stays till now. */
	if (o->given && o->n_heap) {
		t = &o->threads[o->heap[0].call->thread];
		if (++t->at < t->n || read_ahead(o, t))
			o->heap[0] = next_of(t);
		else
			o->heap[0] = o->heap[--o->n_heap];
		if (o->n_heap)
			sink(o, 0);
	}
	o->given = true;
	if (!o->n_heap)
		return NULL;
	/* One of these is next, most likely. */
	if (o->n_heap > 2) {
		__builtin_prefetch(o->heap[1].call);
		__builtin_prefetch(o->heap[2].call);
	}
	return o->heap[0].call;
}

void gaspdb_in_order_close(struct gaspdb_in_order *o)
{
	gaspdb_table_close(&o->events);
	free(o->threads);
	free(o->heap);
	free(o->buffer);
}
