/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two threads of each PE reduce at the same time: one over all 4 PEs, and in
 * PEs 1 and 3 the other over these: shmem_synced_threads ROUNDS.  Exit status
 * 1: a wrong sum; 77: OpenSHMEM has no such threads.
 */
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>

static long from = 1, to[2];
static long work_words[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long sync_words[2][2][SHMEM_REDUCE_SYNC_SIZE];
static int me, rounds;
static _Atomic int wrong;

static void *all(void *unused)
{
	for (int i = 0; i < rounds; i++)
		shmem_long_sum_to_all(&to[0], &from, 1, 0, 0, 4, work_words[0],
				      sync_words[0][i % 2]);
	wrong |= to[0] != 4;
	return unused;
}

static void *odd(void *unused)
{
	for (int i = 0; me % 2 && i < rounds; i++)
		shmem_long_sum_to_all(&to[1], &from, 1, 1, 1, 2, work_words[1],
				      sync_words[1][i % 2]);
	wrong |= me % 2 && to[1] != 2;
	return unused;
}

int main(int argc, char **argv)
{
	long *words = &sync_words[0][0][0];
	pthread_t thread;
	int level;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	shmem_init_thread(SHMEM_THREAD_MULTIPLE, &level);
	if (level != SHMEM_THREAD_MULTIPLE)
		return 77;
	me = shmem_my_pe();
	for (int i = 0; i < 4 * SHMEM_REDUCE_SYNC_SIZE; i++)
		words[i] = SHMEM_SYNC_VALUE;
	shmem_barrier_all();
	if (pthread_create(&thread, NULL, odd, NULL))
		shmem_global_exit(3);
	all(NULL);
	pthread_join(thread, NULL);
	shmem_barrier_all();
	shmem_finalize();
	return wrong;
}
