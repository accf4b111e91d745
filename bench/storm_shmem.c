/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A put/get storm: each of two PEs puts N longs into the other's memory, one by
 * one, and gets N back, and checks what arrived.  Prints the slower PE's seconds
 * of processor time in these calls: nothing in them waits, and so it is the
 * same on a machine that others use, too.  Usage: storm_shmem N
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <shmem.h>

enum { SLOTS = 1024 };

static long *slots; /* on the symmetric heap: there, they are shared memory */
static double seconds, others;
static long errors, all_errors;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The last value that a slot gets. */
static long expected(long n, long slot, int pe)
{
	return slot < n ? 2 * (slot + (n - 1 - slot) / SLOTS * SLOTS) + pe : 0;
}

static void put_all(long n, int me, int other)
{
	for (long i = 0; i < n; i++)
		shmem_long_p(&slots[i % SLOTS], 2 * i + me, other);
}

static long get_all(long n, int other)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += shmem_long_g(&slots[i % SLOTS], other);
	return sum;
}

int main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 1000000;
	long sum, right = 0;
	int me, other;
	double start;

	shmem_init();
	slots = shmem_calloc(SLOTS, sizeof *slots);
	if (!slots)
		shmem_global_exit(1);
	me = shmem_my_pe();
	other = (me + 1) % shmem_n_pes();
	shmem_barrier_all();
	start = now();
	put_all(n, me, other);
	seconds = now() - start;
	shmem_barrier_all();
	start = now();
	sum = get_all(n, other); /* what we put there */
	seconds += now() - start;
	shmem_barrier_all();
	for (long i = 0; i < n; i++)
		right += expected(n, i % SLOTS, me);
	for (long i = 0; i < SLOTS; i++)
		errors += slots[i] != expected(n, i, other);
	errors += sum != right;
	shmem_barrier_all();
	all_errors = errors + (me == 0 ? shmem_long_g(&errors, other) : 0);
	others = shmem_double_g(&seconds, other);
	if (me == 0)
		printf("%.6f %s\n", seconds > others ? seconds : others,
		       all_errors ? "WRONG" : "right");
	shmem_finalize();
	return all_errors != 0;
}
