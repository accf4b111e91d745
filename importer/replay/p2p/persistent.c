/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Persistent requests of multi-threaded processes, whose threads may hand
 * requests to each other. A start and the next completion in one log form a
 * pair if no other thread can have started the request in between.
 */
#include <stdlib.h>

#include "common/memory.h"
#include "importer/replay/p2p/parts.h"

/* --- while logs are read -------------------------------------------------- */

/* Gives up the held pair: both are paired by time later. */
static void unhold(struct gaspdb_requests *r, struct gaspdb_request *request)
{
	if (request->held.posting == GASPDB_ABSENT)
		return;
	gaspdb_postings_put(r, &request->postings, request->held.posting);
	gaspdb_completions_put(r, &request->completions,
			       request->held.completion);
	request->held.posting = request->held.completion = GASPDB_ABSENT;
}

void gaspdb_persistent_settle(struct gaspdb_p2p *p, uint32_t i, int64_t number)
{
	struct gaspdb_requests *r = &p->requests;
	struct gaspdb_request *request = &r->request[i];
	const uint32_t posting = request->held.posting;
	const uint32_t completion = request->held.completion;

	if (posting == GASPDB_ABSENT ||
	    r->posting[posting].thread != p->thread ||
	    r->posting[posting].number + 1 != number ||
	    r->posting[posting].kind == GASPDB_POSTED_UNKNOWN) {
		unhold(r, request);
		return;
	}
	request->held.posting = request->held.completion = GASPDB_ABSENT;
	gaspdb_p2p_pair(p, posting, completion);
}

void gaspdb_persistent_hold(struct gaspdb_p2p *p, uint32_t i,
			    uint32_t completion)
{
	struct gaspdb_requests *r = &p->requests;
	struct gaspdb_request *request = &r->request[i];
	const uint32_t posting =
		request->held.posting != GASPDB_ABSENT
			? GASPDB_ABSENT
			: gaspdb_postings_consume_own(r, &request->postings,
						      p->thread);

	if (posting == GASPDB_ABSENT) {
		gaspdb_completions_put(r, &request->completions, completion);
		return;
	}
	request->held.posting = posting;
	request->held.completion = completion;
}

/* --- when all are --------------------------------------------------------- */

/* A start or a completion of a request. ns INT64_MAX: unknown. */
struct moment {
	int64_t ns, event;
	uint32_t item;
};

struct moments {
	struct moment *moment;
	size_t n, room;
};

static void add_moment(struct moments *m, int64_t ns, int64_t event,
		       uint32_t item)
{
	m->moment = gaspdb_mem_grow(m->moment, &m->room, m->n + 1,
				    sizeof *m->moment);
	m->moment[m->n++] = (struct moment){ ns == GASPDB_NULL ? INT64_MAX : ns,
					     event, item };
}

static int by_time(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return (x->event > y->event) - (x->event < y->event);
}

/* Removes all starts of a request, sorted by time. */
static struct moments take_starts(struct gaspdb_requests *r,
				  struct gaspdb_request *request)
{
	struct moments m = { NULL, 0, 0 };
	uint32_t i;

	while ((i = gaspdb_postings_consume(r, &request->postings)) !=
	       GASPDB_ABSENT)
		add_moment(&m, r->posting[i].posted_ns, r->posting[i].event, i);
	qsort(m.moment, m.n, sizeof *m.moment, by_time);
	return m;
}

static struct moments take_ends(struct gaspdb_requests *r,
				struct gaspdb_request *request)
{
	struct moments m = { NULL, 0, 0 };
	uint32_t i;

	while ((i = gaspdb_completions_consume(r, &request->completions)) !=
	       GASPDB_ABSENT)
		add_moment(&m, r->completion[i].completed_ns,
			   r->completion[i].event, i);
	qsort(m.moment, m.n, sizeof *m.moment, by_time);
	return m;
}

/* Pairs each start with the first completion after it and before the next
   start. Threads may complete what others started. */
static void match_rest(struct gaspdb_p2p *p, struct gaspdb_request *request)
{
	struct gaspdb_requests *r = &p->requests;
	const struct moments starts = take_starts(r, request),
			     ends = take_ends(r, request);
	const struct moment *end = ends.moment, *last = end + ends.n;

	for (size_t i = 0; i < starts.n; i++) {
		const struct moment *start = &starts.moment[i];

		while (end < last && by_time(end, start) < 0)
			end++; /* without a start */
		if (end < last && (i + 1 == starts.n || end->ns == INT64_MAX ||
				   by_time(end, start + 1) < 0))
			gaspdb_p2p_pair(p, start->item, end++->item);
		else
			gaspdb_postings_put(r, &request->postings, start->item);
	}
	free(starts.moment);
	free(ends.moment);
}

/* Fills a start whose request's creation was read later, in another thread's
   log. A collective's start gets the bytes stated at its creation. */
static void recall(struct gaspdb_p2p *p, struct gaspdb_posting *a,
		   const struct gaspdb_posting *made)
{
	if (a->kind != GASPDB_POSTED_UNKNOWN)
		return;
	a->kind = made->kind;
	a->null = made->null;
	a->made = made->event;
	a->team = made->team;
	a->peer = made->peer;
	a->tag = made->tag;
	a->bytes = made->bytes;
	a->posted_peer = made->posted_peer;
	a->posted_tag = made->posted_tag;
	a->limit = made->limit;
	if (a->kind == GASPDB_POSTED_NO_MESSAGE && a->bytes != GASPDB_NULL)
		gaspdb_p2p_moved(p, a, GASPDB_NULL);
}

void gaspdb_persistent_end(struct gaspdb_p2p *p, struct gaspdb_request *request)
{
	struct gaspdb_requests *r = &p->requests;

	unhold(r, request);
	for (uint32_t i = request->postings.first;
	     request->has_made && i != GASPDB_ABSENT; i = r->posting[i].next)
		recall(p, &r->posting[i], &request->made);
	if (request->postings.first != GASPDB_ABSENT &&
	    request->completions.first != GASPDB_ABSENT)
		match_rest(p, request);
}
