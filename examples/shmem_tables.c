/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Light through a cloud, on 4 PEs with OpenSHMEM: in every step one PE makes a
 * table of how the cloud scatters and hands it to the others, who wait for its
 * signal, and all follow rays with it; then each PE adds up the shadows of its
 * part of the sky; in the end one PE waits for another's result.
 *
 * Three faults of known size are built in.  FAULT marks the line that is one,
 * WAIT the call in which the others wait:
 *   late-signal      the PE that makes the table writes it to a file before it
 *                    tells the others that they have it
 *   unbalanced-work  the parts of the sky are of equal size, but one has most
 *                    of the cloud; the other PEs wait at the step's end
 *   polling          one PE reads a word of another's over and over
 * The program reads the clock around what they delay, and prints at its end
 * what each cost: the seconds that PEs waited; of the polling, how often it
 * read the word.
 *
 * What it computes takes time by the clock, not by the processor's speed, so
 * that the faults have the same size on a busy machine.
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PES    4
#define STEPS  8
#define ANGLES 512

#define TABLE_PE   2
#define CLOUDY_PE  3
#define POLLING_PE 0

#define TABLE_SECONDS 0.005 /* to make a table */
#define FILE_SECONDS  0.12  /* to write it */
#define RAY_SECONDS   0.01  /* to follow a PE's rays, without clouds */
#define CLOUD_FACTOR  8
#define LAST_SECONDS  0.05 /* the last result */

/* Symmetric: the same on all PEs */
static double table[ANGLES];
static long table_step;	       /* that it is for */
static double arrived[STEPS];  /* at the step's end, by the clock */
static double asked[STEPS];    /* for the table, by the clock */
static double told[STEPS][PES];
static long polls;

static long *finished; /* in the symmetric heap: read without its PE's help */

static int me;

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

/* --- the table ------------------------------------------------------------ */

static void scatter(double *to, long step, double seconds)
{
	const double end = now() + seconds, g = 0.85 - 0.01 * (double)step;

	do
		for (int i = 0; i < ANGLES; i++) {
			const double c = cos(M_PI * i / ANGLES);

			to[i] = (1 - g * g) / pow(1 + g * g - 2 * g * c, 1.5);
		}
	while (now() < end);
}

static void make_table(long step)
{
	scatter(table, step, TABLE_SECONDS);
	for (int pe = 0; pe < PES; pe++)
		if (pe != me)
			shmem_double_put(table, table, ANGLES, pe);
	shmem_fence();
	rest(FILE_SECONDS); /* FAULT late-signal */
	for (int pe = 0; pe < PES; pe++) {
		if (pe == me)
			continue;
		told[step - 1][pe] = now();
		shmem_long_p(&table_step, step, pe); /* LATE late-signal */
	}
}

static void await_table(long step)
{
	asked[step - 1] = now();
	shmem_long_wait_until(&table_step, SHMEM_CMP_GE, step); /* WAIT late-signal */
}

/* --- the rays ------------------------------------------------------------- */

static double follow_rays(double seconds)
{
	const double end = now() + seconds;
	double light = 0;

	do
		for (int i = 0; i < ANGLES; i++)
			light += table[i] * 1e-6;
	while (now() < end);
	return light;
}

static double light(void)
{
	double sum = 0;

	for (long step = 1; step <= STEPS; step++) {
		if (me == TABLE_PE)
			make_table(step);
		else
			await_table(step);
		sum += follow_rays(RAY_SECONDS);
		shmem_barrier_all(); /* all have used the table */
	}
	return sum;
}

static double shadows(void)
{
	const double seconds =
		me == CLOUDY_PE ? CLOUD_FACTOR * RAY_SECONDS : RAY_SECONDS;
	double sum = 0;

	for (int step = 0; step < STEPS; step++) {
		sum += follow_rays(seconds); /* FAULT unbalanced-work */
		arrived[step] = now();
		shmem_barrier_all(); /* WAIT unbalanced-work */
	}
	return sum;
}

/* --- the last result ------------------------------------------------------ */

static void last_result(void)
{
	rest(LAST_SECONDS);
	*finished = 1;
}

static void await_result(void)
{
	do
		polls++;
	while (!shmem_long_g(finished, CLOUDY_PE)); /* FAULT polling */
}

/* --- what it cost --------------------------------------------------------- */

/* In the steps in which the PE with the clouds came last. */
static double waited_in_steps(void)
{
	double all[PES][STEPS], last, sum = 0;

	for (int pe = 0; pe < PES; pe++)
		shmem_double_get(all[pe], arrived, STEPS, pe);
	for (int step = 0; step < STEPS; step++) {
		last = all[0][step];
		for (int pe = 1; pe < PES; pe++)
			last = fmax(last, all[pe][step]);
		for (int pe = 0; pe < PES && last == all[CLOUDY_PE][step]; pe++)
			sum += last - all[pe][step];
	}
	return sum;
}

static double waited_for_tables(void)
{
	double begun[STEPS], ended[STEPS][PES], sum = 0;

	shmem_double_get(ended[0], told[0], STEPS * PES, TABLE_PE);
	for (int pe = 0; pe < PES; pe++) {
		if (pe == TABLE_PE)
			continue;
		shmem_double_get(begun, asked, STEPS, pe);
		for (int step = 0; step < STEPS; step++)
			sum += fmax(0, ended[step][pe] - begun[step]);
	}
	return sum;
}

static void print_costs(void)
{
	printf("fault: late-signal %d seconds %.6f\n", TABLE_PE,
	       waited_for_tables());
	printf("fault: unbalanced-work %d seconds %.6f\n", CLOUDY_PE,
	       waited_in_steps());
	printf("fault: polling %d gets %ld\n", POLLING_PE,
	       shmem_long_g(&polls, POLLING_PE));
}

int main(void)
{
	double all;

	shmem_init();
	me = shmem_my_pe();
	if (shmem_n_pes() != PES) {
		fprintf(stderr, "shmem_tables: run it with %d PEs\n", PES);
		shmem_global_exit(2);
	}
	finished = shmem_calloc(1, sizeof *finished);
	if (!finished)
		shmem_global_exit(1);
	all = light() + shadows();
	if (me == CLOUDY_PE)
		last_result();
	else if (me == POLLING_PE)
		await_result();
	shmem_barrier_all();

	if (me == 0)
		print_costs();
	if (all < 0)
		printf("no light\n");
	shmem_free(finished);
	shmem_finalize();
	return 0;
}
