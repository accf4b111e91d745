/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting of OpenSHMEM whose cause is easily mistaken, on 4 PEs; each case is
 * ROUNDS times, LATE each.  PE 1 prints how long it was in the calls of a case
 * that has `seconds`, by its own clock: `fault: CASE CAUSE seconds S`.
 *   collect  PE 3 is late, and has nothing to give to shmem_collect
 *   set      the first broadcast of an active set: its root, PE 1, stays until
 *            PE 3 comes, who is late; how long the other ones took is `again`
 *   store    PE 1 waits for 2: PE 0 puts 1 early, PE 2 stores 2 by a pointer
 *   test     PE 1 looks again and again, and sleeps between, for PE 0's put
 *   fetch    the same by fetches of its own word, without sleep
 * and, without seconds,
 *   needed   barriers around a plain store
 *   context  puts on a context that is never destroyed
 */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

#include "work.h"

#define ROUNDS	3
#define LATE_US 40000

static int me;
static long *words;
static long work_words[ROUNDS][SHMEM_COLLECT_SYNC_SIZE];
static long sync_words[ROUNDS][SHMEM_BCAST_SYNC_SIZE];
static long from[100], to[400]; /* symmetric */

/* By the clock: when a PE began to wait, or the late one came. */
enum { COLLECT, SET, CASES };
static double since[CASES][ROUNDS], came[CASES][ROUNDS];

static void tell(const char *name, int cause, double seconds)
{
	if (me == 1)
		printf("fault: %s %d seconds %.6f\n", name, cause, seconds);
}

/* What PE 1 waited for the late one in those rounds. */
static void tell_waited(const char *name, int which, int late, int rounds)
{
	double seconds = 0;

	if (me != 1)
		return;
	shmem_double_get(came[which], came[which], ROUNDS, late);
	for (int i = 0; i < rounds; i++)
		if (came[which][i] > since[which][i])
			seconds += came[which][i] - since[which][i];
	tell(name, late, seconds);
}

static void be_late(int pe)
{
	if (me == pe)
		usleep(LATE_US);
}

static void collect(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		be_late(3);
		since[COLLECT][i] = came[COLLECT][i] = now();
		shmem_collect64(to, from, me == 3 ? 0 : 100, 0, 0, 4, work_words[i]); /* collect */
	}
}

static void set(void)
{
	double took[ROUNDS] = { 0 };

	for (int i = 0; i < ROUNDS; i++) {
		be_late(3);
		since[SET][i] = came[SET][i] = took[i] = now();
		if (me % 2)
			shmem_broadcast64(to, from, 10, 0, 1, 1, 2, sync_words[i]); /* set */
		took[i] = now() - took[i];
		shmem_barrier_all();
	}
	tell("again", 3, took[1] + took[2]);
}

static void store(void)
{
	long *word = words, *theirs = shmem_ptr(words, 1);
	double lost = 0, begun;

	for (int i = 1; i <= ROUNDS; i++) {
		shmem_barrier_all();
		if (me == 0) {
			usleep(LATE_US / 8);
			shmem_long_p(word, 2 * i - 1, 1);
			shmem_quiet();
		}
		be_late(2);
		if (me == 2)
			*(volatile long *)theirs = 2 * i;
		begun = now();
		if (me == 1)
			shmem_long_wait_until(word, SHMEM_CMP_EQ, 2 * i); /* store */
		lost += now() - begun;
	}
	tell("store", -1, lost);
}

static void test(void)
{
	double lost = 0, begun;

	for (int i = 1; i <= ROUNDS; i++) {
		shmem_barrier_all();
		be_late(0);
		begun = now();
		if (me == 0)
			shmem_long_p(words + 1, i, 1); /* LATE test */
		while (me == 1 && !shmem_long_test(words + 1, SHMEM_CMP_EQ, i)) /* test */
			usleep(1000);
		lost += now() - begun;
	}
	tell("test", 0, lost);
}

static void fetch(void)
{
	double lost = 0, begun;

	for (int i = 1; i <= ROUNDS; i++) {
		shmem_barrier_all();
		be_late(0);
		begun = now();
		if (me == 0)
			shmem_long_p(words + 2, i, 1); /* LATE fetch */
		while (me == 1 && shmem_long_atomic_fetch(words + 2, 1) != i) /* fetch */
			;
		lost += now() - begun;
	}
	tell("fetch", 0, lost);
}

static void values(void)
{
	shmem_barrier_all();
	if (me != 0)
		return;
	shmem_short_p((short *)(words + 8), -2, 1);					/* value -2 */
	shmem_long_put(words + 8, &(long){ 77 }, 1, 1);					/* value 77 */
	shmem_long_put(words + 8, (long[]){ 1, 2 }, 2, 1);				/* value - */
	shmem_double_p((double *)(words + 8), 1.0, 1);					/* value 4607182418800017408 */
	shmem_long_atomic_set(words + 8, 5, 1);						/* value 5 */
	shmem_long_atomic_inc(words + 8, 1);						/* value - */
	shmem_quiet();
	(void)shmem_long_atomic_fetch_add(words + 8, 4, 1);				/* value 10 */
	(void)shmem_long_atomic_compare_swap(words + 8, 10, 12, 1);			/* value 12 */
	(void)shmem_long_atomic_compare_swap(words + 8, 10, 13, 1);			/* value unchanged */
	(void)shmem_long_atomic_swap(words + 8, 20, 1);					/* value 20 */
	(void)shmem_uint_atomic_fetch_or((unsigned *)(words + 8), 0x80000001u, 1);	/* value 2147483669 */
}

static void needed(void)
{
	for (int i = 0; i < 200; i++) {
		shmem_barrier_all(); /* before */
		words[4] = 0;
		shmem_barrier_all(); /* needed */
		for (int pe = 0; pe < 4; pe++)
			shmem_long_atomic_add(words + 4, 1, pe);
	}
}

static void context(void)
{
	static char source[100];
	shmem_ctx_t ctx;

	if (shmem_ctx_create(0, &ctx) || me != 0)
		return;
	shmem_ctx_putmem_nbi(ctx, words + 16, source, 100, 1); /* context */
	shmem_ctx_putmem(ctx, words + 32, source, 100, 1);     /* context */
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	words = shmem_calloc(64, sizeof *words);
	for (int i = 0; i < ROUNDS; i++) {
		for (int k = 0; k < SHMEM_COLLECT_SYNC_SIZE; k++)
			work_words[i][k] = SHMEM_SYNC_VALUE;
		for (int k = 0; k < SHMEM_BCAST_SYNC_SIZE; k++)
			sync_words[i][k] = SHMEM_SYNC_VALUE;
	}
	shmem_barrier_all();
	collect();
	set();
	store();
	test();
	fetch();
	values();
	needed();
	context();
	tell_waited("collect", COLLECT, 3, ROUNDS);
	tell_waited("set", SET, 3, 1);
	shmem_finalize();
	return 0;
}
