/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests, postings and completions: arrays with free lists, so that memory is
   proportional to the live items. */
#include "importer/replay/p2p/requests.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

void gaspdb_requests_init(struct gaspdb_requests *r)
{
	memset(r, 0, sizeof *r);
	gaspdb_requests_clear(r);
}

void gaspdb_requests_free(struct gaspdb_requests *r)
{
	gaspdb_map_free(&r->serials);
	free(r->request);
	free(r->posting);
	free(r->completion);
	memset(r, 0, sizeof *r);
}

void gaspdb_requests_clear(struct gaspdb_requests *r)
{
	gaspdb_map_clear(&r->serials);
	r->n_requests = r->n_postings = r->n_completions = 0;
	r->free_request = r->free_posting = r->free_completion = GASPDB_ABSENT;
}

static uint32_t new_request(struct gaspdb_requests *r)
{
	uint32_t i = r->free_request;

	if (i != GASPDB_ABSENT) {
		r->free_request = r->request[i].next;
		return i;
	}
	i = (uint32_t)r->n_requests++;
	r->request = gaspdb_mem_grow(r->request, &r->request_capacity,
				     r->n_requests, sizeof *r->request);
	return i;
}

uint32_t gaspdb_request_get(struct gaspdb_requests *r, uint64_t serial)
{
	const struct gaspdb_queue empty = { GASPDB_ABSENT, GASPDB_ABSENT };
	uint32_t *at = gaspdb_map_place(&r->serials, serial);
	struct gaspdb_request *request;

	if (*at != GASPDB_ABSENT)
		return *at;
	*at = new_request(r);
	request = &r->request[*at];
	request->serial = serial;
	request->persistent = request->freed = false;
	request->has_made = false; /* `made` is valid only with has_made */
	request->postings = request->completions = empty;
	request->held.posting = request->held.completion = GASPDB_ABSENT;
	return *at;
}

void gaspdb_request_retire(struct gaspdb_requests *r, uint32_t i)
{
	struct gaspdb_request *request = &r->request[i];

	if (request->persistent || request->postings.first != GASPDB_ABSENT ||
	    request->completions.first != GASPDB_ABSENT)
		return;
	gaspdb_map_remove(&r->serials, request->serial);
	request->next = r->free_request;
	r->free_request = i;
}

uint32_t gaspdb_posting_new(struct gaspdb_requests *r,
			    const struct gaspdb_posting *from)
{
	uint32_t i = r->free_posting;

	if (i != GASPDB_ABSENT) {
		r->free_posting = r->posting[i].next;
	} else {
		i = (uint32_t)r->n_postings++;
		r->posting = gaspdb_mem_grow(r->posting, &r->posting_capacity,
					     r->n_postings, sizeof *r->posting);
	}
	r->posting[i] = *from;
	r->posting[i].next = GASPDB_ABSENT;
	return i;
}

void gaspdb_posting_free(struct gaspdb_requests *r, uint32_t i)
{
	r->posting[i].next = r->free_posting;
	r->free_posting = i;
}

uint32_t gaspdb_completion_new(struct gaspdb_requests *r)
{
	uint32_t i = r->free_completion;

	if (i != GASPDB_ABSENT) {
		r->free_completion = r->completion[i].next;
	} else {
		i = (uint32_t)r->n_completions++;
		r->completion = gaspdb_mem_grow(
			r->completion, &r->completion_capacity,
			r->n_completions, sizeof *r->completion);
	}
	r->completion[i] =
		(struct gaspdb_completion){ .next = GASPDB_ABSENT,
					    .next_waiting = GASPDB_ABSENT,
					    .posting = GASPDB_ABSENT,
					    .event = GASPDB_NULL,
					    .completed_ns = GASPDB_NULL };
	return i;
}

void gaspdb_completion_free(struct gaspdb_requests *r, uint32_t i)
{
	r->completion[i].next = r->free_completion;
	r->free_completion = i;
}

/* --- queues --------------------------------------------------------------- */

void gaspdb_postings_put(struct gaspdb_requests *r, struct gaspdb_queue *q,
			 uint32_t i)
{
	const bool first = q->first == GASPDB_ABSENT;

	r->posting[i].next = GASPDB_ABSENT;
	r->posting[i].prev = first ? GASPDB_ABSENT : q->last;
	if (first)
		q->first = i;
	else
		r->posting[q->last].next = i;
	q->last = i;
}

uint32_t gaspdb_postings_consume(struct gaspdb_requests *r,
				 struct gaspdb_queue *q)
{
	uint32_t i = q->first;

	if (i != GASPDB_ABSENT)
		q->first = r->posting[i].next;
	return i;
}

uint32_t gaspdb_postings_consume_own(struct gaspdb_requests *r,
				     struct gaspdb_queue *q, int64_t thread)
{
	const uint32_t i = q->last;

	if (q->first == GASPDB_ABSENT || r->posting[i].thread != thread)
		return GASPDB_ABSENT;
	if (q->first == i)
		return gaspdb_postings_consume(r, q);
	q->last = r->posting[i].prev;
	r->posting[q->last].next = GASPDB_ABSENT;
	return i;
}

void gaspdb_completions_put(struct gaspdb_requests *r, struct gaspdb_queue *q,
			    uint32_t i)
{
	r->completion[i].next_waiting = GASPDB_ABSENT;
	if (q->first == GASPDB_ABSENT)
		q->first = i;
	else
		r->completion[q->last].next_waiting = i;
	q->last = i;
}

uint32_t gaspdb_completions_consume(struct gaspdb_requests *r,
				    struct gaspdb_queue *q)
{
	uint32_t i = q->first;

	if (i != GASPDB_ABSENT)
		q->first = r->completion[i].next_waiting;
	return i;
}
