/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Postings, made from a call's arguments. */
#include "importer/replay/p2p/parts.h"

static int64_t thread_of(const struct gaspdb_p2p *p, int64_t rank)
{
	return gaspdb_thread_of_rank(p->source, rank);
}

/* --- what is posted ------------------------------------------------------- */

void gaspdb_posting_bare(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
			 enum gaspdb_posted kind)
{
	*a = (struct gaspdb_posting){
		.kind = kind,
		.thread = p->thread,
		.event = GASPDB_NULL,
		.posted_ns = GASPDB_NULL,
		.number = GASPDB_NULL,
		.request = GASPDB_NULL,
		.made = GASPDB_NULL,
		.team = GASPDB_NULL,
		.peer = GASPDB_NULL,
		.tag = GASPDB_NULL,
		.bytes = GASPDB_NULL,
		.posted_peer = GASPDB_NULL,
		.posted_tag = GASPDB_NULL,
		.limit = GASPDB_NULL,
		.received = GASPDB_ABSENT,
	};
}

void gaspdb_posting_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		       const struct gaspdb_frame *f, enum gaspdb_posted kind)
{
	gaspdb_posting_bare(a, p, kind);
	a->id = f->p2p;
	a->event = f->id;
	a->moves.thread = p->thread;
	a->moves.event = f->id;
	a->moves.source = f->source;
	a->moves.path = f->path;
	a->moves.nested = f->nested;
	a->posted_ns = f->start_ns;
	if (gaspdb_has(&f->roles, GASPDB_ROLE_team))
		a->team = gaspdb_team_id(
			p->teams, (uint64_t)f->roles.value[GASPDB_ROLE_team]);
}

static void sends(const struct gaspdb_p2p *p, struct gaspdb_posting *a,
		  int64_t peer, int64_t tag, int64_t bytes)
{
	a->null = peer == -1; /* -1: MPI_PROC_NULL; unknown is GASPDB_NULL */
	a->rank = peer;
	a->peer = thread_of(p, peer);
	a->tag = tag;
	a->bytes = bytes;
}

/* Peers and tags: -1 is any, -2 is MPI_PROC_NULL. */
static void receives(const struct gaspdb_p2p *p, struct gaspdb_posting *a,
		     int64_t peer, int64_t tag, int64_t limit)
{
	a->null = peer == -2;
	a->posted_peer = thread_of(p, peer);
	a->posted_tag = tag < 0 ? GASPDB_NULL : tag;
	a->limit = limit;
}

void gaspdb_send_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		    const struct gaspdb_frame *f)
{
	gaspdb_posting_of(a, p, f, GASPDB_POSTED_SEND);
	sends(p, a, gaspdb_role(&f->roles, GASPDB_ROLE_peer),
	      gaspdb_role(&f->roles, GASPDB_ROLE_tag),
	      gaspdb_role(&f->roles, GASPDB_ROLE_bytes));
}

void gaspdb_receive_of(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
		       const struct gaspdb_frame *f)
{
	gaspdb_posting_of(a, p, f, GASPDB_POSTED_RECEIVE);
	receives(p, a, gaspdb_role(&f->roles, GASPDB_ROLE_posted_peer),
		 gaspdb_role(&f->roles, GASPDB_ROLE_posted_tag),
		 gaspdb_role(&f->roles, GASPDB_ROLE_limit));
}

void gaspdb_posting_made(struct gaspdb_posting *a, const struct gaspdb_p2p *p,
			 const struct gaspdb_field *fields)
{
	const bool receive = fields[1].u & GASPDB_COMPLETE_RECEIVE;
	const int64_t bytes = gaspdb_size(fields[4].u);

	gaspdb_posting_bare(
		a, p, receive ? GASPDB_POSTED_RECEIVE : GASPDB_POSTED_SEND);
	a->team = gaspdb_team_id(p->teams, fields[5].u);
	if (receive)
		receives(p, a, fields[2].i, fields[3].i, bytes);
	else
		sends(p, a, fields[2].i, fields[3].i, bytes);
}

uint64_t gaspdb_serial_of(const struct gaspdb_frame *f, enum gaspdb_role role)
{
	return gaspdb_has(&f->roles, role) ? (uint64_t)f->roles.value[role] : 0;
}
