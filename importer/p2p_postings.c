/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a call posts, from its arguments. */
#include "p2p_parts.h"

static int64_t thread_of(const struct gaspdb_p2p *p, int64_t rank)
{
	return gaspdb_thread_of_rank(p->source, rank);
}

/* --- what is posted ------------------------------------------------------- */

struct gaspdb_posting gaspdb_posting_of(const struct gaspdb_p2p *p,
					const struct gaspdb_frame *f,
					enum gaspdb_posted kind)
{
	return (struct gaspdb_posting){
		.kind = kind,
		.id = f->p2p,
		.thread = p->thread,
		.event = f->id,
		.moves = { p->thread, f->id, f->source, f->path, f->nested },
		.posted_ns = f->start_ns,
		.number = GASPDB_NULL,
		.request = GASPDB_NULL,
		.team = gaspdb_has(&f->roles, GASPDB_ROLE_team)
				? gaspdb_team_id(
					  p->teams,
					  (uint64_t)f->roles
						  .value[GASPDB_ROLE_team])
				: GASPDB_NULL,
		.peer = GASPDB_NULL,
		.tag = GASPDB_NULL,
		.bytes = GASPDB_NULL,
		.posted_peer = GASPDB_NULL,
		.posted_tag = GASPDB_NULL,
		.limit = GASPDB_NULL,
		.received = GASPDB_ABSENT,
	};
}

struct gaspdb_posting gaspdb_send_of(const struct gaspdb_p2p *p,
				     const struct gaspdb_frame *f)
{
	struct gaspdb_posting a = gaspdb_posting_of(p, f, GASPDB_POSTED_SEND);
	const int64_t peer = gaspdb_role(&f->roles, GASPDB_ROLE_peer);

	a.null = peer < 0;
	a.rank = peer;
	a.peer = thread_of(p, peer);
	a.tag = gaspdb_role(&f->roles, GASPDB_ROLE_tag);
	a.bytes = gaspdb_role(&f->roles, GASPDB_ROLE_bytes);
	return a;
}

/* Of peers and tags -1 is any, -2 none: MPI_PROC_NULL. */
struct gaspdb_posting gaspdb_receive_of(const struct gaspdb_p2p *p,
					const struct gaspdb_frame *f)
{
	struct gaspdb_posting a =
		gaspdb_posting_of(p, f, GASPDB_POSTED_RECEIVE);
	const int64_t peer = gaspdb_role(&f->roles, GASPDB_ROLE_posted_peer);
	const int64_t tag = gaspdb_role(&f->roles, GASPDB_ROLE_posted_tag);

	a.null = peer == -2;
	a.posted_peer = thread_of(p, peer);
	a.posted_tag = tag < 0 ? GASPDB_NULL : tag;
	a.limit = gaspdb_role(&f->roles, GASPDB_ROLE_limit);
	return a;
}

uint64_t gaspdb_serial_of(const struct gaspdb_frame *f, enum gaspdb_role role)
{
	return gaspdb_has(&f->roles, role) ? (uint64_t)f->roles.value[role] : 0;
}
