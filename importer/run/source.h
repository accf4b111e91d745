/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run: the logs of an input that belong together, its threads, and a common
 * clock. Every log is prescanned before any is read: the headers of its blocks,
 * and its records up to the thread's rank.
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
	uint32_t host, job, model; /* texts; job, model 0: unknown */
	int64_t team_rank;  /* of a damaged log, by its TEAM records */
	bool host_known;    /* host is from a record, not the name */
	bool has_block;
	struct gaspdb_block first_block; /* first good one */
	int64_t rank, number, ranks;	 /* GASPDB_NULL: unknown */
	int64_t launcher_rank;		 /* as the launcher says; likewise */
	int64_t process_start; /* distinguishes reused pids; likewise */
	int64_t program;       /* number of the executed program, from 0 */
	bool replaced;	       /* another program was executed later */
	uint32_t program_text; /* META program; 0: not in the log */
	bool forked, spawned;  /* by another process of the run */
	bool lost;	       /* damage, before its rank */
	/* An invalid number in a META record: its key (NULL: none), text,
	   offset, and upper bound. */
	const char *strange;
	uint32_t strange_text;
	uint64_t strange_offset;
	int64_t strange_limit;
	bool has_first;
	uint64_t first_ticks;	/* of the first timed record */
	uint64_t reached_ticks; /* time reached at least; 0: unknown */
	struct gaspdb_timeline time;
};

struct gaspdb_source_thread {
	int64_t rank, number;	     /* rank GASPDB_NULL: unknown */
	struct gaspdb_log_file *log; /* NULL: missing */
	bool new_process; /* another process than the previous thread's */
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
	char why_unreadable[200]; /* first unreadable log; "": none */
};

/* Prescans all logs of the chosen run of an input, which must outlive s.
   Unusable logs become rows of quality. FAILED: no log can be read. */
enum gaspdb_status gaspdb_source_open(struct gaspdb_source *s,
				      const struct gaspdb_input *input,
				      struct gaspdb_registry *registry,
				      struct gaspdb_defects *quality,
				      struct gaspdb_error *err);
void gaspdb_source_close(struct gaspdb_source *s);

/* Opens a log for reading; cache as for gaspdb_reader_open(). FAILED also if
   the file was replaced since the prescan. */
enum gaspdb_status gaspdb_source_read(const struct gaspdb_source *s,
				      const struct gaspdb_log_file *log,
				      struct gaspdb_reader *rd, uint8_t *cache,
				      struct gaspdb_error *err);

/* Reports a thread without a log, and sets quality to that thread. */
void gaspdb_source_note_missing(const struct gaspdb_source *s, int64_t thread,
				struct gaspdb_defects *quality);

/* The rank, or the next one with a thread; the number of ranks: none. */
int64_t gaspdb_source_next_rank(const struct gaspdb_source *s, int64_t rank);

/* The first thread of a rank; GASPDB_NULL: none. */
static inline int64_t gaspdb_thread_of_rank(const struct gaspdb_source *s,
					    int64_t rank)
{
	return rank >= 0 && rank < s->n_ranks ? s->first_thread[rank]
					      : GASPDB_NULL;
}

#endif
