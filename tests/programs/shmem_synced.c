/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PE 3 of 4 is LATE for collectives of active sets: of all PEs, and of 1 and 3.
 * Each other member prints by the PEs' clocks how long it was there before PE 3:
 * `waited: PE SET seconds S`.
 */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

#include "work.h"

#define ROUNDS	6
#define LATE_US 60000

enum { ALL, ODD, SETS };

static const char *const names[SETS] = { "all", "odd" };
static double came[SETS][ROUNDS], last[SETS][ROUNDS]; /* last: PE 3's */
static long from[4], to[4 * 4], sync_words[2][SHMEM_SYNC_SIZE];
static long work_words[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static int me;

static void come(int set, int round)
{
	shmem_barrier_all();
	if (me == 3)
		usleep(LATE_US);
	came[set][round] = now();
}

static void run(int round)
{
	long *const sync = sync_words[round % 2];

	come(ALL, round);
	shmem_broadcast64(to, from, 4, 0, 0, 0, 4, sync); /* LATE all */
	come(ODD, round);
	if (me % 2)
		shmem_long_sum_to_all(to, from, 1, /* LATE odd */
				      1, 1, 2, work_words, sync);
}

static void print(int set)
{
	double sum = 0;

	for (int i = 0; i < ROUNDS; i++)
		sum += last[set][i] - came[set][i];
	if (me != 3 && (set == ALL || me % 2))
		printf("waited: %d %s seconds %.6f\n", me, names[set], sum);
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	for (int i = 0; i < 2 * SHMEM_SYNC_SIZE; i++)
		sync_words[i / SHMEM_SYNC_SIZE][i % SHMEM_SYNC_SIZE] =
			SHMEM_SYNC_VALUE;
	for (int i = 0; i < ROUNDS; i++)
		run(i);
	shmem_barrier_all();
	shmem_double_get(&last[0][0], &came[0][0], (size_t)SETS * ROUNDS, 3);
	for (int set = 0; set < SETS; set++)
		print(set);
	shmem_finalize();
	return 0;
}
