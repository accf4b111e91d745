/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The collector's clock: ticks, cheap to read and the same for all threads of a
 * host.  The time stamp counter where the kernel trusts it, else
 * CLOCK_MONOTONIC.
 */
#ifndef GASPDB_COLLECTOR_BASE_CLOCK_H
#define GASPDB_COLLECTOR_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "collector/base/compiler.h"
#include "collector/log/log_format.h"

extern enum gaspdb_clock gaspdb_clock_kind GASPDB_HIDDEN;

/* Clocks read at one moment; all in ns except ticks. */
struct gaspdb_clock_sample {
	uint64_t ticks;
	int64_t monotonic_ns, realtime_ns;
	uint32_t uncertainty_ns;
};

/* Chooses the clock. Once per process, before any reading. */
void gaspdb_clock_init(void);

struct gaspdb_clock_sample gaspdb_clock_sample(void);

/* The sample that gaspdb_clock_init took: earlier than any event. */
const struct gaspdb_clock_sample *gaspdb_clock_first(void);

/* Ticks per second, measured since gaspdb_clock_init; spins for up to a
   millisecond. */
uint64_t gaspdb_clock_hz(void);

static inline int64_t gaspdb_clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The ticks, or 0 if they need a call. */
static inline uint64_t gaspdb_clock_quick(void)
{
#if defined(__x86_64__)
	if (gaspdb_clock_kind == GASPDB_CLOCK_TSC)
		return __builtin_ia32_rdtsc(); /* x86intrin.h has 50,000 lines */
#endif
	return 0;
}

static inline uint64_t gaspdb_clock_ticks(void)
{
	const uint64_t ticks = gaspdb_clock_quick();

	return ticks ? ticks : (uint64_t)gaspdb_clock_ns(CLOCK_MONOTONIC);
}

#endif
