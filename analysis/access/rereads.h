/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells remote reads that need not have been: polling, at least eight gets
 * of the same remote word, with no other remote access of the thread
 * between, all but the last; and repeated reads, of what the thread has read
 * since its last synchronization and has not written since.  What polls counts
 * as no repeated read.
 *
 * Accesses pass through: they come out in the order in which they went in, but
 * later, when it is known what they are.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_REREADS_H
#define GASPDB_ANALYSIS_ACCESS_REREADS_H

#include "analysis/rows/groups.h"
#include "analysis/signals/byte_ranges.h"

struct gaspdb_access {
	int64_t event, source, thread, peer, object; /* object: or NONE */
	int64_t bytes, duration_ns;
	bool is_pointer; /* object is bits of a pointer: the same word has the
			    same, no more is known */
	bool is_atomic;
	/* Where it is, in its owner's memory: the object, or a pointer's words,
	   one of which is or has an address. */
	bool placed;
	int64_t place[2];
};

enum gaspdb_reread { GASPDB_READ_NEW, GASPDB_READ_POLLED, GASPDB_READ_AGAIN };

struct gaspdb_rereads_out {
	/* A blocking get, fetch or put of remote memory. */
	void (*access)(void *user, const struct gaspdb_access *access,
		       enum gaspdb_reread what);
	void (*separate)(void *user);
	void *user;
};

enum {
	GASPDB_POLLS_MIN = 8,	   /* gets of a series */
	GASPDB_REREADS_MAX = 4096, /* words remembered between two
				      synchronizations */
	GASPDB_WRITES_MAX = 64	   /* and writes */
};

struct gaspdb_rereads {
	struct gaspdb_run *run;
	struct gaspdb_rereads_out out;
	/* The series of gets that goes on: those that may yet be polling, or
	   the last of them. */
	struct gaspdb_held {
		struct gaspdb_access access;
		bool again, separated; /* separate() came before it */
	} held[GASPDB_POLLS_MIN];
	int n_held;
	int64_t gets;	/* of the series; 0: none */
	bool separated; /* since the last of them */
	/* What was read, by address; a row of another period is free. */
	struct gaspdb_read {
		int64_t peer, object, bytes, period, writes;
	} * reads;
	int64_t period, n_reads;
	struct gaspdb_written {
		int64_t peer;
		struct gaspdb_byte_ranges to; /* first NONE: anywhere */
	} written[GASPDB_WRITES_MAX];	    /* the last of them, in turn */
	int64_t writes;
	struct gaspdb_groups polling, again; /* source, peer; of a thread */
	sqlite3_stmt *insert_polling, *insert_again;
};

void gaspdb_rereads_open(struct gaspdb_rereads *r, struct gaspdb_run *run,
			 struct gaspdb_rereads_out out);
/* A blocking get of remote memory, or an atomic that only fetches. */
void gaspdb_rereads_get(struct gaspdb_rereads *r,
			const struct gaspdb_access *access);
/* A blocking put; blocking = false: another remote access, which does not come
   out.  to: what it may have changed (first NONE: not known); NULL: nothing. */
void gaspdb_rereads_other(struct gaspdb_rereads *r,
			  const struct gaspdb_access *access, bool blocking,
			  const struct gaspdb_byte_ranges *to);
/* What the access before may have changed besides. */
void gaspdb_rereads_wrote(struct gaspdb_rereads *r, int64_t peer,
			  const struct gaspdb_byte_ranges *to);
/* The thread synchronized: what it read before may have changed. */
void gaspdb_rereads_separate(struct gaspdb_rereads *r);
/* That, or another access: nobody knows. */
void gaspdb_rereads_interrupt(struct gaspdb_rereads *r);
/* What it read before may have changed, that is all: a strict access. */
void gaspdb_rereads_forget(struct gaspdb_rereads *r);
/* The thread's events are over: rows are written. */
void gaspdb_rereads_end(struct gaspdb_rereads *r, int64_t thread);
void gaspdb_rereads_close(struct gaspdb_rereads *r);

#endif
