/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cost of calls of instrumented functions: a small one in a loop, and a
 * recursion.  Prints the cost of reading the clock, then of a call of each, in
 * ns of processor time: medians of batches.
 */
#include <stdio.h>

#include "bench/clock.h"

#define BATCHES 15
#define READS	200000
#define CALLS	200000
#define FIB	24 /* 2 * fib(25) - 1 calls */
#define N_FIB	150049.0

#define CALLED __attribute__((noinline))

static volatile unsigned long long sink;

CALLED static int small(int n)
{
	__asm__ volatile("");
	return n + 1;
}

CALLED static int fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

UNTRACED static double read_clocks(void)
{
	unsigned long long sum = 0;
	const double before = cpu_ns();

	for (int i = 0; i < READS; i++)
		sum += READ_CLOCK();
	sink = sum;
	return (cpu_ns() - before) / READS;
}

UNTRACED static double call_small(void)
{
	const double before = cpu_ns();
	int n = 0;

	for (int i = 0; i < CALLS; i++)
		n = small(n);
	sink = (unsigned)n;
	return (cpu_ns() - before) / CALLS;
}

UNTRACED static double call_fib(void)
{
	const double before = cpu_ns();

	sink = (unsigned)fib(FIB);
	return (cpu_ns() - before) / N_FIB;
}

UNTRACED static void print(const char *name, double (*measure)(void))
{
	double ns[BATCHES];

	for (int i = 0; i < BATCHES; i++)
		ns[i] = measure();
	printf("%s %.3f\n", name, median(ns, BATCHES));
}

UNTRACED int main(void)
{
	print("clock", read_clocks);
	print("loop", call_small);
	print("fib", call_fib);
	return 0;
}
