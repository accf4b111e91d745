/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends of messages and barriers, from a process's events. */
#include "importer/hosts/ends.h"

#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "importer/log/arguments.h"

#define FRAMES_MAX 4096 /* open calls of the runtime */

void gaspdb_ends_init(struct gaspdb_ends *e)
{
	gaspdb_registry_init(&e->registry, NULL);
	gaspdb_definitions_init(&e->definitions, &e->registry);
	e->stride = 1;
}

void gaspdb_ends_free(struct gaspdb_ends *e)
{
	if (!e->stride)
		return;
	gaspdb_definitions_free(&e->definitions);
	gaspdb_registry_free(&e->registry);
	gaspdb_map_free(&e->teams);
	gaspdb_map_free(&e->serials);
	gaspdb_map_free(&e->probes);
	free(e->of);
	free(e->barriers);
	free(e->team_hash);
	free(e->requests);
	free(e->probe_ns);
	free(e->frames);
	memset(e, 0, sizeof *e);
}

void gaspdb_ends_process(struct gaspdb_ends *e, int64_t rank, uint32_t host,
			 bool alone)
{
	e->rank = rank;
	e->host = host;
	e->alone = alone;
	e->spoiled = false;
	e->n = e->n_barriers = e->n_teams = e->n_requests = e->n_probes = 0;
	e->free_request = 0;
	gaspdb_map_clear(&e->teams);
	gaspdb_map_clear(&e->serials);
	gaspdb_map_clear(&e->probes);
}

void gaspdb_ends_log(struct gaspdb_ends *e)
{
	gaspdb_definitions_log(&e->definitions);
	e->n_frames = 0;
	/* UPC: each thread of a process counts its own. */
	e->barrier_count[0] = e->barrier_count[1] = 0;
}

void gaspdb_ends_block(struct gaspdb_ends *e)
{
	gaspdb_definitions_block(&e->definitions);
}

/* --- sends and receives --------------------------------------------------- */

static int64_t role(const struct gaspdb_end_frame *f, enum gaspdb_role r)
{
	return gaspdb_role(&f->roles, r);
}

static struct gaspdb_end_request send_of(const struct gaspdb_ends *e,
					 const struct gaspdb_end_frame *f)
{
	return (struct gaspdb_end_request){
		.team = gaspdb_ends_team(e, role(f, GASPDB_ROLE_team)),
		.posted_ns = f->start_ns,
		.peer = role(f, GASPDB_ROLE_peer),
		.tag = role(f, GASPDB_ROLE_tag),
	};
}

/* Peers: -1 any, -2 MPI_PROC_NULL, as posted. */
static struct gaspdb_end_request receive_of(const struct gaspdb_ends *e,
					    const struct gaspdb_end_frame *f)
{
	struct gaspdb_end_request r = {
		.team = gaspdb_ends_team(e, role(f, GASPDB_ROLE_team)),
		.posted_ns = f->start_ns,
		.peer = role(f, GASPDB_ROLE_posted_peer),
		.tag = role(f, GASPDB_ROLE_posted_tag),
		.receive = true,
	};
	const int64_t message = role(f, GASPDB_ROLE_message);
	const uint32_t probe =
		message == GASPDB_NULL || !message
			? GASPDB_ABSENT
			: gaspdb_map_get(&e->probes, (uint64_t)message);

	if (probe != GASPDB_ABSENT)
		r.posted_ns = e->probe_ns[probe];
	r.any = r.peer < 0 || r.tag < 0;
	return r;
}

/* -1 is MPI_PROC_NULL of sends; others below 0 are unknown. */
static void add_send(struct gaspdb_ends *e, const struct gaspdb_end_frame *f)
{
	const struct gaspdb_end_request r = send_of(e, f);

	if (r.peer != -1)
		gaspdb_ends_add(e, &r, f->start_ns);
}

static void add_receive(struct gaspdb_ends *e, const struct gaspdb_end_frame *f,
			enum gaspdb_role peer, enum gaspdb_role tag)
{
	struct gaspdb_end_request r = receive_of(e, f);

	if (r.peer == -2)
		return;
	r.peer = role(f, peer);
	r.tag = role(f, tag);
	if (gaspdb_has(&f->roles, GASPDB_ROLE_cancelled) &&
	    f->roles.value[GASPDB_ROLE_cancelled])
		return;
	gaspdb_ends_add(e, &r, e->now_ns);
}

/* A call that posts a request, or makes a persistent one. */
static void post(struct gaspdb_ends *e, const struct gaspdb_end_frame *f,
		 bool receive, bool persistent)
{
	const int64_t serial = role(f, GASPDB_ROLE_request);
	struct gaspdb_end_request r;
	uint32_t i;

	if (serial == GASPDB_NULL || !serial) {
		e->spoiled = true;
		return;
	}
	i = gaspdb_end_request_get(e, (uint64_t)serial);
	r = receive ? receive_of(e, f) : send_of(e, f);
	r.serial = (uint64_t)serial;
	r.persistent = persistent;
	if (persistent)
		r.posted_ns = GASPDB_NULL;
	e->requests[i] = r;
}

static void end_completions(struct gaspdb_ends *e, struct gaspdb_end_frame *f,
			    int64_t ns)
{
	while (f->completions) {
		const uint32_t i = f->completions - 1;

		f->completions = e->requests[i].next;
		e->requests[i].held = false;
		gaspdb_end_request_done(e, i, ns);
	}
}

/* --- barriers ------------------------------------------------------------- */

static void add_barrier(struct gaspdb_ends *e, uint64_t team, uint64_t number,
			int64_t enter_ns, int64_t leave_ns)
{
	if (number % e->stride || e->n_barriers == GASPDB_ENDS_MAX)
		return;
	e->barriers = gaspdb_mem_grow(e->barriers, &e->barrier_capacity,
				      e->n_barriers + 1, sizeof *e->barriers);
	e->barriers[e->n_barriers++] = (struct gaspdb_barrier_call){
		.team = team,
		.number = number,
		.enter_ns = enter_ns,
		.leave_ns = leave_ns,
	};
}

/* UPC: barriers have no number; all threads call all of them. */
static void end_barrier(struct gaspdb_ends *e, const struct gaspdb_end_frame *f)
{
	const int64_t number = role(f, GASPDB_ROLE_sequence);
	const int64_t team = role(f, GASPDB_ROLE_team);
	uint64_t hash;

	if (f->operation->upc) {
		add_barrier(e, 0, e->barrier_count[0]++, f->start_ns,
			    e->now_ns);
		e->barrier_count[1]++;
		return;
	}
	hash = team == GASPDB_NULL ? 0 : gaspdb_ends_team(e, team);
	if (hash && number != GASPDB_NULL &&
	    !gaspdb_has(&f->roles, GASPDB_ROLE_request))
		add_barrier(e, hash, (uint64_t)number, f->start_ns, e->now_ns);
}

/* --- calls ---------------------------------------------------------------- */

static void end_call(struct gaspdb_ends *e, struct gaspdb_end_frame *f)
{
	end_completions(e, f, e->now_ns);
	if (f->nested)
		return;
	switch (f->operation->type) {
	case GASPDB_OPTYPE_send:
	case GASPDB_OPTYPE_send_nb:
		add_send(e, f);
		break;
	case GASPDB_OPTYPE_receive:
		add_receive(e, f, GASPDB_ROLE_peer, GASPDB_ROLE_tag);
		break;
	case GASPDB_OPTYPE_send_receive:
		add_send(e, f);
		add_receive(e, f, GASPDB_ROLE_receive_peer,
			    GASPDB_ROLE_receive_tag);
		break;
	case GASPDB_OPTYPE_receive_nb:
		post(e, f, true, false);
		break;
	case GASPDB_OPTYPE_send_init:
		post(e, f, false, true);
		break;
	case GASPDB_OPTYPE_receive_init:
		post(e, f, true, true);
		break;
	case GASPDB_OPTYPE_barrier:
		end_barrier(e, f);
		break;
	case GASPDB_OPTYPE_notify:
		add_barrier(e, 0, e->barrier_count[0]++, f->start_ns,
			    INT64_MAX);
		break;
	case GASPDB_OPTYPE_barrier_wait:
		add_barrier(e, 0, e->barrier_count[1]++, INT64_MIN, e->now_ns);
		break;
	default:
		break;
	}
}

static void push(struct gaspdb_ends *e, const struct gaspdb_record *rec,
		 struct gaspdb_log_site *site)
{
	struct gaspdb_end_frame *f;

	if (e->n_frames == FRAMES_MAX) {
		e->spoiled = true;
		return;
	}
	e->frames = gaspdb_mem_grow(e->frames, &e->frame_capacity,
				    e->n_frames + 1, sizeof *e->frames);
	f = &e->frames[e->n_frames];
	f->operation = site->operation;
	f->start_ns = e->now_ns;
	f->completions = 0;
	f->nested = e->n_frames > 0;
	gaspdb_roles_clear(&f->roles);
	gaspdb_arguments(&e->definitions, site, rec, 0, &f->roles, NULL);
	e->n_frames++;
}

static void pop(struct gaspdb_ends *e, const struct gaspdb_record *rec,
		struct gaspdb_log_site *site)
{
	size_t i = e->n_frames;
	struct gaspdb_end_frame f;

	while (i > 0 && e->frames[i - 1].operation != site->operation)
		i--;
	if (!i)
		return;
	f = e->frames[i - 1];
	gaspdb_arguments(&e->definitions, site, rec, 0, &f.roles, NULL);
	memmove(&e->frames[i - 1], &e->frames[i],
		(e->n_frames - i) * sizeof *e->frames);
	e->n_frames--;
	end_call(e, &f);
}

void gaspdb_ends_event(struct gaspdb_ends *e, const struct gaspdb_record *rec,
		       int64_t ns)
{
	struct gaspdb_log_site *site =
		gaspdb_definitions_site(&e->definitions, rec->site);

	e->now_ns = ns;
	if (!site) {
		e->spoiled = true;
		return;
	}
	if (!site->operation->runtime || e->spoiled)
		return;
	if (rec->phase == GASPDB_PHASE_START)
		push(e, rec, site);
	else if (rec->phase == GASPDB_PHASE_END)
		pop(e, rec, site);
}

/* --- other records -------------------------------------------------------- */

/* id parent ordinal rank size kind name first: as in run/teams.c. */
static void define_team(struct gaspdb_ends *e, const struct gaspdb_field *f)
{
	const uint64_t parent =
		f[1].u ? gaspdb_ends_team(e, (int64_t)f[1].u) : 0;
	uint64_t hash = gaspdb_map_mix(parent + 1) + f[2].u;
	uint32_t *place;

	hash = gaspdb_map_mix(hash) + (uint64_t)f[7].i;
	e->team_hash = gaspdb_mem_grow(e->team_hash, &e->team_capacity,
				       e->n_teams + 1, sizeof *e->team_hash);
	place = gaspdb_map_place(&e->teams, f[0].u);
	if (*place == GASPDB_ABSENT)
		*place = (uint32_t)e->n_teams++;
	e->team_hash[*place] = gaspdb_map_mix(hash) | 1;
}

/* Calls of the runtime are open no more: their completions have no time. */
static void leave(struct gaspdb_ends *e)
{
	for (size_t i = 0; i < e->n_frames; i++)
		end_completions(e, &e->frames[i], GASPDB_NULL);
	e->n_frames = 0;
}

/* Calls that were not recorded; functions may be masked. */
static void mask(struct gaspdb_ends *e, uint64_t operation)
{
	const struct gaspdb_log_operation *o =
		gaspdb_definitions_operation(&e->definitions, operation);

	e->spoiled |= !o || o->runtime;
}

void gaspdb_ends_other(struct gaspdb_ends *e, const struct gaspdb_record *rec)
{
	struct gaspdb_field f[GASPDB_FIELDS_MAX];

	if (gaspdb_define_again(&e->definitions, rec) ||
	    !gaspdb_record_fields(rec, f))
		return;
	switch (rec->kind) {
	case GASPDB_RECORD_STRING:
	case GASPDB_RECORD_OPERATION:
	case GASPDB_RECORD_SITE:
	case GASPDB_RECORD_SITE_PC:
		gaspdb_define(&e->definitions, rec->kind, f);
		break;
	case GASPDB_RECORD_TEAM:
		define_team(e, f);
		break;
	case GASPDB_RECORD_COMPLETE:
	case GASPDB_RECORD_REQUEST_START:
	case GASPDB_RECORD_REQUEST_FREE:
	case GASPDB_RECORD_REQUEST_MADE:
	case GASPDB_RECORD_PROBED:
		gaspdb_ends_request(e, rec->kind, f);
		break;
	case GASPDB_RECORD_LEFT:
		leave(e);
		break;
	case GASPDB_RECORD_RECORDING:
		e->spoiled |= !f[0].u;
		break;
	case GASPDB_RECORD_MASKED:
		mask(e, f[0].u);
		break;
	case GASPDB_RECORD_PASSED:
	case GASPDB_RECORD_LOST:
		e->spoiled = true;
		break;
	default:
		break;
	}
}

void gaspdb_ends_finish(struct gaspdb_ends *e)
{
	if (!e->alone && e->n_frames)
		e->spoiled = true;
	gaspdb_ends_open(e);
	if (e->spoiled)
		e->n = e->n_barriers = 0;
}
