/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an event costs: gasp_event_notify without and with arguments, recording
 * on and switched off, beside one reading of the time stamp counter.  The
 * kinds take turns, and the medians are told; the ratios hold on a machine
 * whose speed drifts.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <gasp.h>
#include <gasp_upc.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#define READ_CLOCK() __rdtsc()
#define CLOCK_NAME   "rdtsc"
#else
static unsigned long long read_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (unsigned long long)t.tv_nsec;
}
#define READ_CLOCK() read_clock()
#define CLOCK_NAME   "clock_gettime"
#endif

#define EVENTS 500000 /* a round */
#define ROUNDS 11

static gasp_context_t context;
static volatile unsigned long long sink;
static char shared; /* stands for a pointer-to-shared */

/* An address in a buffer: recorded, never followed */
#define LOCAL(offset) ((void *)(size_t)(0x100000 + (offset)))

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void clock_alone(void)
{
	for (int i = 0; i < EVENTS; i++)
		sink += READ_CLOCK();
}

static void no_arguments(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		gasp_event_notify(context, GASP_UPC_FENCE, GASP_START, "b.upc",
				  1, 0);
		gasp_event_notify(context, GASP_UPC_FENCE, GASP_END, "b.upc", 1,
				  0);
	}
}

static void three_arguments(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		gasp_event_notify(context, GASP_UPC_MEMGET, GASP_START, "b.upc",
				  2, 0, LOCAL(i), &shared, (size_t)i);
		gasp_event_notify(context, GASP_UPC_MEMGET, GASP_END, "b.upc",
				  2, 0, LOCAL(i), &shared, (size_t)i);
	}
}

/* 1,200 sites in an order that a branch predictor does not learn */
static void random_sites(void)
{
	unsigned x = 12345;

	for (int i = 0; i < EVENTS; i += 2) {
		int line;

		x = x * 1664525u + 1013904223u;
		line = 100 + (int)((x >> 8) % 1200);
		gasp_event_notify(context, GASP_UPC_MEMGET, GASP_START, "b.upc",
				  line, 0, LOCAL(x >> 20), &shared,
				  (size_t)(x >> 12));
		gasp_event_notify(context, GASP_UPC_MEMGET, GASP_END, "b.upc",
				  line, 0, LOCAL(0), &shared, (size_t)8);
	}
}

static void switched_off(void)
{
	gasp_control(context, 0);
	three_arguments();
	gasp_control(context, 1);
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} kinds[] = {
		{ CLOCK_NAME, clock_alone },
		{ "notify, 0 arguments", no_arguments },
		{ "notify, 3 arguments", three_arguments },
		{ "notify, random sites", random_sites },
		{ "notify, switched off", switched_off },
	};
	enum { KINDS = sizeof kinds / sizeof *kinds };
	static double ns[KINDS][ROUNDS];

	context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	for (int round = 0; round < ROUNDS; round++)
		for (int k = 0; k < KINDS; k++) {
			const double start = now_ns();

			kinds[k].run();
			ns[k][round] = (now_ns() - start) / EVENTS;
		}
	for (int k = 0; k < KINDS; k++)
		qsort(ns[k], ROUNDS, sizeof ns[k][0], compare);
	for (int k = 0; k < KINDS; k++)
		printf("  %-22s %6.1f ns  %5.2f x %s\n", kinds[k].name,
		       ns[k][ROUNDS / 2], ns[k][ROUNDS / 2] / ns[0][ROUNDS / 2],
		       CLOCK_NAME);
	return 0;
}
