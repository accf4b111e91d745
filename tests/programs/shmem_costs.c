/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shmem_costs FAULT: one fault, of a size that the program measures by its
 * own clock and prints: `fault: FAULT PE cases N seconds S`.
 *   drain     PE 0 puts to static memory of PE 1, which works on without
 *             calling its runtime: the puts return, and the quiet after them
 *             lasts until PE 1 is back.  S: in the quiets
 *   repeated  PE 1 gets the same two tables of PE 0 again and again.  S: on a
 *             processor in the gets, but for the first two
 *   delivery  PE 1 waits for a word.  A signal keeps it busy while PE 0
 *             writes.  S: from the writing to the end of the waiting
 *   hot       all others get from PE 0 what lies there.  S: in the gets
 */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "work.h"

#define PES    4 /* at most */
#define ROUNDS 8
#define PUTS   4
#define GETS   100
#define AGAIN  300  /* the first two are to memory never used, and take long */
#define WORK   0.05 /* seconds */
#define TABLE  (1 << 24)

static char far[PUTS * 64]; /* static: no other process maps it */
static double cost, costs[PES], wrote[ROUNDS], seen[ROUNDS];
static long cases, all_cases[PES];
static char *table, copy[TABLE];
static long *word;
static int me;

static void rest(double seconds)
{
	const struct timespec t = { 0, (long)(seconds * 1e9) };

	nanosleep(&t, NULL);
}

static void put_and_wait(void)
{
	double start;

	for (int i = 0; i < PUTS; i++)
		shmem_putmem(far + 64 * i, copy, 64, 1); /* FAULT drain */
	start = now();
	shmem_quiet(); /* WAIT drain */
	cost += now() - start;
	cases += PUTS;
}

static void drain(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		shmem_barrier_all();
		if (me == 0)
			rest(WORK / 10);
		if (me == 0)
			put_and_wait();
		else
			work(WORK);
	}
}

/* Seconds that the thread was on a processor. */
static double used(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The gets alone, not what happens on a busy machine between them. */
static void get(char *from, double (*seconds)(void))
{
	cost -= seconds();
	shmem_getmem(copy, from, TABLE, 0); /* FAULT get */
	cost += seconds();
	cases++;
}

static void repeated(void)
{
	if (me != 1)
		return;
	for (int i = 0; i < AGAIN; i++) {
		get(table + i % 2 * 1024, used);
		if (i == 1)
			cost = cases = 0;
	}
}

static void interrupted(int number)
{
	(void)number;
	work(4 * WORK);
}

static void wait_busily(int i)
{
	const struct itimerval soon = { .it_value.tv_usec = 20000 };

	setitimer(ITIMER_REAL, &soon, NULL);
	shmem_long_wait_until(word, SHMEM_CMP_GE, i + 1); /* FAULT delivery */
	seen[i] = now();
}

static void delivery(void)
{
	signal(SIGALRM, interrupted);
	for (int i = 0; i < ROUNDS; i++) {
		shmem_barrier_all();
		if (me == 1) {
			wait_busily(i);
			continue;
		}
		for (int j = 0; j < 100; j++) /* what a put takes as a rule */
			shmem_putmem(table, copy, 8, 1);
		work(WORK);
		wrote[i] = now();
		shmem_long_p(word, i + 1, 1); /* LATE delivery */
		shmem_quiet();
	}
	shmem_barrier_all();
	if (me != 1)
		return;
	shmem_double_get(wrote, wrote, ROUNDS, 0);
	for (int i = 0; i < ROUNDS; i++)
		cost += seen[i] - wrote[i];
	cases = ROUNDS;
}

static void hot(void)
{
	if (me == 0)
		return;
	for (int i = 0; i < GETS; i++)
		get(table + i, used); /* more PEs than processors */
}

static void tell(const char *fault, int pe)
{
	double seconds = 0;
	long n = 0;

	shmem_double_p(&costs[me], cost, 0);
	shmem_long_p(&all_cases[me], cases, 0);
	shmem_barrier_all();
	for (int i = 0; i < PES; i++) {
		seconds += costs[i];
		n += all_cases[i];
	}
	if (me == 0)
		printf("fault: %s %d cases %ld seconds %.6f\n", fault, pe, n,
		       seconds);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
		int pe;
	} faults[] = { { "drain", drain, 0 },
		       { "repeated", repeated, 1 },
		       { "delivery", delivery, 1 },
		       { "hot", hot, 0 } };

	memset(copy, 1, sizeof copy);
	shmem_init();
	me = shmem_my_pe();
	table = shmem_calloc(1, TABLE + GETS);
	word = shmem_calloc(1, sizeof *word);
	for (int i = 0; i < 4; i++)
		if (argc > 1 && strcmp(argv[1], faults[i].name) == 0) {
			faults[i].run();
			shmem_barrier_all(); /* WAIT end */
			tell(faults[i].name, faults[i].pe);
		}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
