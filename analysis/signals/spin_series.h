/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series of reads of one word of a thread's own shared memory at one line, with
 * no other call of the thread between, and the writes that may end them.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_SPIN_SERIES_H
#define GASPDB_ANALYSIS_SIGNALS_SPIN_SERIES_H

#include "analysis/engine/scan.h"
#include "analysis/engine/run.h"

enum {
	GASPDB_SPINS_MIN = 8
}; /* reads of a series; fewer, if a write is seen */

/* Shared memory: an owner (the first thread of its process; NONE: not known)
   and the parts of a pointer-to-shared of UPC, or an object, with a `high` that
   no pointer has. */
struct gaspdb_spin_word {
	int64_t owner, high, low, bytes;
};

struct gaspdb_spin_series {
	struct gaspdb_spin_word word;
	int64_t thread, source, first, last; /* events */
	int64_t start_ns, last_start_ns, end_ns;
	int64_t reads, reads_ns; /* how many, and in them */
	bool strict;		 /* all, as the runtime tells */
	bool folded;	    /* some events are several reads of one value */
	int64_t last_reads; /* that the last event is */
};

struct gaspdb_spin_reader {
	struct gaspdb_run *run;
	void (*fn)(void *user, const struct gaspdb_spin_series *series);
	void *user;
	struct gaspdb_event_args arguments;
	unsigned char *roles; /* by argument.id */
	int64_t n_roles;
	unsigned char *kinds;		  /* by source.id: what its calls are */
	struct gaspdb_spin_series series; /* going on; reads 0: none */
	sqlite3_stmt *gaps;		  /* by thread and time */
	int64_t gap_thread, gap_ns;	  /* the next; INT64_MAX: none */
};

/* false: there is nothing to find, or a failure.  Close it in any case. */
bool gaspdb_spin_reader_open(
	struct gaspdb_spin_reader *reader, struct gaspdb_run *run,
	void (*fn)(void *user, const struct gaspdb_spin_series *series),
	void *user);
/* Events in the order of their ids; fn gets series of two reads and more. */
void gaspdb_spin_reader_consume(struct gaspdb_spin_reader *reader,
				const struct gaspdb_event *e);
void gaspdb_spin_reader_finish(struct gaspdb_spin_reader *reader);
/* Is it a write to shared memory, and is it known where?  to: where, of data
   and of a signal; returns how many of these it is. */
enum { GASPDB_SPIN_WRITES_MAX = 2 };
int gaspdb_spin_reader_writes(
	struct gaspdb_spin_reader *reader, const struct gaspdb_event *e,
	struct gaspdb_spin_word to[GASPDB_SPIN_WRITES_MAX]);
void gaspdb_spin_reader_close(struct gaspdb_spin_reader *reader);

#endif
