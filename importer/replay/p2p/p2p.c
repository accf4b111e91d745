/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends and receives: a posting and its completion become one row of p2p. A
 * row's id is assigned when it is posted, so that rows are in the order of
 * postings.
 */
#include "importer/replay/p2p/p2p.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "common/sum.h"
#include "importer/replay/p2p/parts.h"

void gaspdb_p2p_init(struct gaspdb_p2p *p)
{
	p->next_id = 1;
	gaspdb_requests_init(&p->requests);
	memset(&p->messages, 0, sizeof p->messages);
	p->started = NULL;
	p->n_started = p->started_capacity = 0;
}

void gaspdb_p2p_free(struct gaspdb_p2p *p)
{
	gaspdb_requests_free(&p->requests);
	gaspdb_map_free(&p->messages);
	free(p->started);
	memset(p, 0, sizeof *p);
}

/* --- requests ------------------------------------------------------------- */

/*
 * Posts a request: its first or next start. A persistent request may be
 * completed by any thread of its process, so that a completion read earlier may
 * belong to a later start.
 */
static void post(struct gaspdb_p2p *p, uint64_t serial,
		 struct gaspdb_posting *a)
{
	struct gaspdb_requests *r = &p->requests;
	uint32_t i = gaspdb_request_get(r, serial);
	uint32_t waiting = r->request[i].persistent
				   ? GASPDB_ABSENT
				   : gaspdb_completions_consume(
					     r, &r->request[i].completions);

	a->request = (int64_t)serial;
	if (waiting != GASPDB_ABSENT)
		gaspdb_p2p_pair(p, gaspdb_posting_new(r, a), waiting);
	else if (r->request[i].freed && !r->request[i].persistent)
		gaspdb_p2p_freed(p, a);
	else
		gaspdb_postings_put(r, &r->request[i].postings,
				    gaspdb_posting_new(r, a));
	gaspdb_request_retire(r, i);
}

/* request index flags peer tag bytes error */
void gaspdb_p2p_complete(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			 const struct gaspdb_field *fields)
{
	struct gaspdb_requests *r = &p->requests;
	uint32_t i = gaspdb_request_get(r, fields[0].u);
	uint32_t c = gaspdb_completion_new(r), posting;
	struct gaspdb_completion *to = &r->completion[c];

	to->flags = fields[2].u;
	to->peer = fields[3].i;
	to->tag = fields[4].i;
	to->bytes = gaspdb_size(fields[5].u);
	to->error = fields[6].i;
	if (f) {
		to->event = f->id;
		to->next = f->completions;
		f->completions = c;
	}
	if (r->request[i].persistent && !p->alone) {
		gaspdb_persistent_hold(p, i, c);
		return;
	}
	/* A persistent request is restarted only after the previous start was
	   completed, even if damage has lost that completion. */
	posting = r->request[i].persistent
			  ? gaspdb_postings_consume_own(
				    r, &r->request[i].postings, p->thread)
			  : gaspdb_postings_consume(r, &r->request[i].postings);
	if (posting == GASPDB_ABSENT)
		gaspdb_completions_put(r, &r->request[i].completions, c);
	else
		gaspdb_p2p_pair(p, posting, c);
	gaspdb_request_retire(r, i);
}

/* Adds bytes to the call f that started their transfer. */
static void add_bytes(struct gaspdb_frame *f, int64_t bytes)
{
	struct gaspdb_roles *r = &f->roles;

	r->value[GASPDB_ROLE_bytes] =
		gaspdb_has(r, GASPDB_ROLE_bytes)
			? gaspdb_plus(r->value[GASPDB_ROLE_bytes], bytes)
			: bytes;
	r->have |= 1u << GASPDB_ROLE_bytes;
}

/* Notes a persistent send that f started. Its peer becomes f's if all sends
   that f started have the same peer; otherwise f has none. */
static void add_started(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			const struct gaspdb_posting *a)
{
	struct gaspdb_roles *r = &f->roles;
	const int64_t bytes = a->bytes == GASPDB_NULL ? 0 : a->bytes;

	p->started = gaspdb_mem_grow(p->started, &p->started_capacity,
				     p->n_started + 1, sizeof *p->started);
	p->started[p->n_started++] = (struct gaspdb_started){ a->peer, bytes };
	add_bytes(f, bytes);
	if (!gaspdb_has(r, GASPDB_ROLE_peer))
		r->value[GASPDB_ROLE_peer] = a->rank;
	else if (r->value[GASPDB_ROLE_peer] != a->rank)
		r->value[GASPDB_ROLE_peer] = -1;
	r->have |= 1u << GASPDB_ROLE_peer;
}

/* Notes the creation of a persistent request. */
static void create(struct gaspdb_p2p *p, uint64_t serial,
		   const struct gaspdb_posting *a)
{
	const uint32_t i = gaspdb_request_get(&p->requests, serial);
	struct gaspdb_request *request = &p->requests.request[i];

	if (request->has_made)
		return; /* serial numbers are never reused */
	request->persistent = true;
	request->made = *a;
	request->has_made = true;
}

/* request flags peer tag bytes team */
void gaspdb_p2p_request_made(struct gaspdb_p2p *p,
			     const struct gaspdb_field *fields)
{
	struct gaspdb_posting a;

	gaspdb_posting_made(&a, p, fields);
	create(p, fields[0].u, &a);
}

/* request number */
void gaspdb_p2p_request_start(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			      const struct gaspdb_field *fields)
{
	const uint32_t i = gaspdb_request_get(&p->requests, fields[0].u);
	struct gaspdb_request *request = &p->requests.request[i];
	struct gaspdb_posting a, now;

	if (!f)
		return;
	gaspdb_posting_of(&now, p, f, GASPDB_POSTED_UNKNOWN);
	request->persistent = true;
	a = request->has_made ? request->made : now;
	a.made = request->has_made ? request->made.event : GASPDB_NULL;
	a.thread = now.thread;
	a.event = now.event;
	a.moves = now.moves;
	a.posted_ns = now.posted_ns;
	a.number = (int64_t)(fields[1].u & INT64_MAX);
	a.id = f->nested || a.kind == GASPDB_POSTED_NO_MESSAGE ? 0
							       : p->next_id++;
	if (f->nested)
		a.kind = GASPDB_POSTED_OTHER;
	if (a.kind == GASPDB_POSTED_SEND && !a.null)
		add_started(p, f, &a);
	if (a.kind == GASPDB_POSTED_NO_MESSAGE && a.bytes != GASPDB_NULL)
		add_bytes(f, a.bytes);
	gaspdb_persistent_settle(p, i, a.number);
	post(p, fields[0].u, &a);
}

void gaspdb_p2p_request_free(struct gaspdb_p2p *p, uint64_t serial)
{
	struct gaspdb_requests *r = &p->requests;
	uint32_t i = gaspdb_request_get(r, serial), posting;

	r->request[i].freed = true;
	if (r->request[i].persistent)
		return; /* most are completed */
	posting = gaspdb_postings_consume(r, &r->request[i].postings);
	if (posting == GASPDB_ABSENT)
		return;
	gaspdb_p2p_freed(p, &r->posting[posting]);
	gaspdb_posting_free(r, posting);
	gaspdb_request_retire(r, i);
}

/* --- calls ---------------------------------------------------------------- */

void gaspdb_p2p_start_call(struct gaspdb_p2p *p, struct gaspdb_frame *f)
{
	switch (f->operation->type) {
	case GASPDB_OPTYPE_send:
	case GASPDB_OPTYPE_send_nb:
		f->p2p = p->next_id++;
		break;
	case GASPDB_OPTYPE_receive:
	case GASPDB_OPTYPE_receive_nb:
		/* A matched message takes its probe's id, if that was read. */
		if (gaspdb_map_get(&p->messages,
				   gaspdb_serial_of(f, GASPDB_ROLE_message)) ==
		    GASPDB_ABSENT)
			f->p2p = p->next_id++;
		break;
	case GASPDB_OPTYPE_send_receive:
		f->p2p = p->next_id;
		p->next_id += 2;
		break;
	default:
		break;
	}
}

/* Completion of a blocking call, from its own arguments. */
static struct gaspdb_completion own_completion(const struct gaspdb_frame *f,
					       int64_t end_ns,
					       enum gaspdb_role peer,
					       enum gaspdb_role tag,
					       enum gaspdb_role bytes)
{
	const struct gaspdb_roles *r = &f->roles;

	return (struct gaspdb_completion){
		.event = f->id,
		.completed_ns = end_ns,
		.flags = gaspdb_has(r, GASPDB_ROLE_cancelled) &&
					 r->value[GASPDB_ROLE_cancelled]
				 ? GASPDB_COMPLETE_CANCELLED
				 : 0,
		.peer = gaspdb_role(r, peer),
		.tag = gaspdb_role(r, tag),
		.bytes = gaspdb_role(r, bytes),
		.error = gaspdb_has(r, GASPDB_ROLE_error)
				 ? r->value[GASPDB_ROLE_error]
				 : 0,
	};
}

static void blocking(struct gaspdb_p2p *p, struct gaspdb_posting *a,
		     const struct gaspdb_completion *c, bool open)
{
	if (open)
		gaspdb_p2p_open(p, a);
	else
		gaspdb_p2p_completed(p, a, c);
}

static void end_receive(struct gaspdb_p2p *p, const struct gaspdb_frame *f,
			int64_t end_ns, bool open)
{
	struct gaspdb_completion c =
		own_completion(f, end_ns, GASPDB_ROLE_peer, GASPDB_ROLE_tag,
			       GASPDB_ROLE_bytes);
	struct gaspdb_posting a;

	gaspdb_matched_receive_of(&a, p, f);
	blocking(p, &a, &c, open);
}

static void end_send_receive(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			     int64_t end_ns, bool open)
{
	struct gaspdb_posting send, receive;
	struct gaspdb_completion c = own_completion(
		f, end_ns, GASPDB_ROLE_receive_peer, GASPDB_ROLE_receive_tag,
		GASPDB_ROLE_bytes_received);

	gaspdb_send_of(&send, p, f);
	gaspdb_receive_of(&receive, p, f);
	receive.id = send.id + 1;
	blocking(p, &receive, &c, open);
	c.error = 0; /* the receive's */
	blocking(p, &send, &c, open);
}

/* Ends a call that posts a request; without one nothing completes it. */
static void end_non_blocking(struct gaspdb_p2p *p, const struct gaspdb_frame *f,
			     struct gaspdb_posting *a)
{
	const uint64_t request = gaspdb_serial_of(f, GASPDB_ROLE_request);

	if (request)
		post(p, request, a);
	else
		gaspdb_p2p_open(p, a);
}

static void end_other(struct gaspdb_p2p *p, struct gaspdb_frame *f,
		      enum gaspdb_posted kind)
{
	uint64_t request = gaspdb_serial_of(f, GASPDB_ROLE_request);
	struct gaspdb_posting a;

	if (!request)
		return;
	gaspdb_posting_of(&a, p, f, kind);
	post(p, request, &a);
}

static void end_init(struct gaspdb_p2p *p, const struct gaspdb_frame *f,
		     const struct gaspdb_posting *a)
{
	const uint64_t request = gaspdb_serial_of(f, GASPDB_ROLE_request);

	if (request)
		create(p, request, a);
}

/* Divides f's time among the sends that it started. */
static void end_start(struct gaspdb_p2p *p, const struct gaspdb_frame *f,
		      int64_t end_ns)
{
	const int64_t n = (int64_t)p->n_started, time = end_ns - f->start_ns;

	for (int64_t i = 0; i < n; i++)
		gaspdb_traffic_add(p->rollups, p->started[i].peer, f->source,
				   GASPDB_SEND, p->started[i].bytes,
				   time / n + (i < time % n));
	p->n_started = 0;
}

/* Makes the rows of f's completions, now that its end is known. */
static void end_completions(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			    int64_t end_ns)
{
	struct gaspdb_requests *r = &p->requests;
	uint32_t next;

	for (uint32_t i = f->completions; i != GASPDB_ABSENT; i = next) {
		struct gaspdb_completion *c = &r->completion[i];
		uint32_t posting = c->posting;

		next = c->next;
		c->completed_ns = end_ns;
		if (posting == GASPDB_ABSENT)
			continue; /* waits for its posting */
		gaspdb_p2p_completed(p, &r->posting[posting], c);
		gaspdb_posting_free(r, posting);
		gaspdb_completion_free(r, i);
	}
	f->completions = GASPDB_ABSENT;
}

/* Kind of posting of a call that neither sends nor receives. */
static enum gaspdb_posted posted_by(enum gaspdb_optype type)
{
	switch (type) {
	case GASPDB_OPTYPE_broadcast:
	case GASPDB_OPTYPE_scatter:
	case GASPDB_OPTYPE_gather:
	case GASPDB_OPTYPE_reduce:
	case GASPDB_OPTYPE_all_to_all:
	case GASPDB_OPTYPE_exchange:
	case GASPDB_OPTYPE_scan:
	case GASPDB_OPTYPE_neighbor:
	case GASPDB_OPTYPE_barrier:
	case GASPDB_OPTYPE_team:
	case GASPDB_OPTYPE_get_nb:
	case GASPDB_OPTYPE_put_nb:
	case GASPDB_OPTYPE_atomic:
	case GASPDB_OPTYPE_atomic_fetch:
	case GASPDB_OPTYPE_file_read_nb:
	case GASPDB_OPTYPE_file_write_nb:
	case GASPDB_OPTYPE_file_read_begin:
	case GASPDB_OPTYPE_file_write_begin:
		return GASPDB_POSTED_NO_MESSAGE;
	default:
		return GASPDB_POSTED_OTHER;
	}
}

void gaspdb_p2p_end_call(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			 int64_t end_ns, bool open)
{
	struct gaspdb_completion c;
	struct gaspdb_posting a;

	end_completions(p, f, end_ns);
	if (p->n_started) /* by a start, perhaps of an unknown type */
		end_start(p, f, end_ns);
	if (f->nested) {
		end_other(p, f, GASPDB_POSTED_OTHER);
		return;
	}
	switch (f->operation->type) {
	case GASPDB_OPTYPE_send:
		gaspdb_send_of(&a, p, f);
		c = (struct gaspdb_completion){ .event = f->id,
						.completed_ns = end_ns };
		blocking(p, &a, &c, open);
		break;
	case GASPDB_OPTYPE_receive:
		end_receive(p, f, end_ns, open);
		break;
	case GASPDB_OPTYPE_send_receive:
		end_send_receive(p, f, end_ns, open);
		break;
	case GASPDB_OPTYPE_send_nb:
		gaspdb_send_of(&a, p, f);
		end_non_blocking(p, f, &a);
		break;
	case GASPDB_OPTYPE_receive_nb:
		gaspdb_matched_receive_of(&a, p, f);
		end_non_blocking(p, f, &a);
		break;
	case GASPDB_OPTYPE_send_init:
		gaspdb_send_of(&a, p, f);
		end_init(p, f, &a);
		break;
	case GASPDB_OPTYPE_receive_init:
		gaspdb_receive_of(&a, p, f);
		end_init(p, f, &a);
		break;
	case GASPDB_OPTYPE_request: /* of a persistent collective */
		gaspdb_posting_of(&a, p, f, GASPDB_POSTED_NO_MESSAGE);
		if (gaspdb_has(&f->roles, GASPDB_ROLE_bytes))
			a.bytes = f->roles.value[GASPDB_ROLE_bytes];
		end_init(p, f, &a);
		break;
	case GASPDB_OPTYPE_start: /* posted by its record */
		break;
	default:
		end_other(p, f, posted_by(f->operation->type));
	}
}

/* --- processes ------------------------------------------------------------ */

static void end_posting(struct gaspdb_p2p *p, struct gaspdb_posting *a,
			const struct gaspdb_request *request)
{
	if (a->kind == GASPDB_POSTED_NO_MESSAGE ||
	    a->kind == GASPDB_POSTED_UNKNOWN)
		gaspdb_p2p_no_message(p, a, NULL);
	if (a->kind != GASPDB_POSTED_SEND && a->kind != GASPDB_POSTED_RECEIVE)
		return;
	if (request->freed)
		gaspdb_p2p_freed(p, a);
	else
		gaspdb_p2p_open(p, a);
}

static void end_request(struct gaspdb_p2p *p, struct gaspdb_request *request)
{
	struct gaspdb_requests *r = &p->requests;
	uint32_t posting;

	gaspdb_persistent_end(p, request);
	while ((posting = gaspdb_postings_consume(r, &request->postings)) !=
	       GASPDB_ABSENT)
		end_posting(p, &r->posting[posting], request);
}

void gaspdb_p2p_process_end(struct gaspdb_p2p *p)
{
	struct gaspdb_requests *r = &p->requests;

	for (uint32_t i = 0; i < r->serials.n_slots; i++) {
		const uint32_t at = r->serials.slots[i].value;

		if (at != GASPDB_ABSENT)
			end_request(p, &r->request[at]);
	}
	gaspdb_matched_end(p);
	gaspdb_requests_clear(r);
}

void gaspdb_p2p_thread(struct gaspdb_p2p *p, int64_t thread, bool new_process,
		       bool alone)
{
	if (new_process)
		gaspdb_p2p_process_end(p);
	p->thread = thread;
	p->alone = alone;
	p->n_started = 0;
}
