/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends and receives, whatever calls they are made of: table p2p; and which
 * call completed which non-blocking collective.  Fed by replay.c while it
 * reads a process's logs one after another.
 */
#ifndef GASPDB_P2P_H
#define GASPDB_P2P_H

#include "callpaths.h"
#include "event_rows.h"
#include "requests.h"
#include "rollups.h"
#include "source.h"
#include "stacks.h"
#include "teams.h"

struct gaspdb_p2p {
	struct gaspdb_store *store;
	struct gaspdb_event_rows *rows;
	struct gaspdb_rollups *rollups;
	struct gaspdb_paths *paths;
	const struct gaspdb_source *source;
	const struct gaspdb_teams *teams;
	int64_t next_id; /* of table p2p */
	int64_t thread;	 /* being read */
	struct gaspdb_requests requests;
	/* Messages that a probe matched, or that were received so, until the
	   other is read: postings. */
	struct gaspdb_map messages;
	/* Persistent sends that the innermost call has started. */
	struct gaspdb_started {
		int64_t peer, bytes;
	} * started;
	size_t n_started, started_capacity;
};

void gaspdb_p2p_init(struct gaspdb_p2p *p);
void gaspdb_p2p_free(struct gaspdb_p2p *p);

/* A thread's log begins.  What is still open of a process is written when all
   its logs are read: when another's begins, and at the end of all. */
void gaspdb_p2p_thread(struct gaspdb_p2p *p, int64_t thread, bool new_process);
void gaspdb_p2p_process_end(struct gaspdb_p2p *p);

/* A call has started; its arguments are in f. */
void gaspdb_p2p_start(struct gaspdb_p2p *p, struct gaspdb_frame *f);
/* It ends: all arguments are in f.  open: it did not end. */
void gaspdb_p2p_end(struct gaspdb_p2p *p, struct gaspdb_frame *f,
		    int64_t end_ns, bool open);

/*
 * Records about the innermost open call f (NULL: none is open).  Fields as in
 * log_format.h.
 */
void gaspdb_p2p_complete(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			 const struct gaspdb_field *fields);
void gaspdb_p2p_request_start(struct gaspdb_p2p *p, struct gaspdb_frame *f,
			      const struct gaspdb_field *fields);
void gaspdb_p2p_request_free(struct gaspdb_p2p *p, uint64_t serial);
void gaspdb_p2p_probed(struct gaspdb_p2p *p, struct gaspdb_frame *f,
		       const struct gaspdb_field *fields);

#endif
