/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of the process being read for the first time. */
#include "importer/hosts/ends.h"

#include "common/memory.h"

static uint64_t join(uint64_t a, uint64_t b)
{
	return gaspdb_map_mix(a * 0x9e3779b97f4a7c15u + b + 1);
}

uint64_t gaspdb_ends_team(const struct gaspdb_ends *e, int64_t local)
{
	const uint32_t i = gaspdb_map_get(&e->teams, (uint64_t)local);

	return i == GASPDB_ABSENT ? 0 : e->team_hash[i];
}

void gaspdb_ends_add(struct gaspdb_ends *e, const struct gaspdb_end_request *r,
		     int64_t ns)
{
	uint64_t channel;
	uint32_t peer;

	if (r->peer < 0 || r->peer >= e->n_ranks || !r->team) {
		e->spoiled = true;
		return;
	}
	peer = e->host_of_rank[r->peer];
	if (peer == UINT32_MAX || peer == e->host)
		return;
	channel = join(r->team, (uint64_t)r->tag);
	channel = join(channel, (uint64_t)(r->receive ? r->peer : e->rank));
	channel = join(channel, (uint64_t)(r->receive ? e->rank : r->peer));
	if (e->n == GASPDB_ENDS_MAX) {
		e->spoiled = true;
		return;
	}
	e->of = gaspdb_mem_grow(e->of, &e->capacity, e->n + 1, sizeof *e->of);
	e->of[e->n++] = (struct gaspdb_end){ .channel = channel,
					     .posted_ns = r->posted_ns,
					     .ns = ns,
					     .peer = peer,
					     .receive = r->receive };
}

/* --- requests ------------------------------------------------------------- */

uint32_t gaspdb_end_request_get(struct gaspdb_ends *e, uint64_t serial)
{
	uint32_t *place = gaspdb_map_place(&e->serials, serial);
	uint32_t i;

	if (*place != GASPDB_ABSENT)
		return *place;
	if (e->free_request) {
		i = e->free_request - 1;
		e->free_request = e->requests[i].next;
	} else {
		*place = 0; /* a valid map, if memory runs out */
		e->requests =
			gaspdb_mem_grow(e->requests, &e->request_capacity,
					e->n_requests + 1, sizeof *e->requests);
		i = (uint32_t)e->n_requests++;
	}
	*place = i;
	e->requests[i] = (struct gaspdb_end_request){ .serial = serial,
						      .posted_ns = GASPDB_NULL,
						      .peer = -1 };
	return i;
}

static void forget(struct gaspdb_ends *e, uint32_t i)
{
	gaspdb_map_remove(&e->serials, e->requests[i].serial);
	e->requests[i].next = e->free_request;
	e->free_request = i + 1;
}

void gaspdb_end_request_done(struct gaspdb_ends *e, uint32_t i, int64_t ns)
{
	struct gaspdb_end_request *r = &e->requests[i];

	if (r->posted_ns == GASPDB_NULL)
		e->spoiled = true;
	else if (r->receive)
		gaspdb_ends_add(e, r, ns);
	if (r->persistent) {
		r->posted_ns = GASPDB_NULL;
		r->completed = false;
	} else {
		forget(e, i);
	}
}

/* --- records -------------------------------------------------------------- */

static struct gaspdb_end_frame *top(const struct gaspdb_ends *e)
{
	return e->n_frames ? &e->frames[e->n_frames - 1] : NULL;
}

/*
 * request index flags peer tag bytes error. A receive is complete when the call
 * that completes it ends. One that another thread posted, whose log is read
 * later, spoils the process.
 */
static void complete(struct gaspdb_ends *e, const struct gaspdb_field *f)
{
	const uint32_t known = gaspdb_map_get(&e->serials, f[0].u);
	struct gaspdb_end_frame *call =
		f[2].u & GASPDB_COMPLETE_UNRECORDED ? NULL : top(e);
	struct gaspdb_end_request *r;

	if (known == GASPDB_ABSENT) {
		e->spoiled |= f[2].u & GASPDB_COMPLETE_RECEIVE;
		return;
	}
	r = &e->requests[known];
	if (r->held)
		return;
	if (f[2].u & GASPDB_COMPLETE_CANCELLED) {
		e->spoiled |= !r->receive || r->persistent;
		forget(e, known);
		return;
	}
	r->completed = true;
	if (r->receive && f[3].i < 0 && r->peer < 0)
		r->peer = -2;
	if (r->receive && f[3].i >= 0) {
		r->peer = f[3].i;
		r->tag = f[4].i;
	}
	if (!call || r->peer == -2) {
		if (r->peer == -2)
			forget(e, known); /* of MPI_PROC_NULL */
		else
			gaspdb_end_request_done(e, known, GASPDB_NULL);
		return;
	}
	r->held = true;
	r->next = call->completions;
	call->completions = known + 1;
}

/* request number */
static void start(struct gaspdb_ends *e, const struct gaspdb_field *f)
{
	const uint32_t i = gaspdb_map_get(&e->serials, f[0].u);
	const struct gaspdb_end_frame *call = top(e);
	struct gaspdb_end_request *r;

	if (i == GASPDB_ABSENT || !call || !e->alone ||
	    !e->requests[i].persistent) {
		e->spoiled = true;
		return;
	}
	r = &e->requests[i];
	r->posted_ns = call->start_ns;
	if (!r->receive && r->team && r->peer >= 0)
		gaspdb_ends_add(e, r, call->start_ns);
}

/* message peer tag bytes ticks: a receive of it has the probe's place. */
static void probed(struct gaspdb_ends *e, const struct gaspdb_field *f)
{
	const struct gaspdb_end_frame *call = top(e);
	uint32_t *place;

	if (!f[0].u)
		return;
	if (!call || f[4].u || call->nested) {
		e->spoiled = true;
		return;
	}
	e->probe_ns = gaspdb_mem_grow(e->probe_ns, &e->probe_capacity,
				      e->n_probes + 1, sizeof *e->probe_ns);
	place = gaspdb_map_place(&e->probes, f[0].u);
	*place = (uint32_t)e->n_probes;
	e->probe_ns[e->n_probes++] = call->start_ns;
}

void gaspdb_ends_request(struct gaspdb_ends *e, unsigned kind,
			 const struct gaspdb_field *f)
{
	switch (kind) {
	case GASPDB_RECORD_COMPLETE:
		complete(e, f);
		break;
	case GASPDB_RECORD_REQUEST_START:
		start(e, f);
		break;
	case GASPDB_RECORD_PROBED:
		probed(e, f);
		break;
	default: /* REQUEST_FREE, REQUEST_MADE: what completes is unknown */
		e->spoiled = true;
	}
}

/* Receives that nothing completed: one for any message leaves it unknown which
   messages the others received. */
void gaspdb_ends_open(struct gaspdb_ends *e)
{
	for (uint32_t i = 0; i < e->serials.n_slots && !e->spoiled; i++) {
		const uint32_t at = e->serials.slots[i].value;
		const struct gaspdb_end_request *r;

		if (at == GASPDB_ABSENT)
			continue;
		r = &e->requests[at];
		if (!r->receive || r->posted_ns == GASPDB_NULL || r->peer == -2)
			continue;
		if (r->any)
			e->spoiled = true;
		else
			gaspdb_ends_add(e, r, GASPDB_NULL);
	}
}
