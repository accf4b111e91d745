/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of OpenSHMEM programs, and the same with the advice followed. */
#include <shmem.h>

#include "advice.h"

enum { TIMES = 20, WORDS = 10000, GETS = 1000 };

static long words[WORDS], mine[WORDS], flag;
static long lock;

static void puts_side_by_side(int rank, bool mended)
{
	for (int i = 0; rank == 0 && i < TIMES; i++) {
		for (int k = 0; !mended && k < WORDS; k++)
			shmem_long_p(&words[k], k, 1);
		if (mended)
			shmem_putmem(words, mine, sizeof words, 1);
		shmem_quiet();
	}
	shmem_barrier_all();
}

static void gets_side_by_side(int rank, bool mended)
{
	for (int i = 0; rank == 0 && i < TIMES; i++) {
		for (int k = 0; !mended && k < GETS; k++)
			mine[k] = shmem_long_g(&words[k], 1);
		if (mended)
			shmem_getmem(mine, words, GETS * sizeof *words, 1);
		shmem_quiet();
	}
	shmem_barrier_all();
}

/* Other data is read between, so that it is no polling. */
static void same_block(int rank, bool mended)
{
	static long copy[128];

	for (int i = 0; rank == 0 && i < TIMES; i++) {
		for (int k = 0; k < GETS; k++) {
			if (!mended || k == 0)
				shmem_getmem(copy, words, sizeof copy, 1);
			if (k % 4 == 0)
				mine[k] = shmem_long_g(&words[200 + k], 1);
			mine[k] += copy[k % 128];
		}
		shmem_quiet();
	}
	shmem_barrier_all();
}

/* In no order: the runtime may have several under way. */
static void irregular(int rank, bool mended)
{
	unsigned at = 1;

	for (int i = 0; rank == 0 && i < GETS * TIMES; i++) {
		at = at * 1664525 + 1013904223;
		if (mended)
			shmem_long_get_nbi(&mine[i % WORDS],
					   &words[(at >> 8) % WORDS], 1, 1);
		else
			shmem_long_get(&mine[i % WORDS],
				       &words[(at >> 8) % WORDS], 1, 1);
		if (i % GETS == GETS - 1)
			shmem_quiet();
	}
	shmem_barrier_all();
}

static void own_memory(int rank, bool mended)
{
	for (int i = 0; rank == 0 && i < WORDS * TIMES; i++) {
		if (mended)
			words[i % WORDS]++;
		else
			shmem_long_p(&words[i % WORDS],
				     shmem_long_g(&words[i % WORDS], 0) + 1, 0);
	}
	shmem_barrier_all();
}

/* All accesses to the word are atomics then. */
static void counter(int rank, bool mended)
{
	(void)rank;
	for (int i = 0; i < 20000; i++) {
		if (mended) {
			shmem_long_atomic_add(&words[0], 1, 0);
			continue;
		}
		shmem_set_lock(&lock);
		shmem_long_p(&words[0], shmem_long_g(&words[0], 0) + 1, 0);
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
}

static void short_holds(int rank, bool mended)
{
	const int batch = mended ? 20 : 1;

	(void)rank;
	for (int i = 0; i < 8000 / batch; i++) {
		shmem_set_lock(&lock);
		for (int k = 0; k < batch; k++)
			shmem_long_p(&words[k], shmem_long_g(&words[k], 0) + 1,
				     0);
		shmem_clear_lock(&lock);
	}
	shmem_barrier_all();
}

static void quiet_each(int rank, bool mended)
{
	for (int i = 0; rank == 0 && i < TIMES * WORDS; i++) {
		shmem_long_p(&words[i % WORDS], i, 1);
		if (!mended)
			shmem_quiet();
	}
	shmem_barrier_all();
}

/* Work that does not need the word is done before waiting for it. */
static void polled_word(int rank, bool mended)
{
	for (int i = 1; i <= TIMES; i++) {
		if (rank == 1) {
			work_ms(20);
			shmem_long_p(&flag, i, 1);
		} else {
			if (mended)
				work_ms(15);
			while (shmem_long_g(&flag, 1) < i)
				;
			if (!mended)
				work_ms(15);
		}
		shmem_barrier_all();
	}
}

static void late_signal(int rank, bool mended)
{
	for (int i = 1; i <= TIMES; i++) {
		if (rank == 0)
			shmem_long_wait_until(&flag, SHMEM_CMP_GE, i);
		else if (mended)
			shmem_long_p(&flag, i, 0);
		work_ms(rank == 0 ? 15 : 20);
		if (rank == 1 && !mended)
			shmem_long_p(&flag, i, 0);
		shmem_barrier_all();
	}
}

static void uneven_work(int rank, bool mended)
{
	for (int i = 0; i < TIMES; i++) {
		work_ms(mended ? 20 : rank == 0 ? 35 : 5);
		shmem_barrier_all();
	}
}

static const struct pair pairs[] = {
	{ "puts_side_by_side", "fine-grained put", "one shmem_putmem",
	  puts_side_by_side },
	{ "gets_side_by_side", "fine-grained get", "one shmem_getmem",
	  gets_side_by_side },
	{ "irregular", "fine-grained get", "shmem_get_nbi and one shmem_quiet",
	  irregular },
	{ "same_block", "repeated get", "keep a copy", same_block },
	{ "own_memory", "local access", "use the address itself", own_memory },
	{ "counter", "lock", "atomics only", counter },
	{ "short_holds", "lock", "20 updates for each time that it is taken",
	  short_holds },
	{ "quiet_each", "drain", "one quiet for all puts", quiet_each },
	{ "polled_word", "polling", "other work before waiting", polled_word },
	{ "late_signal", "late signal", "write the word before the work",
	  late_signal },
	{ "uneven_shmem", "barrier", "an equal share of the work for each",
	  uneven_work },
	{ NULL, NULL, NULL, NULL }
};

int main(int argc, char **argv)
{
	const struct pair *pair;
	double start;
	int rank;

	if (argc != 3)
		return list_pairs(pairs);
	pair = find_pair(pairs, argv[1]);
	if (!pair)
		return 2;
	shmem_init();
	rank = shmem_my_pe();
	shmem_barrier_all();
	start = now();
	pair->run(rank, strcmp(argv[2], "mended") == 0);
	start = now() - start;
	if (rank == 0)
		printf("%.4f\n", start);
	shmem_finalize();
	return 0;
}
