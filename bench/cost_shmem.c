/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops of cheap calls, of one PE: the median of a call's time, in loops that
 * are too short to lose the processor in.  bench/cost runs it with recording
 * and without.
 */
#include <shmem.h>
#include <stdio.h>

#include "clock.h"

enum { LOOPS = 4000, CALLS = 100, COLD_BYTES = 4 << 20 };

static double times[LOOPS];
static char other[COLD_BYTES];
static long words[8], local[8];

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void put(int n)
{
	for (int i = 0; i < n; i++)
		shmem_long_p(words, i, 0);
}

static void get(int n)
{
	for (int i = 0; i < n; i++)
		shmem_long_get(local, words, 8, 0);
}

static void tell(const char *name, void (*call)(int), int calls, int cold)
{
	for (int loop = 0; loop < LOOPS; loop++) {
		for (int i = 0; cold && i < COLD_BYTES; i += 64)
			other[i]++;
		times[loop] = now_ns();
		call(calls);
		times[loop] = (now_ns() - times[loop]) / calls;
	}
	printf("%s %.1f\n", name, median(times, LOOPS));
}

int main(void)
{
	shmem_init();
	tell("shmem_long_p", put, CALLS, 0);
	tell("shmem_long_get", get, CALLS, 0);
	tell("shmem_long_p_cold", put, 1, 1);
	shmem_finalize();
	return 0;
}
