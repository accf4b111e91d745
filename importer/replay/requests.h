/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests of the process being read: what was posted and waits for its
 * completion, and completions that wait for their post, which another thread
 * made whose log comes later.  p2p.c makes rows of them.
 */
#ifndef GASPDB_IMPORTER_REPLAY_REQUESTS_H
#define GASPDB_IMPORTER_REPLAY_REQUESTS_H

#include "common/map.h"
#include "sql/store/store.h"

enum gaspdb_posted {
	GASPDB_POSTED_SEND,
	GASPDB_POSTED_RECEIVE,
	GASPDB_POSTED_NO_MESSAGE,
	GASPDB_POSTED_OTHER,  /* no row comes of it */
	GASPDB_POSTED_UNKNOWN /* started; its creation was not read yet */
};

/* A send, a receive, or another operation that a request stands for. */
struct gaspdb_posting {
	uint32_t next; /* in a queue, or of the unused */
	uint32_t prev; /* in a queue */
	enum gaspdb_posted kind;
	bool null; /* to or from MPI_PROC_NULL */
	struct {
		int64_t thread, event;
		uint32_t source, path;
		bool nested;
	} moves;    /* the event on which a receive's bytes stand; that of
		       a message which a probe matched is another than
		       event */
	int64_t id; /* p2p.id */
	int64_t thread, event, posted_ns, number;
	int64_t request; /* GASPDB_NULL: blocking */
	int64_t made;	 /* event that made a persistent one; GASPDB_NULL */
	int64_t team, peer, tag, bytes, posted_peer, posted_tag, limit;
	int64_t rank;	   /* sends: of the peer */
	uint64_t message;  /* whose probe was not read yet; 0: none */
	uint32_t received; /* its completion; GASPDB_ABSENT: none yet */
};

struct gaspdb_completion {
	uint32_t next;	       /* of the same call */
	uint32_t next_waiting; /* of the same request */
	uint32_t posting;      /* GASPDB_ABSENT: not read yet */
	int64_t event;	       /* GASPDB_NULL: not known */
	int64_t completed_ns;  /* GASPDB_NULL: the call has not ended yet */
	uint64_t flags;
	int64_t peer, tag, bytes, error;
};

struct gaspdb_queue {
	uint32_t first, last;
};

struct gaspdb_request {
	uint64_t serial;
	bool persistent, freed;
	struct gaspdb_posting made; /* persistent: how it was created */
	bool has_made;
	/* One of them is empty, unless it is persistent: the next start may
	   come before what completes the one before was read. */
	struct gaspdb_queue postings, completions;
	/* A start and the completion after it, of one thread: they belong
	   together if that thread makes the next start.  GASPDB_ABSENT: none */
	struct {
		uint32_t posting, completion;
	} held;
	uint32_t next; /* of the unused */
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
/* Forget all: another process begins. */
void gaspdb_requests_clear(struct gaspdb_requests *r);

/* The request of a serial number, made if need be; its index.  Pointers to
   others do not survive it. */
uint32_t gaspdb_request_get(struct gaspdb_requests *r, uint64_t serial);
/* It is over, unless it is persistent or something waits. */
void gaspdb_request_retire(struct gaspdb_requests *r, uint32_t request);

uint32_t gaspdb_posting_new(struct gaspdb_requests *r,
			    const struct gaspdb_posting *from);
void gaspdb_posting_free(struct gaspdb_requests *r, uint32_t posting);
uint32_t gaspdb_completion_new(struct gaspdb_requests *r);
void gaspdb_completion_free(struct gaspdb_requests *r, uint32_t completion);

/* Queues: of postings, and of completions.  Taking from an empty one gives
   GASPDB_ABSENT. */
void gaspdb_postings_put(struct gaspdb_requests *r, struct gaspdb_queue *q,
			 uint32_t posting);
uint32_t gaspdb_postings_consume(struct gaspdb_requests *r,
				 struct gaspdb_queue *q);
/* The last that was put, if a thread did that. */
uint32_t gaspdb_postings_consume_own(struct gaspdb_requests *r,
				     struct gaspdb_queue *q, int64_t thread);
void gaspdb_completions_put(struct gaspdb_requests *r, struct gaspdb_queue *q,
			    uint32_t completion);
uint32_t gaspdb_completions_consume(struct gaspdb_requests *r,
				    struct gaspdb_queue *q);

#endif
