/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ends of messages of all processes: each process's in the order of time,
 * the processes side by side, none far ahead of the others.  So what a matching
 * must remember are messages that are on their way.
 */
#ifndef GASPDB_ANALYSIS_MESSAGES_STREAMS_H
#define GASPDB_ANALYSIS_MESSAGES_STREAMS_H

#include "analysis/engine/run.h"

/* A call that starts or completes an end. */
struct gaspdb_end_call {
	int64_t event, source; /* NONE: not seen */
	int64_t start_ns, end_ns;
};

/* By how much it ended before that time, in ns; 0: it did not, it was not
   seen, or its end was not: one that is open may have gone on.  events: table
   event. */
int64_t gaspdb_end_call_before(struct gaspdb_table *events,
			       const struct gaspdb_end_call *call,
			       int64_t at_ns);

enum gaspdb_end_kind { GASPDB_SEND, GASPDB_RECEIVE, GASPDB_PROBE };

struct gaspdb_end {
	int64_t at_ns; /* enter of the call that starts or posts it */
	int64_t count; /* 0: an end; else so many that passed while nothing was
			  recorded; GASPDB_LOST: nobody knows how many */
	int64_t thread;
	struct gaspdb_end_call post, complete;
	int64_t bytes, limit_bytes; /* NONE: not known */
	bool error;
	bool uncertain; /* another thread posted at the same time */
	bool guessed;	/* the count is what must have been */
	bool open;	/* a request that nothing completed, nor freed */
};
#define GASPDB_LOST (-1)

/* Team, sender, receiver, tag; no team: NONE. */
enum { GASPDB_CHANNEL_KEYS = 4 };

/* A matched probe posts its receive. */
bool gaspdb_posted_by_probe(const struct gaspdb_run *run,
			    const struct gaspdb_end *receive);
/* By how much the calls that had the message, or saw it, ended before it was
   sent; as gaspdb_end_call_before(). */
int64_t gaspdb_received_before_sent(const struct gaspdb_run *run,
				    struct gaspdb_table *events,
				    const struct gaspdb_end *send,
				    const struct gaspdb_end *receive);

struct gaspdb_arrival {
	enum gaspdb_end_kind kind; /* a probe that saw a message: that is
				      its post */
	int64_t channel[GASPDB_CHANNEL_KEYS];
	struct gaspdb_end end;
	bool alone; /* its process has no other thread that posts */
};

/* A send or receive that takes no part: cancelled, to or from nobody, from
   anyone and never completed, or the log does not tell on which team, with
   which peer or tag. */
struct gaspdb_left_out {
	enum gaspdb_end_kind kind;
	enum {
		GASPDB_CANCELLED,
		GASPDB_NOBODY,
		GASPDB_ANYONE,
		GASPDB_UNKNOWN_CHANNEL
	} why;
	int64_t thread, event;
	int64_t complete;	/* event that completed it; NONE */
	int64_t peer;		/* NONE: anyone, or not known */
	int64_t bytes;		/* NONE: not known */
	int64_t bytes_at_stake; /* or those of the buffer */
	bool open;		/* as in gaspdb_end */
	bool restarts;		/* its request is persistent */
};

/* A request that nothing completed; freed: nothing that could be seen. */
struct gaspdb_open_request {
	enum gaspdb_end_kind kind;
	int64_t thread, event, bytes, posted_ns;
	bool freed;
};

struct gaspdb_stream_calls {
	void *user;
	/* Of each thread in the order of p2p. */
	void (*left_out)(void *user, const struct gaspdb_left_out *end);
	void (*open_request)(void *user, const struct gaspdb_open_request *r);
	/* Whatever arrives later has no earlier time than this. */
	void (*all_reached)(void *user, int64_t at_ns);
	void (*arrive)(void *user, const struct gaspdb_arrival *arrival);
};

void gaspdb_streams_run(struct gaspdb_run *run,
			const struct gaspdb_stream_calls *calls);

#endif
