/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams of the ends of messages, one per process, each in the order of time.
 * They are read side by side, none far ahead of the others, so that the
 * matching has to keep only messages in flight.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_STREAMS_H
#define GASPDB_ANALYSIS_MESSAGES_STREAMS_H

#include "analysis/engine/run.h"

/* A call that starts or completes an end. */
struct gaspdb_end_call {
	int64_t event, source; /* NONE: not recorded */
	int64_t start_ns, end_ns;
};

/* The time by which a call ended before at_ns, in ns; 0: it did not, or its end
   was not recorded. events: table event. */
int64_t gaspdb_end_call_before(struct gaspdb_table *events,
			       const struct gaspdb_end_call *call,
			       int64_t at_ns);

enum gaspdb_end_kind { GASPDB_SEND, GASPDB_RECEIVE, GASPDB_PROBE };

struct gaspdb_end {
	int64_t at_ns;	      /* enter of the call that starts or posts it */
	int64_t n_unrecorded; /* 0: an end; else it stands for this number of
				 unrecorded messages, GASPDB_LOST: unknown */
	int64_t thread;
	struct gaspdb_end_call post, complete;
	int64_t bytes, limit_bytes; /* NONE: unknown */
	bool error;
	bool uncertain; /* another thread posted at the same time */
	bool inferred;	/* the number of unrecorded messages is inferred */
	bool open;	/* a request that was neither completed nor freed */
};
#define GASPDB_LOST (-1)

/* Keys of a channel: team (NONE: no team), sender, receiver, tag. */
enum { GASPDB_CHANNEL_KEYS = 4 };

/* Was the receive posted by a matched probe? */
bool gaspdb_posted_by_probe(const struct gaspdb_run *run,
			    const struct gaspdb_end *receive);
/* The time by which the receive, or the matched probe that posted it, ended
   before the message was sent; like gaspdb_end_call_before(). */
int64_t gaspdb_received_before_sent(const struct gaspdb_run *run,
				    struct gaspdb_table *events,
				    const struct gaspdb_end *send,
				    const struct gaspdb_end *receive);

/* An end that a stream delivers. */
struct gaspdb_arrival {
	enum gaspdb_end_kind kind; /* PROBE: saw a message; end.post is it */
	int64_t channel[GASPDB_CHANNEL_KEYS];
	struct gaspdb_end end;
	bool alone; /* no other thread of its process posts */
};

/* A send or receive that is excluded from the matching. */
struct gaspdb_excluded_end {
	enum gaspdb_end_kind kind;
	enum {
		GASPDB_CANCELLED,
		GASPDB_NULL_PEER, /* MPI_PROC_NULL */
		GASPDB_WILDCARD,  /* receive with a wildcard, not completed */
		GASPDB_UNKNOWN_CHANNEL /* team, peer or tag not recorded */
	} why;
	int64_t thread, event;
	int64_t complete;     /* event that completed it; NONE */
	int64_t peer;	      /* NONE: any, or unknown */
	int64_t bytes;	      /* NONE: unknown */
	int64_t buffer_bytes; /* if bytes are unknown, the buffer's; NONE */
	bool open;	      /* as in gaspdb_end */
	bool persistent;
};

/* A request that was not completed. freed: the program freed it, so that its
   completion is invisible. */
struct gaspdb_open_request {
	enum gaspdb_end_kind kind;
	int64_t thread, event, bytes, posted_ns;
	bool freed;
};

struct gaspdb_stream_callbacks {
	void *user;
	/* Excluded ends and open requests: per thread in the order of p2p. */
	void (*excluded)(void *user, const struct gaspdb_excluded_end *end);
	void (*open_request)(void *user, const struct gaspdb_open_request *r);
	/* The watermark: no later arrival is earlier than this time. */
	void (*watermark)(void *user, int64_t at_ns);
	void (*arrive)(void *user, const struct gaspdb_arrival *arrival);
};

/* Read all streams to their ends. */
void gaspdb_streams_run(struct gaspdb_run *run,
			const struct gaspdb_stream_callbacks *callbacks);

#endif
