/* SPDX-License-Identifier: BSD-2-Clause */
/* What all contexts of a process share. */
#ifndef GASPDB_COLLECTOR_PROCESS_PROCESS_H
#define GASPDB_COLLECTOR_PROCESS_PROCESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/core/context.h"
#include "collector/process/run_dir.h"
#include "collector/log/stderr_line.h"
#include "collector/core/undisturbed.h"

/* As many as an import looks at. */
#define GASPDB_PROCESS_SEGMENTS_MAX 1024

struct gaspdb_segment_info {
	const char *kind;
	char name[256];
	uintptr_t base;
	uint64_t bytes;
};

struct gaspdb_process {
	pthread_mutex_t lock; /* for all below; never held per event */
	struct gaspdb_disturbance before; /* for who holds it */
	pid_t pid;	   /* a forked child is another process */
	pid_t forked_from; /* a process that was recorded; 0: none */
	uint32_t program;  /* programs that this process recorded before it
			      executed this one */
	bool failed;	   /* no run directory: nothing is recorded */
	bool complained;
	bool nested;		/* record what runtimes do themselves too */
	bool preloaded;		/* handover.h */
	uint64_t max_log_bytes; /* 0: no limit */
	uint64_t max_run_bytes; /* 0: no limit */
	uint64_t kept_free_bytes; /* of the run's file system */
	atomic_uint_least64_t log_bytes; /* that its logs have */
	atomic_bool closed;
	struct gaspdb_run_dir dir;
	uint64_t ticks_hz;
	char host[256];
	uint32_t n_contexts;
	struct gaspdb_context *contexts, *spare; /* spare: of ended threads */
	/* Facts that contexts tell their logs; generation counts changes. */
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
 * A forked child is to find these pages zero: those of a context, or of the
 * process.  errno is kept.
 */
void gaspdb_wipe_on_fork(void *pages, size_t bytes);

/*
 * Take the lock; a forked child becomes a process of its own first.  Whoever
 * holds it is neither cancelled nor interrupted by a handler, which might want
 * the lock too.
 */
void gaspdb_process_lock(void);
void gaspdb_process_unlock(void);

/* Find or make the run directory.  false: nothing can be recorded. */
bool gaspdb_process_start(void);

/* What stderr was when the program began, as the preload library saw it. */
void gaspdb_process_stderr(const struct gaspdb_stderr *first);
/* A line on stderr, if that is still what it was when the program began. */
void gaspdb_process_emit(const char *line, size_t n);

#endif
