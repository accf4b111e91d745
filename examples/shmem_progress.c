/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A map and its reader, on 2 PEs with OpenSHMEM: the reader gets one sheet of
 * the map after the other from the PE that has them, in its static memory, and
 * says when it has it.  At first the owner only waits for that; then it draws
 * on its own before it does.  In the end both go through the same door twice.
 *
 * Two faults of known size are built in.  FAULT marks the line that is one:
 *   no-progress   the runtime gives sheets away only while their owner calls
 *                 it, and it draws: the reader waits in its get
 *   back-to-back  a barrier right after another one
 * The program reads the clock around what they delay, and prints at its end
 * what each cost: the seconds from the start of a get to when the owner called
 * the runtime, of those gets that were over soon after that, within twice what
 * a get takes as a rule (if that is long, too: within a third of the waiting);
 * and how many calls of a barrier began, on both PEs, within 5 us after one had
 * ended that nothing had disturbed.
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define READER 0
#define OWNER  1

#define BEFORE	     32	       /* sheets before the owner draws */
#define SHEETS	     96	       /* all */
#define SIZE	     (1 << 18) /* bytes of a sheet, while the owner draws */
#define LARGE	     (1 << 21) /* of one before, which takes much longer */
#define DRAW_SECONDS 0.04
#define READ_SECONDS 0.002
#define DOORS	     100
#define WALK_SECONDS 1e-4 /* to the door */
#define SOON_SECONDS 5e-6
#define CALM_SECONDS 3e-5 /* a barrier that took longer was disturbed */

/* Symmetric: the same on both PEs */
static char map[LARGE + SHEETS];
static long read_so_far;	       /* the owner's */
static double owner_waits[SHEETS]; /* since when, by the clock */
static double through[DOORS];	       /* the first barrier, by the clock */
static double between[DOORS];	       /* the first and the second one */

static double got_from[SHEETS], got_to[SHEETS]; /* the reader's */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void rest(double seconds)
{
	const struct timespec t = { (time_t)seconds,
				    (long)(fmod(seconds, 1) * 1e9) };

	nanosleep(&t, NULL);
}

/* --- the map -------------------------------------------------------------- */

static void read_sheet(char *sheet, int i)
{
	const size_t bytes = i < BEFORE ? LARGE : SIZE;

	rest(READ_SECONDS); /* the owner waits by now, or draws */
	got_from[i] = now();
	shmem_getmem(sheet, map + i, bytes, OWNER); /* FAULT no-progress */
	got_to[i] = now();
	shmem_long_p(&read_so_far, i + 1, OWNER);
	shmem_quiet();
}

static void own_sheet(int i)
{
	if (i >= BEFORE)
		rest(DRAW_SECONDS);
	owner_waits[i] = now();
	shmem_long_wait_until(&read_so_far, SHMEM_CMP_GE, i + 1);
}

static void read_map(int me)
{
	char *sheet = malloc(LARGE);

	for (int i = 0; sheet && i < SHEETS; i++)
		if (me == READER)
			read_sheet(sheet, i);
		else
			own_sheet(i);
	free(sheet);
}

/* --- the doors ------------------------------------------------------------ */

static void go_through(void)
{
	for (int i = 0; i < DOORS; i++) {
		const double until = now() + WALK_SECONDS;

		while (now() < until)
			;
		through[i] = -now();
		shmem_barrier_all();
		between[i] = -now();
		through[i] -= between[i];
		between[i] += now();
		shmem_barrier_all(); /* FAULT back-to-back */
	}
}

/* --- what it cost --------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median_of_gets(int first, int n)
{
	double seconds[SHEETS];

	for (int i = 0; i < n; i++)
		seconds[i] = got_to[first + i] - got_from[first + i];
	qsort(seconds, (size_t)n, sizeof *seconds, by_size);
	return seconds[(n - 1) / 2];
}

static void tell_map(void)
{
	const double usual = median_of_gets(0, BEFORE);
	const double drawn = median_of_gets(BEFORE, SHEETS - BEFORE);
	double cost = 0;

	for (int i = BEFORE; i < SHEETS; i++) {
		const double waited = owner_waits[i] - got_from[i];
		const double most = drawn < 2 * usual ? waited / 3 : 2 * usual;

		if (waited > 0 && got_to[i] - owner_waits[i] < most)
			cost += fmin(waited, got_to[i] - got_from[i]);
	}
	printf("fault: no-progress %d seconds %.6f\n", OWNER, cost);
}

static int is_soon(int i, const double *first, const double *second)
{
	return first[i] < CALM_SECONDS && second[i] < SOON_SECONDS;
}

static void tell_doors(void)
{
	double others_through[DOORS], others_between[DOORS];
	int calls = 0;

	shmem_double_get(others_through, through, DOORS, OWNER);
	shmem_double_get(others_between, between, DOORS, OWNER);
	for (int i = 0; i < DOORS; i++)
		if (is_soon(i, through, between) &&
		    is_soon(i, others_through, others_between))
			calls += 2;
	printf("fault: back-to-back calls %d\n", calls);
}

int main(void)
{
	int me;

	shmem_init();
	me = shmem_my_pe();
	if (shmem_n_pes() != 2) {
		if (me == 0)
			fprintf(stderr, "shmem_progress: run it on 2 PEs\n");
		shmem_finalize();
		return 1;
	}
	shmem_barrier_all();
	read_map(me);
	shmem_barrier_all();
	go_through();
	if (me == READER) {
		shmem_double_get(owner_waits, owner_waits, SHEETS, OWNER);
		tell_map();
		tell_doors();
	}
	shmem_barrier_all();
	shmem_finalize();
	return 0;
}
