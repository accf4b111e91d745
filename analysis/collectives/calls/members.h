/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of collective instances, in a file: added thread by thread, read
   instance by instance. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_CALLS_MEMBERS_H
#define GASPDB_ANALYSIS_COLLECTIVES_CALLS_MEMBERS_H

#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

/* One thread in one instance. NONE: unknown. The first fields are those that
   mostly differ from one call to the next. */
struct gaspdb_member {
	int64_t sequence;
	int64_t event, source; /* the call by which it arrives */
	int64_t enter_ns;      /* NONE: a second half without a first */
	int64_t wait_event;    /* the call in which it waits: event, the second
				  half of a split phase, or the call that
				  completes a request */
	int64_t wait_enter_ns;
	int64_t leave_ns;	 /* of wait_event; NONE: it did not leave */
	int64_t notify_leave_ns; /* split phase: of the first half */
	int64_t bytes, bytes_received;
	int64_t others;	     /* the thread's communications and gaps before its
				arrival; NONE: some of its calls are masked */
	int64_t others_done; /* ... before its enter of wait_event */
	int64_t team, thread;
	int64_t open_until_ns; /* if it never left: the end of its log */
	int64_t root;	       /* world rank */
	int64_t name;	       /* of a named barrier, else NONE */
	int64_t completed;     /* 1: completed by a call that neither waits nor
				  polls */
	int64_t polled;	       /* 1: completed by a test */
	int64_t sync;	       /* UPC: enum gaspdb_upc_sync */
	int64_t parts;	       /* UPC: number of threads with data, from thread
				  `first` on; NONE: all */
	int64_t first;
	int64_t does; /* a start: enum gaspdb_does; NONE: not recorded */
};

struct gaspdb_member_chunk;
struct gaspdb_member_buffer;

struct gaspdb_members {
	struct gaspdb_run *run;
	struct gaspdb_spool *spool;
	struct gaspdb_sorter chunks;   /* team, sequence, thread, event of the
					  first member: offset, bytes */
	size_t chunk_bytes, n_buffers; /* limits */
	/* While adding, for one thread: */
	int64_t thread, team;	    /* of `last` */
	struct gaspdb_groups teams; /* team: index of its buffer + 1 */
	struct gaspdb_member_buffer *last, *buffers;
	/* While reading: */
	bool reading;
	const int64_t *next;		   /* next chunk to open; NULL: none */
	struct gaspdb_member_chunk **open; /* heap of open chunks */
	size_t n_open, open_room;
};

void gaspdb_members_init(struct gaspdb_members *members,
			 struct gaspdb_run *run);
/* Add a member; the members of a thread are consecutive. */
void gaspdb_members_add(struct gaspdb_members *members,
			const struct gaspdb_member *member);
/*
 * The next member in the order of team, sequence, thread and event, borrowed
 * until the next call; NULL: the end, or a failure. No members may be added
 * after the first call.
 */
const struct gaspdb_member *gaspdb_members_next(struct gaspdb_members *members);
void gaspdb_members_fini(struct gaspdb_members *members);

#endif
