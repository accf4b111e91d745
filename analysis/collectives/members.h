/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What threads did in collective operations: added thread by thread, read
 * instance by instance.
 */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_MEMBERS_H
#define GASPDB_ANALYSIS_COLLECTIVES_MEMBERS_H

#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

/* What one thread did in one instance.  NONE: not known.  What differs from one
   call to the next of many programs comes first. */
struct gaspdb_member {
	int64_t sequence;
	int64_t event, source; /* the call that it arrived by */
	int64_t enter_ns;      /* NONE: of a second half without a first */
	int64_t wait_event;    /* the call in which it waits: the same, the
				  second half of a split phase, the call that
				  completes a request */
	int64_t wait_enter_ns;
	int64_t leave_ns;	 /* of wait_event; NONE if it did not */
	int64_t notify_leave_ns; /* split phase: of the first half */
	int64_t bytes, bytes_received;
	int64_t others;	     /* how often the thread had communicated when it
				arrived, and had not been recorded; NONE: of
				its calls some are masked */
	int64_t others_done; /* ... when it entered wait_event */
	int64_t team, thread;
	int64_t open_until_ns; /* it never left: its thread's last moment */
	int64_t root;	       /* world rank */
	int64_t name;	       /* of a named barrier, else NONE */
	int64_t completed;     /* 1: in a call that neither waits nor polls */
	int64_t polled;	       /* 1: in a test */
	int64_t sync;	       /* UPC: an enum gaspdb_upc_sync */
	int64_t parts;	       /* UPC, where not every thread need have a part:
				  how many have one, the first of them the one that
				  `first` names; else NONE */
	int64_t first;
	int64_t does; /* of a start: an enum gaspdb_does; NONE: not told */
};

struct gaspdb_member_chunk;
struct gaspdb_member_buffer;

struct gaspdb_members {
	struct gaspdb_run *run;
	struct gaspdb_spool *spool;
	struct gaspdb_sorter chunks;   /* team, sequence, thread, event of its
					  first: offset, bytes */
	size_t chunk_bytes, n_buffers; /* at most */
	/* while they are added: those of one thread */
	int64_t thread, team;	    /* that of `last` */
	struct gaspdb_groups teams; /* team: its buffer's number + 1 */
	struct gaspdb_member_buffer *last, *buffers;
	/* while they are read */
	bool reading;
	const int64_t *next; /* chunk to open; NULL: there is none */
	struct gaspdb_member_chunk **open; /* a heap */
	size_t n_open, open_room;
};

void gaspdb_members_init(struct gaspdb_members *members,
			 struct gaspdb_run *run);
/* The members of a thread follow each other. */
void gaspdb_members_add(struct gaspdb_members *members,
			const struct gaspdb_member *member);
/*
 * By team, sequence, thread, event; borrowed until the next call, NULL at the
 * end.  No more can be added after the first.
 */
const struct gaspdb_member *gaspdb_members_next(struct gaspdb_members *members);
void gaspdb_members_fini(struct gaspdb_members *members);

#endif
