/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs with faults of known size measure them with. */
#ifndef GASPDB_TESTS_WORK_H
#define GASPDB_TESTS_WORK_H

#include <time.h>

/* Seconds. */
static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Outside of any runtime, without giving the processor away. */
static inline void work(double seconds)
{
	for (const double end = now() + seconds; now() < end;)
		;
}

#endif
