/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ends of messages with other hosts, and barriers, as a process's logs have
 * them: the start of each send, the completion of each receive. Part of the
 * first read. A process whose calls are not all recorded has none, because
 * its ends cannot be counted.
 */
#ifndef GASPDB_IMPORTER_HOSTS_ENDS_H
#define GASPDB_IMPORTER_HOSTS_ENDS_H

#include "common/map.h"
#include "importer/log/definitions.h"

/* A send's or receive's place among those of its channel is by posted_ns. */
struct gaspdb_end {
	uint64_t channel; /* hash of communicator, sender, receiver, tag */
	int64_t posted_ns;
	int64_t ns;    /* send: its start; receive: its end; NULL: unknown */
	uint32_t peer; /* host */
	bool receive;
};

/* A process's call of a barrier. */
struct gaspdb_barrier_call {
	uint64_t team, number; /* hash, running number on it */
	int64_t enter_ns, leave_ns;
};

struct gaspdb_end_frame {
	const struct gaspdb_log_operation *operation;
	struct gaspdb_roles roles;
	int64_t start_ns;
	uint32_t completions; /* index + 1 of a request; 0: none */
	bool nested;
};

/* A receive or a persistent send whose request is open. */
struct gaspdb_end_request {
	uint64_t serial, team;
	int64_t posted_ns; /* GASPDB_NULL: not posted yet */
	int64_t peer, tag;
	bool receive, completed, persistent, any;
	bool held;     /* by a call that has not ended */
	uint32_t next; /* of the same call */
};

struct gaspdb_ends {
	/* What is known of the run: the host of each rank. */
	const uint32_t *host_of_rank; /* UINT32_MAX: none */
	int64_t n_ranks;
	/* The process */
	int64_t rank;
	uint32_t host;
	bool alone;   /* one log */
	bool spoiled; /* its ends cannot be counted */
	struct gaspdb_end *of;
	size_t n, capacity;
	struct gaspdb_barrier_call *barriers;
	size_t n_barriers, barrier_capacity;
	uint64_t barrier_count[2]; /* UPC: entered, left */
	uint64_t stride; /* barriers with other running numbers are skipped */
	struct gaspdb_map teams; /* local id: index in team_hash */
	uint64_t *team_hash;
	size_t n_teams, team_capacity;
	struct gaspdb_map serials; /* request: index */
	struct gaspdb_end_request *requests;
	size_t n_requests, request_capacity;
	uint32_t free_request;	  /* index + 1 */
	struct gaspdb_map probes; /* message: index in probe_ns */
	int64_t *probe_ns;
	size_t n_probes, probe_capacity;
	/* The log */
	struct gaspdb_registry registry;
	struct gaspdb_definitions definitions;
	struct gaspdb_end_frame *frames;
	size_t n_frames, frame_capacity;
	int64_t now_ns;
};

void gaspdb_ends_init(struct gaspdb_ends *e);
void gaspdb_ends_free(struct gaspdb_ends *e);
/* Begins a process, without ends. */
void gaspdb_ends_process(struct gaspdb_ends *e, int64_t rank, uint32_t host,
			 bool alone);
void gaspdb_ends_log(struct gaspdb_ends *e);
void gaspdb_ends_block(struct gaspdb_ends *e);
/* Takes an event at ns, or another record. */
void gaspdb_ends_event(struct gaspdb_ends *e, const struct gaspdb_record *rec,
		       int64_t ns);
void gaspdb_ends_other(struct gaspdb_ends *e, const struct gaspdb_record *rec);
/* Ends the process: what is still open has its place, too. */
void gaspdb_ends_finish(struct gaspdb_ends *e);

/* --- ends_requests.c ----------------------------------------------- */

/* A receive or send of the process; ns GASPDB_NULL: unknown. */
void gaspdb_ends_add(struct gaspdb_ends *e, const struct gaspdb_end_request *r,
		     int64_t ns);
uint64_t gaspdb_ends_team(const struct gaspdb_ends *e, int64_t local);
/* A request by its serial number, new or not. */
uint32_t gaspdb_end_request_get(struct gaspdb_ends *e, uint64_t serial);
/* Emits a completed receive, and forgets its request. */
void gaspdb_end_request_done(struct gaspdb_ends *e, uint32_t i, int64_t ns);
/* Records about requests: COMPLETE, REQUEST_START and the like. */
void gaspdb_ends_request(struct gaspdb_ends *e, unsigned kind,
			 const struct gaspdb_field *f);
void gaspdb_ends_open(struct gaspdb_ends *e);

#endif
