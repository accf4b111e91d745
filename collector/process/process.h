/* SPDX-License-Identifier: BSD-2-Clause */
/* State of the process that all its contexts share, and its lock. */
#ifndef GASPDB_COLLECTOR_PROCESS_PROCESS_H
#define GASPDB_COLLECTOR_PROCESS_PROCESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/base/stderr_line.h"
#include "collector/base/undisturbed.h"
#include "collector/process/run_dir.h"

/* The importer reads no more of them. */
#define GASPDB_PROCESS_SEGMENTS_MAX 1024

struct gaspdb_context;

struct gaspdb_segment_info {
	const char *kind;
	char name[256];
	uintptr_t base;
	uint64_t bytes;
};

struct gaspdb_process {
	pthread_mutex_t lock; /* of all below; never taken per event */
	struct gaspdb_disturbance before; /* of the lock's holder */
	pid_t pid;	   /* a forked child is another process */
	pid_t forked_from; /* a recorded process; 0: none */
	uint32_t program;  /* programs that this process recorded before it
			      executed this one */
	bool failed;	   /* no run directory: nothing is recorded */
	bool complained;
	bool nested;		 /* record the runtime's own calls too */
	unsigned stack_depth;	 /* frames of a call stack; 0: none */
	bool preloaded;		 /* handover.h */
	uint64_t max_log_bytes;	 /* 0: no limit */
	uint64_t max_run_bytes;	 /* 0: no limit */
	uint64_t min_free_bytes; /* of the run's file system */
	atomic_uint_least64_t log_bytes; /* of all its logs */
	atomic_bool closed;
	struct gaspdb_run_dir dir;
	uint64_t ticks_hz;
	char host[256];
	uint32_t n_contexts;
	struct gaspdb_context *contexts, *spare; /* spare: of ended threads */
	/* Facts for every log; generation counts their changes. */
	atomic_uint generation;
	char model[32], runtime[256];
	int rank, ranks; /* -1: not known yet */
	struct gaspdb_segment_info segments[GASPDB_PROCESS_SEGMENTS_MAX];
	uint32_t n_segments, segments_left_out;
	void (*resume[4])(struct gaspdb_context *c);
	unsigned n_resume;
};

extern struct gaspdb_process gaspdb_process;

/*
 * Pages that a forked child finds zero.  false: the kernel (before 4.14) or a
 * sandbox refuses, and the caller registers a fork handler.  errno is kept.
 */
bool gaspdb_wipe_on_fork(void *pages, size_t bytes);

/*
 * The process's lock.  In a forked child, taking it first makes the child a
 * process of its own.  The holder is neither cancelled nor interrupted by a
 * signal handler, which might take the lock too.
 */
void gaspdb_process_lock(void);
/* The same at the process's end, after at most 4 s; false: not taken.  In a
   signal handler, the holder may be the interrupted thread. */
bool gaspdb_process_lock_at_end(void);
void gaspdb_process_unlock(void);

/* Chooses the clock, and reads the settings.  Constructor of the library; the
   first event may come from another library's, before it. */
void gaspdb_process_load(void);

/* Finds or makes the run directory; false: nothing can be recorded.  The lock
   is held. */
bool gaspdb_process_start(void);

/* stderr at the program's start, as the preload library saw it. */
void gaspdb_process_stderr(const struct gaspdb_stderr *first);
/* A line on stderr, dropped if stderr is another file than at the start. */
void gaspdb_process_emit(const char *line, size_t n);

#endif
