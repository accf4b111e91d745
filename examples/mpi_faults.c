/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Heat spreading over a square plate, on 4 ranks with MPI: each rank has a band
 * of rows.  First the bands swap their border rows at every step; then each
 * band is relaxed on its own until a sum over all ranks says that it is enough;
 * at the end one band is handed to its neighbour.
 *
 * Three faults of known size are built in:
 *   late-sender    a rank computes before it sends a border row; its neighbour
 *                  waits for the row
 *   late-arrival   a rank computes longer than the others before the sum; they
 *                  wait for it
 *   late-receiver  a rank computes before it receives a band; its neighbour,
 *                  whose send is synchronous, waits for it
 * FAULT marks the computing that makes a call late, LATE the call that is late,
 * and WAIT the call in which others wait.  The program reads the clock before
 * those calls, and prints at its end what each fault cost: the seconds waited.
 *
 * What it computes takes time by the clock, not by the processor's speed, so
 * that the faults have the same size on a busy machine.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>

#define RANKS 4
#define WIDTH 256 /* columns of the plate */
#define ROWS  64  /* of a rank's band, and a border row above and below */

#define STEPS  8 /* with border rows swapped */
#define SUMS   8 /* over all ranks */
#define ROUNDS 3 /* of handing over */

#define STEP_SECONDS  0.02 /* a step's computing */
#define EXTRA_SECONDS 0.08 /* what a fault adds to it */

#define LATE_SENDER   1 /* to the rank below it */
#define LATE_ARRIVAL  3
#define LATE_RECEIVER 2 /* from the rank below it */

enum { DOWN, UP, BAND }; /* tags: which way a row goes, or a whole band */

static double plate[ROWS + 2][WIDTH];
static int me, above, below;

/* When a rank came to a call, by the clock. */
static double sent[STEPS], asked[STEPS];     /* late-sender */
static double arrived[SUMS];		     /* late-arrival */
static double handed[ROUNDS], taken[ROUNDS]; /* late-receiver */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* As long as a slow disk takes. */
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

/* Returns how much changed. */
static double relax(void)
{
	double change = 0, heat;

	for (int y = 1; y <= ROWS; y++)
		for (int x = 1; x < WIDTH - 1; x++) {
			heat = 0.25 * (plate[y - 1][x] + plate[y + 1][x] +
				       plate[y][x - 1] + plate[y][x + 1]);
			change += fabs(heat - plate[y][x]);
			plate[y][x] = heat;
		}
	return change;
}

/* As many sweeps as fit in the time. */
static double relax_for(double seconds)
{
	const double end = now() + seconds;
	double change;

	do
		change = relax();
	while (now() < end);
	return change;
}

/* --- border rows: late-sender --------------------------------------------- */

static void send_rows(int step, MPI_Request *requests)
{
	MPI_Isend(plate[1], WIDTH, MPI_DOUBLE, above, UP, MPI_COMM_WORLD,
		  &requests[0]);
	if (me == LATE_SENDER)
		relax_for(EXTRA_SECONDS); /* FAULT late-sender */
	sent[step] = now();
	MPI_Isend(plate[ROWS], WIDTH, MPI_DOUBLE, below, /* LATE late-sender */
		  DOWN, MPI_COMM_WORLD, &requests[1]);
}

static void receive_rows(int step, MPI_Request *requests)
{
	asked[step] = now();
	MPI_Recv(plate[0], WIDTH, MPI_DOUBLE, above, /* WAIT late-sender */
		 DOWN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Recv(plate[ROWS + 1], WIDTH, MPI_DOUBLE, below, UP, MPI_COMM_WORLD,
		 MPI_STATUS_IGNORE);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* The ranks at the plate's ends write to a disk meanwhile, so that all begin
   the next step together. */
static void simulate(void)
{
	MPI_Request requests[2];

	for (int step = 0; step < STEPS; step++) {
		relax_for(STEP_SECONDS);
		send_rows(step, requests);
		if (me == 0 || me == RANKS - 1)
			rest(EXTRA_SECONDS);
		receive_rows(step, requests);
	}
}

/* --- sums: late-arrival --------------------------------------------------- */

static void converge(void)
{
	double change, total;

	for (int i = 0; i < SUMS; i++) {
		change = relax_for(STEP_SECONDS);
		if (me == LATE_ARRIVAL)
			relax_for(EXTRA_SECONDS); /* FAULT late-arrival */
		arrived[i] = now();
		MPI_Allreduce(&change, &total, 1, /* WAIT late-arrival */
			      MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
}

/* --- handing over: late-receiver ------------------------------------------ */

static void hand_over(int round)
{
	handed[round] = now();
	MPI_Ssend(plate[1], ROWS * WIDTH, MPI_DOUBLE, /* WAIT late-receiver */
		  above, BAND, MPI_COMM_WORLD);
}

static void take_over(int round)
{
	static double band[ROWS][WIDTH];

	relax_for(EXTRA_SECONDS); /* FAULT late-receiver */
	taken[round] = now();
	MPI_Recv(band, ROWS * WIDTH, MPI_DOUBLE, below, /* LATE late-receiver */
		 BAND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange_bands(void)
{
	for (int round = 0; round < ROUNDS; round++) {
		relax_for(STEP_SECONDS);
		if (me == LATE_RECEIVER)
			take_over(round);
		else if (me == LATE_RECEIVER + 1)
			hand_over(round);
		else
			rest(EXTRA_SECONDS);
	}
}

/* --- what it cost --------------------------------------------------------- */

/* The readings of one rank, on rank 0. */
static void fetch(double *readings, const double *own, int n, int rank)
{
	if (rank == 0 && me == 0)
		for (int i = 0; i < n; i++)
			readings[i] = own[i];
	else if (me == rank)
		MPI_Send(own, n, MPI_DOUBLE, 0, BAND, MPI_COMM_WORLD);
	else if (me == 0)
		MPI_Recv(readings, n, MPI_DOUBLE, rank, BAND, MPI_COMM_WORLD,
			 MPI_STATUS_IGNORE);
}

/* How long those who came at from waited for those who came at to. */
static double waited(const double *from, const double *to, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += fmax(0, to[i] - from[i]);
	return sum;
}

static double late_sender(void)
{
	double from[STEPS], to[STEPS];

	fetch(from, asked, STEPS, LATE_SENDER + 1);
	fetch(to, sent, STEPS, LATE_SENDER);
	return me == 0 ? waited(from, to, STEPS) : 0;
}

static double late_receiver(void)
{
	double from[ROUNDS], to[ROUNDS];

	fetch(from, handed, ROUNDS, LATE_RECEIVER + 1);
	fetch(to, taken, ROUNDS, LATE_RECEIVER);
	return me == 0 ? waited(from, to, ROUNDS) : 0;
}

static double late_arrival(void)
{
	double all[RANKS][SUMS], last[SUMS], sum = 0;

	for (int rank = 0; rank < RANKS; rank++)
		fetch(all[rank], arrived, SUMS, rank);
	if (me != 0)
		return 0;
	for (int i = 0; i < SUMS; i++) {
		last[i] = all[0][i];
		for (int rank = 1; rank < RANKS; rank++)
			last[i] = fmax(last[i], all[rank][i]);
	}
	for (int rank = 0; rank < RANKS; rank++)
		sum += waited(all[rank], last, SUMS);
	return sum;
}

static void print_costs(void)
{
	const double sender = late_sender(), arrival = late_arrival(),
		     receiver = late_receiver();

	if (me != 0)
		return;
	printf("fault: late-sender %d receiver %d seconds %.6f\n", LATE_SENDER,
	       LATE_SENDER + 1, sender);
	printf("fault: late-arrival %d seconds %.6f\n", LATE_ARRIVAL, arrival);
	printf("fault: late-receiver %d sender %d seconds %.6f\n",
	       LATE_RECEIVER, LATE_RECEIVER + 1, receiver);
}

int main(int argc, char **argv)
{
	int ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks != RANKS) {
		fprintf(stderr, "mpi_faults: run it with %d ranks\n", RANKS);
		MPI_Abort(MPI_COMM_WORLD, 2);
	}
	above = me > 0 ? me - 1 : MPI_PROC_NULL;
	below = me < RANKS - 1 ? me + 1 : MPI_PROC_NULL;
	heat_up();
	MPI_Barrier(MPI_COMM_WORLD);

	simulate();
	MPI_Barrier(MPI_COMM_WORLD);
	converge();
	exchange_bands();

	print_costs();
	MPI_Finalize();
	return 0;
}
