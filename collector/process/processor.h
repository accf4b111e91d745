/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The thread's time on a processor, and the time in which it could have run but
 * had none.  Looked at with the first event after a while without any (up to a
 * millisecond), and now and then: so whoever lost a processor for longer lost
 * it in the interval that this event ends.  Not more often, for a system call
 * is where a thread whose time is up loses its processor.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_PROCESSOR_H
#define GASPDB_COLLECTOR_PROCESS_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_context;

/* Between two events: 0.3 ms to 1 ms, shorter than a time slice. */
#define GASPDB_LONG_TICKS (1 << 20)

struct gaspdb_processor {
	uint64_t ticks;	     /* of the last look; 0: there was none */
	uint64_t read_ticks; /* of the last reading of what follows */
	int64_t switches;    /* by the thread's own will, to sleep */
	int64_t delay_ns;    /* the kernel's count; -1: it has none */
	int64_t used_ns;     /* on a processor */
	int64_t unserved_ns; /* without one, in all */
	uint64_t told_ticks;
};

/* Processors that are online; those that the calling thread may use. */
int gaspdb_processors_online(void);
int gaspdb_processors_allowed(void);
/* These as "0-3,8"; "" where they cannot be told, or are too many parts. */
void gaspdb_processors_list(char *text, size_t size);

/* The calling thread's context begins, and its log. */
void gaspdb_processor_begin(struct gaspdb_context *c);

/*
 * Since the last look, so many ns the thread, which calls, could have run but
 * had no processor.  The next one is due at c->log.due_ticks.
 */
int64_t gaspdb_processor_look(struct gaspdb_context *c);

/* With an event at ticks?  Not in the log of which none is due, ever. */
bool gaspdb_processor_is_due(const struct gaspdb_context *c, uint64_t ticks);
/* An event at ticks is about to be written.  c is busy. */
void gaspdb_processor_emit(struct gaspdb_context *c, uint64_t ticks);
/* The log ends; unless another thread closes it, its last interval is told. */
void gaspdb_processor_emit_end(struct gaspdb_context *c);

#endif
