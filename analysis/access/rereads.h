/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifier of redundant remote reads. Polling: at least eight gets of one
 * remote word without another remote access of the thread between them, except
 * the last. Repeated: a read of what the thread has read since its last
 * synchronization and not written since. A polling read is not repeated.
 *
 * Accesses are passed on in their order, with a delay until their class is
 * known.
 */
#ifndef GASPDB_ANALYSIS_ACCESS_REREADS_H
#define GASPDB_ANALYSIS_ACCESS_REREADS_H

#include "analysis/rows/groups.h"
#include "analysis/signals/byte_ranges.h"

struct gaspdb_access {
	int64_t event, source, thread, peer, object; /* object NONE: unknown */
	int64_t bytes, duration_ns;
	bool is_pointer; /* object is the hash of a pointer, equal for the same
			    word only */
	bool is_atomic;
	bool placed;	  /* place is known */
	int64_t place[2]; /* gaspdb_access_place() */
};

enum gaspdb_reread {
	GASPDB_READ_NEW,
	GASPDB_READ_POLLED,
	GASPDB_READ_REPEATED
};

struct gaspdb_rereads_out {
	/* A blocking get, fetch or put of remote memory, with its class. */
	void (*access)(void *user, const struct gaspdb_access *access,
		       enum gaspdb_reread reread);
	/* A synchronization. */
	void (*separate)(void *user);
	void *user;
};

enum {
	GASPDB_POLLS_MIN = 8,	   /* minimum gets of a polling series */
	GASPDB_REREADS_MAX = 4096, /* maximum words in the table of reads */
	GASPDB_WRITES_MAX = 64	   /* size of the ring of writes */
};

struct gaspdb_rereads {
	struct gaspdb_run *run;
	struct gaspdb_rereads_out out;
	/* Gets of the current series whose class is not known: those before it
	   is polling, or the last one. */
	struct gaspdb_pending_access {
		struct gaspdb_access access;
		bool repeated;
		bool separated; /* a synchronization came before it */
	} pending[GASPDB_POLLS_MIN];
	int n_pending;
	int64_t gets;	/* of the series; 0: none */
	bool separated; /* a synchronization came after the last get */
	/* Hash table of reads; rows of another generation are free. */
	struct gaspdb_read {
		int64_t peer, object, bytes, generation, writes;
	} * reads;
	int64_t generation, n_reads;
	struct gaspdb_written {
		int64_t peer;
		struct gaspdb_byte_ranges to; /* first NONE: anywhere */
	} written[GASPDB_WRITES_MAX];	      /* ring buffer of writes */
	int64_t writes;
	struct gaspdb_groups polling, repeated; /* source, peer; of a thread */
	sqlite3_stmt *insert_polling, *insert_repeated;
};

void gaspdb_rereads_open(struct gaspdb_rereads *r, struct gaspdb_run *run,
			 struct gaspdb_rereads_out out);
/* Process a blocking get of remote memory, or an atomic that only fetches. */
void gaspdb_rereads_get(struct gaspdb_rereads *r,
			const struct gaspdb_access *access);
/* Process a blocking put, or another remote access (blocking = false), which is
   not passed on. to: ranges that it may write (first NONE: unknown); NULL:
   none. */
void gaspdb_rereads_other(struct gaspdb_rereads *r,
			  const struct gaspdb_access *access, bool blocking,
			  const struct gaspdb_byte_ranges *to);
/* Add another range that the last access may have written. */
void gaspdb_rereads_write(struct gaspdb_rereads *r, int64_t peer,
			  const struct gaspdb_byte_ranges *to);
/* Process a synchronization of the thread: earlier reads may have changed. */
void gaspdb_rereads_separate(struct gaspdb_rereads *r);
/* Process a gap, which may hide a synchronization or an access. */
void gaspdb_rereads_interrupt(struct gaspdb_rereads *r);
/* Process a strict access: earlier reads may have changed, but it ends no
   group. */
void gaspdb_rereads_forget(struct gaspdb_rereads *r);
/* Write the rows of a thread, after its events. */
void gaspdb_rereads_end(struct gaspdb_rereads *r, int64_t thread);
void gaspdb_rereads_close(struct gaspdb_rereads *r);

#endif
