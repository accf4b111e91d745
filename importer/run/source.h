/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run: which of an input's logs belong together, what threads it had, and
 * one clock for all.  Every log is looked at before any is read: the headers of
 * its blocks, and its records up to the thread's rank.
 */
#ifndef GASPDB_IMPORTER_RUN_SOURCE_H
#define GASPDB_IMPORTER_RUN_SOURCE_H

#include "importer/input/input.h"
#include "importer/log/reader.h"
#include "importer/quality/quality.h"
#include "importer/run/clock.h"
#include "importer/run/registry.h"

struct gaspdb_log_file {
	const struct gaspdb_input_file *file;
	const char *name; /* the file's */
	uint64_t size;
	struct gaspdb_log_header header;
	uint32_t host, job; /* texts; job 0: not known */
	int64_t team_rank;  /* of a damaged log, as its teams tell it */
	bool host_told;	    /* by a record, not by its name */
	bool has_block;
	struct gaspdb_block first_block; /* that is good */
	int64_t rank, number, ranks;	 /* GASPDB_NULL: not known */
	int64_t process_start;		 /* tells pids apart; likewise */
	int64_t program;       /* of those that the process executed, from 0 */
	bool replaced;	       /* it executed another after this */
	uint32_t program_text; /* META program; 0: not told */
	bool forked, spawned;  /* by another process of the run */
	bool lost;	       /* damage, before its rank */
	/* A number that it tells and cannot be: the key of META, NULL: there is
	   none; the text, where it stands, and what it has to be below. */
	const char *strange;
	uint32_t strange_text;
	uint64_t strange_offset;
	int64_t strange_limit;
	bool has_first;
	uint64_t first_ticks;	/* of the first timed record */
	uint64_t reached_ticks; /* it went on to here at least; 0: not known */
	struct gaspdb_timeline time;
};

struct gaspdb_source_thread {
	int64_t rank, number;	     /* rank GASPDB_NULL: not known */
	struct gaspdb_log_file *log; /* NULL: missing */
	bool new_process; /* other than that of the thread before it */
};

struct gaspdb_source {
	const struct gaspdb_input *input;
	struct gaspdb_log_file *logs; /* readable ones of this run */
	size_t n_logs, log_capacity;
	struct gaspdb_source_thread *threads; /* by id */
	size_t n_threads, thread_capacity;
	int64_t n_ranks;
	uint64_t n_missing;    /* ranks without a log; not all have a thread */
	int64_t *first_thread; /* of each rank */
	struct gaspdb_hosts hosts;
	int64_t zero_ns; /* the run's start, CLOCK_REALTIME */
	uint64_t log_bytes;
	size_t n_files;
	char why_unreadable[200]; /* the first log that is; "": none */
};

/*
 * Look at all logs of the input's chosen run; the input has to stay.  What
 * cannot be used becomes rows in quality.  FAILED: no log can be read.
 */
enum gaspdb_status gaspdb_source_open(struct gaspdb_source *s,
				      const struct gaspdb_input *input,
				      struct gaspdb_registry *registry,
				      struct gaspdb_defects *quality,
				      struct gaspdb_error *err);
void gaspdb_source_close(struct gaspdb_source *s);

/* Open a log for reading, kept as for gaspdb_reader_open(); FAILED also if
   another lies there by now. */
enum gaspdb_status gaspdb_source_read(const struct gaspdb_source *s,
				      const struct gaspdb_log_file *log,
				      struct gaspdb_reader *rd, uint8_t *kept,
				      struct gaspdb_error *err);

/* The row for a thread without a log; rows are about it from then on. */
void gaspdb_source_note_missing(const struct gaspdb_source *s, int64_t thread,
				struct gaspdb_defects *quality);

/* That rank or the next one that has a thread; the number of ranks: none. */
int64_t gaspdb_source_next_rank(const struct gaspdb_source *s, int64_t rank);

/* The first thread of a rank; GASPDB_NULL: there is no such rank. */
static inline int64_t gaspdb_thread_of_rank(const struct gaspdb_source *s,
					    int64_t rank)
{
	return rank >= 0 && rank < s->n_ranks ? s->first_thread[rank]
					      : GASPDB_NULL;
}

#endif
