/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages matched by a probe. The receive takes the probe's place in the order
   of receives. The probe's log may be read after the receive's. */
#include "importer/replay/p2p/parts.h"

/* Copies a probe's place to a receive, with the envelope it found. An
   unrecorded probe has only its place. */
static void take_place(struct gaspdb_posting *a,
		       const struct gaspdb_posting *probed)
{
	a->id = probed->id;
	a->posted_ns = probed->posted_ns;
	if (probed->event == GASPDB_NULL)
		return;
	a->thread = probed->thread;
	a->event = probed->event;
	a->peer = probed->peer;
	a->tag = probed->tag;
}

bool gaspdb_matched_place(struct gaspdb_p2p *p, struct gaspdb_posting *a)
{
	const uint32_t i = gaspdb_map_get(&p->messages, a->message);

	if (i == GASPDB_ABSENT ||
	    p->requests.posting[i].received != GASPDB_ABSENT)
		return false;
	take_place(a, &p->requests.posting[i]);
	gaspdb_map_remove(&p->messages, a->message);
	gaspdb_posting_free(&p->requests, i);
	a->message = 0;
	return true;
}

void gaspdb_matched_receive_of(struct gaspdb_posting *a, struct gaspdb_p2p *p,
			       const struct gaspdb_frame *f)
{
	gaspdb_receive_of(a, p, f);
	a->message = gaspdb_serial_of(f, GASPDB_ROLE_message);
	if (a->message)
		gaspdb_matched_place(p, a);
}

bool gaspdb_matched_wait(struct gaspdb_p2p *p, const struct gaspdb_posting *a,
			 const struct gaspdb_completion *c)
{
	struct gaspdb_posting received = *a;
	const struct gaspdb_completion its =
		*c; /* the array may be reallocated */

	if (gaspdb_map_get(&p->messages, a->message) != GASPDB_ABSENT)
		return false; /* received twice */
	received.received = gaspdb_completion_new(&p->requests);
	p->requests.completion[received.received] = its;
	gaspdb_map_put(&p->messages, a->message,
		       gaspdb_posting_new(&p->requests, &received));
	return true;
}

/* Makes the row of a received message. */
static void insert_received(struct gaspdb_p2p *p, uint32_t i)
{
	struct gaspdb_posting *a = &p->requests.posting[i];

	a->message = 0;
	gaspdb_p2p_completed(p, a, &p->requests.completion[a->received]);
	gaspdb_completion_free(&p->requests, a->received);
	gaspdb_posting_free(&p->requests, i);
}

/* message peer tag bytes */
void gaspdb_p2p_probed(struct gaspdb_p2p *p, struct gaspdb_frame *f,
		       const struct gaspdb_field *fields)
{
	const uint64_t message = fields[0].u;
	struct gaspdb_posting a;
	uint32_t i;

	if (!f || f->nested || !message)
		return;
	i = gaspdb_map_get(&p->messages, message);
	if (i != GASPDB_ABSENT &&
	    p->requests.posting[i].received == GASPDB_ABSENT)
		return;
	gaspdb_receive_of(&a, p, f);
	a.id = p->next_id++;
	a.peer = gaspdb_thread_of_rank(p->source, fields[1].i);
	a.tag = fields[2].i;
	a.bytes = gaspdb_size(fields[3].u);
	if (i == GASPDB_ABSENT) {
		gaspdb_map_put(&p->messages, message,
			       gaspdb_posting_new(&p->requests, &a));
		return;
	}
	take_place(&p->requests.posting[i], &a);
	gaspdb_map_remove(&p->messages, message);
	insert_received(p, i);
}

/* message peer tag bytes */
void gaspdb_p2p_probed_unrecorded(struct gaspdb_p2p *p, int64_t ns,
				  const struct gaspdb_field *fields)
{
	const uint64_t message = fields[0].u;
	struct gaspdb_posting a;

	if (!message || gaspdb_map_get(&p->messages, message) != GASPDB_ABSENT)
		return;
	gaspdb_posting_bare(&a, p, GASPDB_POSTED_RECEIVE);
	a.id = p->next_id++;
	a.posted_ns = ns;
	gaspdb_map_put(&p->messages, message,
		       gaspdb_posting_new(&p->requests, &a));
}

void gaspdb_matched_end(struct gaspdb_p2p *p)
{
	struct gaspdb_requests *r = &p->requests;

	for (uint32_t i = 0; i < p->messages.n_slots; i++) {
		uint32_t posting = p->messages.slots[i].value;

		if (posting == GASPDB_ABSENT)
			continue;
		if (r->posting[posting].received != GASPDB_ABSENT)
			insert_received(p, posting);
		else if (r->posting[posting].event != GASPDB_NULL)
			gaspdb_p2p_open(p, &r->posting[posting]);
	}
	gaspdb_map_clear(&p->messages);
}
