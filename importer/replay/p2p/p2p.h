/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table p2p: sends and receives by calls of any type; and the completion of
   non-blocking collectives. Fed by replay.c, log after log of a process. */
#ifndef GASPDB_IMPORTER_REPLAY_P2P_P2P_H
#define GASPDB_IMPORTER_REPLAY_P2P_P2P_H

#include "importer/rollups/callpaths.h"
#include "importer/replay/event_rows.h"
#include "importer/replay/p2p/requests.h"
#include "importer/rollups/rollups.h"
#include "importer/run/source.h"
#include "importer/replay/stacks.h"
#include "importer/run/teams.h"

struct gaspdb_p2p {
	struct gaspdb_store *store;
	struct gaspdb_event_rows *rows;
	struct gaspdb_rollups *rollups;
	struct gaspdb_paths *paths;
	const struct gaspdb_source *source;
	struct gaspdb_teams *teams;
	int64_t next_id;		/* of table p2p */
	int64_t thread;			/* being read */
	bool alone;			/* the only thread of its process */
	struct gaspdb_requests requests;
	/* Postings of matched messages, of which only the probe or only the
	   receive was read. */
	struct gaspdb_map messages;
	/* Persistent sends started by the innermost call. */
	struct gaspdb_started {
		int64_t peer, bytes;
	} * started;
	size_t n_started, started_capacity;
};

void gaspdb_p2p_init(struct gaspdb_p2p *p);
void gaspdb_p2p_free(struct gaspdb_p2p *p);

/*
 * Begins a thread's log. Postings of a process that are open after all its logs
 * are written when the next process begins, and at the end of the run. alone:
 * the only thread of its process.
 */
void gaspdb_p2p_thread(struct gaspdb_p2p *p, int64_t thread, bool new_process,
		       bool alone);
void gaspdb_p2p_process_end(struct gaspdb_p2p *p);

/* Does a call of this type send, receive, or make requests? */
static inline bool gaspdb_p2p_concerns(enum gaspdb_optype type)
{
	switch (type) {
	case GASPDB_OPTYPE_send:
	case GASPDB_OPTYPE_send_nb:
	case GASPDB_OPTYPE_send_init:
	case GASPDB_OPTYPE_receive:
	case GASPDB_OPTYPE_receive_nb:
	case GASPDB_OPTYPE_receive_init:
	case GASPDB_OPTYPE_send_receive:
	case GASPDB_OPTYPE_start:
	case GASPDB_OPTYPE_request:
		return true;
	default:
		return false;
	}
}

void gaspdb_p2p_start_call(struct gaspdb_p2p *p, struct gaspdb_frame *f);
void gaspdb_p2p_end_call(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			 int64_t end_ns, bool open);

/* Starts a call; its arguments are in f. */
static inline void gaspdb_p2p_start(struct gaspdb_p2p *p,
				    struct gaspdb_frame *f)
{
	p->n_started = 0;
	if (gaspdb_p2p_concerns(f->operation->type) && !f->nested)
		gaspdb_p2p_start_call(p, f);
}

/* Ends a call, with all arguments in f. open: its end was not recorded. */
static inline void gaspdb_p2p_end(struct gaspdb_p2p *p, struct gaspdb_frame *f,
				  int64_t end_ns, bool open)
{
	if (gaspdb_p2p_concerns(f->operation->type) ||
	    gaspdb_has(&f->roles, GASPDB_ROLE_request) ||
	    f->completions != GASPDB_ABSENT || p->n_started)
		gaspdb_p2p_end_call(p, f, end_ns, open);
}

/* Records about the innermost open call f; NULL: none. Fields as in
   log_format.h. */
void gaspdb_p2p_complete(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			 const struct gaspdb_field *fields);
void gaspdb_p2p_request_start(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			      const struct gaspdb_field *fields);
void gaspdb_p2p_request_free(struct gaspdb_p2p *p, uint64_t serial);
void gaspdb_p2p_request_made(struct gaspdb_p2p *p,
			     const struct gaspdb_field *fields);
void gaspdb_p2p_probed(struct gaspdb_p2p *p, struct gaspdb_frame *f,
		       const struct gaspdb_field *fields);
/* A message matched by an unrecorded probe at ns. */
void gaspdb_p2p_probed_unrecorded(struct gaspdb_p2p *p, int64_t ns,
				  const struct gaspdb_field *fields);

#endif
