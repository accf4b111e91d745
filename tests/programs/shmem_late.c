/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads of PE 1 wait each for a word of its own, which the thread of PE 0
 * with that number changes: by a put, or an atomic on a context of its own.
 * Thread 2 is LATE, thread 1 a fifth of that.  Prints by their clocks how long
 * was waited for thread 2: `fault: FAULT 2 cases ROUNDS seconds S`.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

#include "work.h"

#define THREADS 3
#define ROUNDS	3
#define LATE_US 50000

static int me, numbers[THREADS];
static long *words;
static double *came; /* PUT's and ATOMIC's rounds of thread 2 */
static pthread_barrier_t all, begun;

enum { PUT, ATOMIC, FAULTS };

static void be_late(int fault, int k, int i)
{
	if (me == 0 && k > 0)
		usleep(k == 2 ? LATE_US : LATE_US / 5);
	if (k == 2)
		came[fault * ROUNDS + i] = now();
}

static void wait_for(int k, long value)
{
	shmem_long_wait_until(&words[k], SHMEM_CMP_GE, value);
}

static void put(int k, int i, shmem_ctx_t ctx)
{
	(void)ctx;
	be_late(PUT, k, i);
	if (me == 0)
		shmem_long_p(&words[k], i + 1, 1); /* LATE put */
	else
		wait_for(k, i + 1);
}

static void atomic(int k, int i, shmem_ctx_t ctx)
{
	be_late(ATOMIC, k, i);
	if (me == 0)
		shmem_ctx_long_atomic_inc(ctx, &words[k], 1); /* LATE atomic */
	else
		wait_for(k, ROUNDS + i + 1);
}

static void rounds(int k, void (*fault)(int k, int i, shmem_ctx_t ctx),
		   shmem_ctx_t ctx)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (k == 0)
			shmem_barrier_all();
		pthread_barrier_wait(&all);
		fault(k, i, ctx);
		shmem_ctx_quiet(ctx);
		shmem_quiet();
		pthread_barrier_wait(&all);
	}
}

static void *run(void *number)
{
	const int k = *(int *)number;
	shmem_ctx_t ctx;

	if (shmem_ctx_create(0, &ctx))
		shmem_global_exit(3);
	if (k > 0)
		pthread_barrier_wait(&begun);
	rounds(k, put, ctx);
	rounds(k, atomic, ctx);
	shmem_ctx_destroy(ctx);
	return NULL;
}

static void tell(const char *name, int fault)
{
	double began[ROUNDS], seconds = 0;

	shmem_getmem(began, &came[fault * ROUNDS], sizeof began, 1);
	for (int i = 0; i < ROUNDS; i++)
		seconds += came[fault * ROUNDS + i] - began[i];
	printf("fault: %s 2 cases %d seconds %.6f\n", name, ROUNDS, seconds);
}

int main(void)
{
	pthread_t thread[THREADS];
	int level;

	if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) ||
	    level != SHMEM_THREAD_MULTIPLE)
		return 2;
	me = shmem_my_pe();
	words = shmem_calloc(THREADS, sizeof *words);
	came = shmem_calloc(FAULTS * ROUNDS, sizeof *came);
	pthread_barrier_init(&all, NULL, THREADS);
	pthread_barrier_init(&begun, NULL, 2);
	for (int k = 1; k < THREADS; k++) {
		numbers[k] = k;
		pthread_create(&thread[k], NULL, run, &numbers[k]);
		pthread_barrier_wait(&begun);
	}
	run(&numbers[0]);
	for (int k = 1; k < THREADS; k++)
		pthread_join(thread[k], NULL);
	shmem_barrier_all();
	if (me == 0) {
		tell("put", PUT);
		tell("atomic", ATOMIC);
	}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
