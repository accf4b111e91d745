/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the measuring programs share: clocks, and medians. */
#ifndef GASPDB_BENCH_CLOCK_H
#define GASPDB_BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

/* Of programs whose functions are recorded. */
#define UNTRACED __attribute__((no_instrument_function))

/* READ_CLOCK(): the cheapest clock there is, what a record is measured by. */
#if defined(__x86_64__)
#include <x86intrin.h>
#define READ_CLOCK() __rdtsc()
#define CLOCK_NAME   "rdtsc"
#else
static inline unsigned long long read_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_sec * 1000000000u +
	       (unsigned long long)t.tv_nsec;
}
#define READ_CLOCK() read_clock()
#define CLOCK_NAME   "clock_gettime"
#endif

/* ns of processor time that the thread has used. */
UNTRACED static inline double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

UNTRACED static inline int compare_numbers(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts them. */
UNTRACED static inline double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof *values, compare_numbers);
	return values[n / 2];
}

#endif
