/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spin series: repeated reads of one word of the thread's own shared memory by
 * one line, without another call of the thread between them; and the writes
 * that may end them.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_SPIN_SERIES_H
#define GASPDB_ANALYSIS_SIGNALS_SPIN_SERIES_H

#include "analysis/engine/scan.h"
#include "analysis/engine/run.h"

/* Minimum reads of a series; fewer suffice if a write ends it. */
enum { GASPDB_SPINS_MIN = 8 };

/* A word of shared memory: owner (first thread of its process; NONE: unknown),
   and both words of a UPC pointer-to-shared, or an object in `low` with a
   `high` that no pointer has. */
struct gaspdb_spin_word {
	int64_t owner, high, low, bytes;
};

struct gaspdb_spin_series {
	struct gaspdb_spin_word word;
	int64_t thread, source, first, last; /* events */
	int64_t start_ns, last_start_ns, end_ns;
	int64_t reads, reads_ns; /* their number, and time */
	bool strict;		 /* all are strict, according to the runtime */
	bool folded;	    /* some events are several reads of one value */
	int64_t last_reads; /* reads of the last event */
};

struct gaspdb_spin_reader {
	struct gaspdb_run *run;
	void (*fn)(void *user, const struct gaspdb_spin_series *series);
	void *user;
	struct gaspdb_event_args arguments;
	unsigned char *roles; /* by argument.id */
	int64_t n_roles;
	unsigned char *kinds;		  /* by source.id */
	struct gaspdb_spin_series series; /* current one; reads 0: none */
	sqlite3_stmt *gaps;		  /* starts, by thread and time */
	int64_t gap_thread, gap_ns;	  /* the next; thread INT64_MAX: none */
};

/* Open a reader; fn receives each series of two or more reads. false: the run
   has no such reads, or a failure. Close it in any case. */
bool gaspdb_spin_reader_open(
	struct gaspdb_spin_reader *reader, struct gaspdb_run *run,
	void (*fn)(void *user, const struct gaspdb_spin_series *series),
	void *user);
/* Process one event; they come in the order of their ids. */
void gaspdb_spin_reader_consume(struct gaspdb_spin_reader *reader,
				const struct gaspdb_event *e);
/* End the current series. */
void gaspdb_spin_reader_finish(struct gaspdb_spin_reader *reader);
/* The words that an event writes, data and signal, as far as known; returns
   their number. */
enum { GASPDB_SPIN_WRITES_MAX = 2 };
int gaspdb_spin_reader_targets(
	struct gaspdb_spin_reader *reader, const struct gaspdb_event *e,
	struct gaspdb_spin_word to[GASPDB_SPIN_WRITES_MAX]);
void gaspdb_spin_reader_close(struct gaspdb_spin_reader *reader);

#endif
