/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sampling of a thread's time on a processor, and of its time ready to run
 * without one.  A sample is taken with the first event after a gap of up to a
 * millisecond, and at a low rate otherwise: so a longer loss of the processor
 * is found in the interval in which it happened.  It is not taken more often,
 * because system calls are where a thread loses its processor.
 */
#ifndef GASPDB_COLLECTOR_CORE_PROCESSOR_H
#define GASPDB_COLLECTOR_CORE_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_context;

/* A gap between two events: 0.3 ms to 1 ms, shorter than a time slice. */
#define GASPDB_LONG_TICKS (1 << 20)

struct gaspdb_processor {
	uint64_t ticks;	     /* of the last sample; 0: none */
	uint64_t read_ticks; /* of the last reading of switches and delay_ns */
	int64_t switches;    /* voluntary context switches */
	int64_t delay_ns; /* run queue delay, by the kernel; -1: not counted */
	int64_t used_ns;  /* on a processor */
	int64_t unserved_ns; /* ready without one, in total */
	uint64_t emitted_ticks;
};

/* Number of processors: online, and allowed to the calling thread. */
int gaspdb_processors_online(void);
int gaspdb_processors_allowed(void);
/* The allowed processors as "0-3,8"; "" if not known, or too long. */
void gaspdb_processors_list(char *text, size_t size);

/* Takes the first sample of the calling thread's context. */
void gaspdb_processor_begin(struct gaspdb_context *c);

/* Samples the calling thread, and sets c->log.due_ticks.  Returns the ns since
   the last sample that the thread was ready without a processor. */
int64_t gaspdb_processor_sample(struct gaspdb_context *c);

/*
 * Whether a sample is due with an event at ticks. due_ticks UINT64_MAX: never.
 */
bool gaspdb_processor_is_due(const struct gaspdb_context *c, uint64_t ticks);
/* Samples and logs before an event at ticks is written. c is busy. */
void gaspdb_processor_emit(struct gaspdb_context *c, uint64_t ticks);
/* Logs the last interval, unless another thread closes the log. */
void gaspdb_processor_emit_end(struct gaspdb_context *c);

#endif
