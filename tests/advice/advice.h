/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs of programs: one with a fault, and the same with the advice of the
 * report followed.  `PROGRAM NAME faulty|mended` runs one of them with two
 * ranks and prints its length in seconds; `PROGRAM` alone lists them:
 * NAME|finding|what is done about it.
 */
#ifndef GASPDB_TESTS_ADVICE_H
#define GASPDB_TESTS_ADVICE_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct pair {
	const char *name;
	const char *finding; /* the kind that the report must name */
	const char *done;    /* the advice that `mended` follows */
	void (*run)(int rank, bool mended);
};

static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Work that needs no processor. */
static inline void work_ms(double ms)
{
	const long ns = (long)(1e6 * ms);
	const struct timespec t = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&t, NULL);
}

/* Work that keeps the processor busy. */
static inline void compute_ms(double ms)
{
	const double end = now() + 1e-3 * ms;

	while (now() < end)
		;
}

static inline const struct pair *find_pair(const struct pair *pairs,
					   const char *name)
{
	while (pairs->name && strcmp(pairs->name, name) != 0)
		pairs++;
	return pairs->name ? pairs : NULL;
}

static inline int list_pairs(const struct pair *pairs)
{
	for (; pairs->name; pairs++)
		printf("%s|%s|%s\n", pairs->name, pairs->finding, pairs->done);
	return 0;
}

#endif
