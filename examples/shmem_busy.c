/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A painter and a visitor, on 2 PEs with OpenSHMEM: the painter never rests;
 * after each stroke it tells the visitor how many there are.  The visitor gets
 * one sketch after the other from the painter's static memory.
 *
 * One fault of known size is built in.  FAULT marks its line:
 *   no-progress   the runtime gives sketches away only while the painter calls
 *                 it, which it hardly ever does: the visitor waits in its get
 * The program reads the clock around the gets and around the painter's calls,
 * and prints at its end what the painting cost the visitor: the seconds of the
 * gets up to the end of the painter's stroke, of those that were over soon
 * after that, within a third of these seconds.
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define VISITOR 0
#define PAINTER 1

#define SKETCHES	60
#define SIZE		(1 << 18) /* bytes of a sketch */
#define LOOK_SECONDS	0.002
#define STROKE_LEAST	0.01
#define STROKE_MOST	0.06
#define GOODBYE_SECONDS 0.12 /* longer than a stroke */
#define STROKES		1000 /* at most */

/* Symmetric: the same on both PEs */
static char book[SIZE + SKETCHES];
static long strokes; /* the painter's, on the visitor */
static double stroke_from[STROKES], stroke_to[STROKES];
static long *has_left; /* the visitor; on the painter, in the heap, which needs
			  no help of the painter's */

static double got_from[SKETCHES], got_to[SKETCHES]; /* the visitor's */

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

static void paint(void)
{
	for (long i = 0; i < STROKES && !*(volatile long *)has_left; i++) {
		stroke_from[i] = now();
		rest(STROKE_LEAST +
		     (STROKE_MOST - STROKE_LEAST) * fmod((double)i * 0.618, 1));
		stroke_to[i] = now();
		shmem_long_p(&strokes, i + 1, VISITOR); /* LATE stroke */
		shmem_quiet();
	}
}

/* On its way out the visitor takes a last one, when the painter waits for it.
 */
static void say_goodbye(void)
{
	shmem_long_p(has_left, 1, PAINTER);
	shmem_quiet();
	rest(GOODBYE_SECONDS);
}

static void get_sketch(char *sketch, int i)
{
	got_from[i] = now();
	shmem_getmem(sketch, book + i, SIZE, PAINTER); /* FAULT no-progress */
	got_to[i] = now();
}

static void visit(void)
{
	char *sketch = malloc(SIZE);

	for (int i = 0; sketch && i < SKETCHES; i++) {
		rest(LOOK_SECONDS);
		if (i == SKETCHES - 1)
			say_goodbye();
		get_sketch(sketch, i);
	}
	free(sketch);
}

/* Of a get: the seconds to the end of the stroke that it fell in, or before. */
static double waited(int i)
{
	long k = 0;

	while (k < strokes && stroke_to[k] <= got_from[i])
		k++;
	if (k == strokes || stroke_to[k] >= got_to[i])
		return 0;
	const double seconds = stroke_to[k] - fmax(got_from[i], stroke_from[k]);

	return got_to[i] - stroke_to[k] < seconds / 3 ? seconds : 0;
}

static double cost(void)
{
	double seconds = 0;

	for (int i = 0; i < SKETCHES; i++)
		seconds += waited(i);
	return seconds;
}

int main(void)
{
	int me;

	shmem_init();
	me = shmem_my_pe();
	if (shmem_n_pes() != 2) {
		if (me == 0)
			fprintf(stderr, "shmem_busy: run it on 2 PEs\n");
		shmem_finalize();
		return 1;
	}
	has_left = shmem_calloc(1, sizeof *has_left);
	shmem_barrier_all();
	if (me == PAINTER)
		paint();
	else
		visit();
	shmem_barrier_all();
	if (me == VISITOR) {
		shmem_double_get(stroke_from, stroke_from, STROKES, PAINTER);
		shmem_double_get(stroke_to, stroke_to, STROKES, PAINTER);
		printf("fault: no-progress %d seconds %.6f\n", PAINTER,
		       cost());
	}
	shmem_barrier_all();
	shmem_free(has_left);
	shmem_finalize();
	return 0;
}
