/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Heat spreading over a square plate, on 4 PEs with OpenSHMEM: each PE has a
 * band of rows, swaps its border rows with its neighbours at every step, adds
 * to a common histogram of temperatures now and then, and at the end sends a
 * picture of its band to PE 0.
 *
 * Three faults of known size are built in.  FAULT marks the line that is one,
 * WAIT the call in which the others wait:
 *   late-pe           one PE computes longer in every step; the others wait
 *                     for it in the step's barrier
 *   contended-lock    one PE does its own work while it holds the histogram's
 *                     lock; the others queue up for it
 *   fine-grained-put  one PE sends its picture in many small pieces, where
 *                     one putmem would do
 * The program reads the clock around what they delay, and prints at its end
 * what each cost: the seconds that PEs waited, or spent in the small puts.
 *
 * What it computes takes time by the clock, not by the processor's speed, so
 * that the faults have the same size on a busy machine.
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PES	 4
#define WIDTH	 256 /* columns of the plate */
#define ROWS	 64  /* of a PE's band, and a border row above and below */
#define STEPS	 8
#define BINS	 64
#define MERGES	 3   /* of the histogram */
#define PIECE	 128 /* pixels of a small put */
#define CHANNELS 3   /* red, green, blue, interleaved in a pixel */

#define LATE_PE	   2
#define HOLDING_PE 1
#define SENDING_PE 3

#define STEP_SECONDS  0.02 /* a step's computing */
#define EXTRA_SECONDS 0.08 /* the late PE's, besides */
#define HOLD_SECONDS  0.15 /* of the lock, by the PE that holds it too long */
#define DISK_SECONDS  0.2  /* the others' writing, while one PE sends */
#define SHOW_SECONDS  0.4  /* its pictures of the band, as many as fit in */
#define PATIENCE      8	   /* times that, for half of it with a processor */
#define LONG_SECONDS  1e-4 /* of a small put: it had no processor */

/* Symmetric: the same on all PEs */
static double plate[ROWS + 2][WIDTH];
static long histogram[BINS];
static double arrived[STEPS]; /* at the step's barrier, by the clock */
static double lock_seconds;   /* waited for the lock */
static double send_seconds;   /* spent in the small puts */
static double lost_seconds;   /* of these, in the few that took long */
static long frames;	      /* pictures sent */

static long *histogram_lock; /* in the symmetric heap */

static int me, above, below;

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

/* --- the plate ------------------------------------------------------------ */

static void heat_up(void)
{
	for (int x = 0; x < WIDTH; x++) {
		plate[0][x] = me == 0 ? 100 : 0;
		plate[ROWS + 1][x] = 0;
	}
}

static void relax(void)
{
	for (int y = 1; y <= ROWS; y++)
		for (int x = 1; x < WIDTH - 1; x++)
			plate[y][x] =
				0.25 * (plate[y - 1][x] + plate[y + 1][x] +
					plate[y][x - 1] + plate[y][x + 1]);
}

/* As many sweeps as fit in the time. */
static void relax_for(double seconds)
{
	const double end = now() + seconds;

	do
		relax();
	while (now() < end);
}

static void swap_borders(void)
{
	if (above >= 0)
		shmem_putmem(plate[ROWS + 1], plate[1], sizeof plate[0], above);
	if (below < PES)
		shmem_putmem(plate[0], plate[ROWS], sizeof plate[0], below);
}

static void simulate(void)
{
	for (int step = 0; step < STEPS; step++) {
		relax_for(STEP_SECONDS);
		if (me == LATE_PE)
			relax_for(EXTRA_SECONDS); /* FAULT late-pe */
		swap_borders();
		arrived[step] = now();
		shmem_barrier_all(); /* WAIT late-pe */
	}
}

/* --- the histogram, on PE 0 ----------------------------------------------- */

static void count(long *bins)
{
	memset(bins, 0, BINS * sizeof *bins);
	for (int y = 1; y <= ROWS; y++)
		for (int x = 0; x < WIDTH; x++)
			bins[(int)(plate[y][x] * (BINS - 1) / 100)]++;
}

static void add_to_histogram(const long *bins)
{
	long sum[BINS];

	shmem_long_get(sum, histogram, BINS, 0);
	for (int i = 0; i < BINS; i++)
		sum[i] += bins[i];
	shmem_long_put(histogram, sum, BINS, 0);
	shmem_quiet();
}

static void merge(void)
{
	long bins[BINS];
	double asked;

	count(bins);
	if (me != HOLDING_PE)
		rest(STEP_SECONDS);
	asked = now();
	shmem_set_lock(histogram_lock); /* WAIT contended-lock */
	lock_seconds += now() - asked;
	add_to_histogram(bins);
	if (me == HOLDING_PE)
		relax_for(HOLD_SECONDS); /* FAULT contended-lock */
	shmem_clear_lock(histogram_lock);
}

/* --- the picture ---------------------------------------------------------- */

static unsigned char pixels[ROWS][WIDTH][CHANNELS];
static unsigned char *picture; /* on PE 0: planes of red, green and blue */

static void paint(void)
{
	for (int y = 0; y < ROWS; y++)
		for (int x = 0; x < WIDTH; x++) {
			const double heat = plate[y + 1][x] / 100;

			pixels[y][x][0] = (unsigned char)(255 * heat);
			pixels[y][x][1] = (unsigned char)(64 * heat);
			pixels[y][x][2] = (unsigned char)(255 * (1 - heat));
		}
}

static void count_seconds(double seconds)
{
	send_seconds += seconds;
	if (seconds >= LONG_SECONDS)
		lost_seconds += seconds;
}

/* In pieces: a plane's pixels lie side by side there, and apart here. */
static void send_plane(unsigned char *to, const unsigned char *from)
{
	/* clang-format off */
	for (int i = 0; i < ROWS * WIDTH; i += PIECE) {
		const double start = now();
		shmem_uchar_iput(to + i, from + CHANNELS * i, 1, CHANNELS, PIECE, 0); /* FAULT fine-grained-put */
		count_seconds(now() - start);
	}
	/* clang-format on */
}

static void send_picture(void)
{
	for (int k = 0; k < CHANNELS; k++)
		send_plane(picture + k * ROWS * WIDTH, pixels[0][0] + k);
	const double start = now();

	shmem_quiet();
	count_seconds(now() - start);
}

static void show(void)
{
	double start;

	paint();
	start = now();
	if (me != SENDING_PE)
		rest(DISK_SECONDS);
	else
		do {
			send_picture();
			frames++;
		} while (now() - start < SHOW_SECONDS ||
			 (send_seconds - lost_seconds < SHOW_SECONDS / 2 &&
			  now() - start < PATIENCE * SHOW_SECONDS));
}

/* --- what it cost --------------------------------------------------------- */

static double waited_for_late_pe(void)
{
	double all[PES][STEPS], last, sum = 0;

	for (int pe = 0; pe < PES; pe++)
		shmem_double_get(all[pe], arrived, STEPS, pe);
	for (int step = 0; step < STEPS; step++) {
		last = all[0][step];
		for (int pe = 1; pe < PES; pe++)
			last = fmax(last, all[pe][step]);
		for (int pe = 0; pe < PES; pe++)
			sum += last - all[pe][step];
	}
	return sum;
}

static void print_costs(void)
{
	double waited = 0;

	for (int pe = 0; pe < PES; pe++)
		waited += shmem_double_g(&lock_seconds, pe);
	printf("fault: late-pe %d seconds %.6f\n", LATE_PE,
	       waited_for_late_pe());
	printf("fault: contended-lock %d seconds %.6f\n", HOLDING_PE, waited);
	printf("fault: fine-grained-put %d frames %ld disturbed %.6f "
	       "seconds %.6f\n",
	       SENDING_PE, shmem_long_g(&frames, SENDING_PE),
	       shmem_double_g(&lost_seconds, SENDING_PE),
	       shmem_double_g(&send_seconds, SENDING_PE));
}

int main(void)
{
	shmem_init();
	me = shmem_my_pe();
	if (shmem_n_pes() != PES) {
		fprintf(stderr, "shmem_faults: run it with %d PEs\n", PES);
		shmem_global_exit(2);
	}
	above = me - 1;
	below = me + 1;
	picture = shmem_malloc(sizeof pixels);
	histogram_lock = shmem_calloc(1, sizeof *histogram_lock);
	if (!picture || !histogram_lock)
		shmem_global_exit(1);
	heat_up();
	shmem_barrier_all();

	simulate();
	for (int i = 0; i < MERGES; i++) {
		merge();
		shmem_barrier_all();
	}
	show();
	shmem_barrier_all();

	if (me == 0)
		print_costs();
	shmem_barrier_all();
	shmem_free(histogram_lock);
	shmem_free(picture);
	shmem_finalize();
	return 0;
}
