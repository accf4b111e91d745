/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three threads a PE: thread k of them puts 10 k times 8 bytes to the next PE,
 * on a context of its own; its last put of all is to its own PE.
 */
#include <pthread.h>
#include <shmem.h>

#define THREADS 3

static long words[THREADS];

static void *work(void *arg)
{
	const long k = (long *)arg - words;
	const int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
	shmem_ctx_t ctx;

	if (shmem_ctx_create(0, &ctx))
		return arg;
	for (int i = 0; i < 10 * k; i++)
		shmem_ctx_long_p(ctx, &words[k], i, right);
	shmem_ctx_quiet(ctx);
	shmem_ctx_destroy(ctx);
	shmem_long_p(&words[k], k, me);
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	void *failed;
	int level, failures = 0;

	if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level) ||
	    level != SHMEM_THREAD_MULTIPLE)
		return 2;
	shmem_barrier_all();
	for (int k = 1; k < THREADS; k++)
		pthread_create(&thread[k], NULL, work, &words[k]);
	failures += work(&words[0]) != NULL;
	for (int k = 1; k < THREADS; k++) {
		pthread_join(thread[k], &failed);
		failures += failed != NULL;
	}
	shmem_barrier_all();
	shmem_finalize();
	return failures;
}
