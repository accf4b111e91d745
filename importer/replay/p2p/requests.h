/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of the process being read: postings that wait for their completion,
 * and completions that wait for their posting, by another thread whose log
 * comes later. p2p.c makes rows of them.
 */
#ifndef GASPDB_IMPORTER_REPLAY_P2P_REQUESTS_H
#define GASPDB_IMPORTER_REPLAY_P2P_REQUESTS_H

#include "common/map.h"
#include "sql/store/store.h"

enum gaspdb_posted {
	GASPDB_POSTED_SEND,
	GASPDB_POSTED_RECEIVE,
	GASPDB_POSTED_NO_MESSAGE,
	GASPDB_POSTED_OTHER,  /* makes no row */
	GASPDB_POSTED_UNKNOWN /* started; its creation is not read yet */
};

/* A posting: a send, a receive, or another operation with a request. */
struct gaspdb_posting {
	uint32_t next; /* in a queue or the free list */
	uint32_t prev; /* in a queue */
	enum gaspdb_posted kind;
	bool null; /* to or from MPI_PROC_NULL */
	struct {
		int64_t thread, event;
		uint32_t source, path;
		bool nested;
	} moves; /* event that gets a receive's bytes; differs from `event` for
		    a message matched by a probe */
	int64_t id; /* p2p.id */
	int64_t thread, event, posted_ns, number;
	int64_t request; /* GASPDB_NULL: blocking */
	int64_t made; /* event that created a persistent request; or GASPDB_NULL
		       */
	int64_t team, peer, tag, bytes, posted_peer, posted_tag, limit;
	int64_t rank;	   /* sends: rank of the peer */
	uint64_t message;  /* matched message whose probe is not read yet; 0:
			      none */
	uint32_t received; /* its completion; GASPDB_ABSENT: not yet */
};

struct gaspdb_completion {
	uint32_t next;	       /* of the same call */
	uint32_t next_waiting; /* of the same request */
	uint32_t posting;      /* GASPDB_ABSENT: not read yet */
	int64_t event;	       /* GASPDB_NULL: unknown */
	int64_t completed_ns;  /* GASPDB_NULL: the call has not ended */
	uint64_t flags;
	int64_t peer, tag, bytes, error;
};

struct gaspdb_queue {
	uint32_t first, last;
};

struct gaspdb_request {
	uint64_t serial;
	bool persistent, freed;
	struct gaspdb_posting made; /* persistent: its creation */
	bool has_made;
	/* One of them is empty unless the request is persistent: its next start
	   may be read before the completion of the last one. */
	struct gaspdb_queue postings, completions;
	/* A start and the next completion in one thread's log. They are a pair
	   if that thread makes the next start too. GASPDB_ABSENT: none. */
	struct {
		uint32_t posting, completion;
	} held;
	uint32_t next; /* in the free list */
};

struct gaspdb_requests {
	struct gaspdb_map serials;
	struct gaspdb_request *request;
	struct gaspdb_posting *posting;
	struct gaspdb_completion *completion;
	size_t n_requests, request_capacity;
	size_t n_postings, posting_capacity;
	size_t n_completions, completion_capacity;
	uint32_t free_request, free_posting, free_completion;
};

void gaspdb_requests_init(struct gaspdb_requests *r);
void gaspdb_requests_free(struct gaspdb_requests *r);
/* Forgets all requests, when another process begins. */
void gaspdb_requests_clear(struct gaspdb_requests *r);

/* Index of the request with a serial number; adds it if new. Invalidates
   pointers to requests. */
uint32_t gaspdb_request_get(struct gaspdb_requests *r, uint64_t serial);
/* Frees a request unless it is persistent or something waits in it. */
void gaspdb_request_retire(struct gaspdb_requests *r, uint32_t request);

uint32_t gaspdb_posting_new(struct gaspdb_requests *r,
			    const struct gaspdb_posting *from);
void gaspdb_posting_free(struct gaspdb_requests *r, uint32_t posting);
uint32_t gaspdb_completion_new(struct gaspdb_requests *r);
void gaspdb_completion_free(struct gaspdb_requests *r, uint32_t completion);

/*
 * Queues of postings and of completions. An empty queue returns GASPDB_ABSENT.
 */
void gaspdb_postings_put(struct gaspdb_requests *r, struct gaspdb_queue *q,
			 uint32_t posting);
uint32_t gaspdb_postings_consume(struct gaspdb_requests *r,
				 struct gaspdb_queue *q);
/* Removes the last posting, if it is this thread's. */
uint32_t gaspdb_postings_consume_own(struct gaspdb_requests *r,
				     struct gaspdb_queue *q, int64_t thread);
void gaspdb_completions_put(struct gaspdb_requests *r, struct gaspdb_queue *q,
			    uint32_t completion);
uint32_t gaspdb_completions_consume(struct gaspdb_requests *r,
				    struct gaspdb_queue *q);

#endif
