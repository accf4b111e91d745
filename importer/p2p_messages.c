/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages that a probe matched: the receive has the probe's place among the
 * receives.  The probe's log may be read after the receive's.
 */
#include "p2p_parts.h"

/* The place among the receives that the probe of a message gives it. */
static void take_place(struct gaspdb_posting *a,
		       const struct gaspdb_posting *probed)
{
	a->id = probed->id;
	a->thread = probed->thread;
	a->event = probed->event;
	a->posted_ns = probed->posted_ns;
}

struct gaspdb_posting gaspdb_matched_receive_of(struct gaspdb_p2p *p,
						const struct gaspdb_frame *f)
{
	const uint64_t message = gaspdb_serial_of(f, GASPDB_ROLE_message);
	struct gaspdb_posting a = gaspdb_receive_of(p, f);
	uint32_t i = gaspdb_map_get(&p->messages, message);

	if (i == GASPDB_ABSENT ||
	    p->requests.posting[i].received != GASPDB_ABSENT)
		return a;
	take_place(&a, &p->requests.posting[i]);
	gaspdb_map_remove(&p->messages, message);
	gaspdb_posting_free(&p->requests, i);
	return a;
}

void gaspdb_matched_received(struct gaspdb_p2p *p, const struct gaspdb_frame *f,
			     const struct gaspdb_completion *c)
{
	const uint64_t message = gaspdb_serial_of(f, GASPDB_ROLE_message);
	struct gaspdb_posting a = gaspdb_matched_receive_of(p, f);

	if (!message || a.event != f->id ||
	    gaspdb_map_get(&p->messages, message) != GASPDB_ABSENT) {
		gaspdb_p2p_completed(p, &a, c);
		return;
	}
	a.received = gaspdb_completion_new(&p->requests);
	p->requests.completion[a.received] = *c;
	gaspdb_map_put(&p->messages, message,
		       gaspdb_posting_new(&p->requests, &a));
}

/* A received message's row. */
static void insert_received(struct gaspdb_p2p *p, uint32_t i)
{
	struct gaspdb_posting *a = &p->requests.posting[i];

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
	a = gaspdb_receive_of(p, f);
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

void gaspdb_matched_end(struct gaspdb_p2p *p)
{
	struct gaspdb_requests *r = &p->requests;

	for (uint32_t i = 0; i < p->messages.n_slots; i++) {
		uint32_t posting = p->messages.slots[i].value;

		if (posting == GASPDB_ABSENT)
			continue;
		if (r->posting[posting].received != GASPDB_ABSENT)
			insert_received(p, posting);
		else
			gaspdb_p2p_open(p, &r->posting[posting]);
	}
	gaspdb_map_clear(&p->messages);
}
