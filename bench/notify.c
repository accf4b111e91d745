/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an event costs: gasp_event_notify without and with arguments, at random
 * sites, masked, switched off; the same by gasp_event_notifyVA, as GNU's and
 * Clang's UPC runtimes pass on their own arguments; an adapter's pair of
 * events; two threads at once against one.  All beside one reading of the time
 * stamp counter.  The kinds take turns, and medians are told: ratios hold on a
 * machine whose speed drifts and which others share.
 *
 * notify             measure
 * notify --mix N     record N events: 1,200 sites in random order, 40 % of the
 *                    events with three arguments, of arrays walked through
 * notify --spread N  the same, elements at random within 64 KiB
 * notify --pairs N   record N pairs of an adapter's events
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <gasp.h>
#include <gasp_upc.h>

#include "clock.h"
#include "collector/core/collector.h"

#define EVENTS 50000 /* a round */
#define ROUNDS 101
#define SITES  1200

static _Thread_local gasp_context_t context;
static volatile unsigned long long sink;
static char shared; /* stands for a pointer-to-shared */

/* An address in a buffer: recorded, never followed */
#define LOCAL(offset) ((void *)(size_t)(0x100000 + (offset)))

/* A line of SITES in an order that a branch predictor does not learn */
static int random_line(unsigned *x)
{
	*x = *x * 1664525u + 1013904223u;
	return 100 + (int)((*x >> 8) % SITES);
}

/* --- what is measured ------------------------------------------------------
 */

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

static void random_sites(void)
{
	unsigned x = 12345;

	for (int i = 0; i < EVENTS; i += 2) {
		const int line = random_line(&x);

		gasp_event_notify(context, GASP_UPC_MEMGET, GASP_START, "b.upc",
				  line, 0, LOCAL(x >> 20), &shared,
				  (size_t)(x >> 12));
		gasp_event_notify(context, GASP_UPC_MEMGET, GASP_END, "b.upc",
				  line, 0, LOCAL(0), &shared, (size_t)8);
	}
}

/* A runtime's function that the compiler calls: its arguments lie in registers
   and on the stack, and are passed on as a list. */
__attribute__((noinline)) static void pass_on(unsigned tag, gasp_evttype_t type,
					      const char *file, int line, ...)
{
	va_list ap;

	va_start(ap, line);
	gasp_event_notifyVA(context, tag, type, file, line, 0, ap);
	va_end(ap);
}

static void list_no_arguments(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		pass_on(GASP_UPC_FENCE, GASP_START, "b.upc", 1);
		pass_on(GASP_UPC_FENCE, GASP_END, "b.upc", 1);
	}
}

static void list_three_arguments(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		pass_on(GASP_UPC_MEMGET, GASP_START, "b.upc", 2, LOCAL(i),
			&shared, (size_t)i);
		pass_on(GASP_UPC_MEMGET, GASP_END, "b.upc", 2, LOCAL(i),
			&shared, (size_t)i);
	}
}

static void list_random_sites(void)
{
	unsigned x = 12345;

	for (int i = 0; i < EVENTS; i += 2) {
		const int line = random_line(&x);

		pass_on(GASP_UPC_MEMGET, GASP_START, "b.upc", line,
			LOCAL(x >> 20), &shared, (size_t)(x >> 12));
		pass_on(GASP_UPC_MEMGET, GASP_END, "b.upc", line, LOCAL(0),
			&shared, (size_t)8);
	}
}

/* GASPDB_EXCEPT has it. */
static void masked(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		gasp_event_notify(context, GASP_UPC_MEMPUT, GASP_START, "b.upc",
				  3, 0, LOCAL(i), &shared, (size_t)i);
		gasp_event_notify(context, GASP_UPC_MEMPUT, GASP_END, "b.upc",
				  3, 0, LOCAL(i), &shared, (size_t)i);
	}
}

static void switched_off(void)
{
	gasp_control(context, 0);
	three_arguments();
	gasp_control(context, 1);
}

/* A function of its own: as the program sees it, and no more */
__attribute__((noinline)) static void empty_call(gasp_context_t c, unsigned tag,
						 gasp_evttype_t type,
						 const char *file, int line,
						 int column, ...)
{
	(void)c, (void)tag, (void)type, (void)file, (void)line, (void)column;
	__asm__ volatile("");
}

static void calls_alone(void)
{
	for (int i = 0; i < EVENTS; i += 2) {
		empty_call(context, GASP_UPC_MEMPUT, GASP_START, "b.upc", 3, 0,
			   LOCAL(i), &shared, (size_t)i);
		empty_call(context, GASP_UPC_MEMPUT, GASP_END, "b.upc", 3, 0,
			   LOCAL(i), &shared, (size_t)i);
	}
}

/* A put, as an OpenSHMEM wrapper records it */
static void put(uint64_t i)
{
	static const struct gaspdb_operation op = { GASPDB_EVENT_SHMEM_PUT,
						    "shmem_putmem" };
	struct gaspdb_entry e GASPDB_ENTRY_CLOSES = GASPDB_ENTRY(NULL);
	struct gaspdb_context *c = gaspdb_enter(&op, &e);

	if (!c)
		return;
	gaspdb_start(c, &op, GASPDB_CALLER, 5,
		     (uint64_t[]){ i % 4, (uintptr_t)LOCAL(8 * i),
				   (uintptr_t)LOCAL(16 * i), 8, 0 });
	gaspdb_end(c, &op, GASPDB_CALLER, 0, NULL);
	gaspdb_leave(c);
}

static void adapter_pairs(void)
{
	for (uint64_t i = 0; i < EVENTS; i += 2)
		put(i);
}

/* --- measuring -------------------------------------------------------------
 */

/* than: another kind, with whose time this one's is compared; 0: with none. */
static const struct {
	const char *name;
	void (*run)(void);
	int than;
} kinds[] = {
	{ CLOCK_NAME, clock_alone, 0 },
	{ "notify, 0 arguments", no_arguments, 0 },
	{ "notify, 3 arguments", three_arguments, 0 },
	{ "notify, random sites", random_sites, 0 },
	{ "notifyVA, 0 arguments", list_no_arguments, 1 },
	{ "notifyVA, 3 arguments", list_three_arguments, 2 },
	{ "notifyVA, random sites", list_random_sites, 3 },
	{ "notify, masked", masked, 0 },
	{ "notify, switched off", switched_off, 0 },
	{ "a call that does nothing", calls_alone, 0 },
	{ "adapter, half a pair", adapter_pairs, 0 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static double run_ns(void (*run)(void))
{
	const double start = cpu_ns();

	run();
	return (cpu_ns() - start) / EVENTS;
}

static void measure_kinds(void)
{
	static double ns[KINDS][ROUNDS];
	double clock;

	for (int round = 0; round < ROUNDS; round++)
		for (int k = 0; k < KINDS; k++)
			ns[k][round] = run_ns(kinds[k].run);
	clock = median(ns[0], ROUNDS);
	for (int k = 0; k < KINDS; k++) {
		const double each = median(ns[k], ROUNDS);
		const int than = kinds[k].than;

		printf("  %-26s %6.1f ns  %5.2f x %s", kinds[k].name, each,
		       each / clock, CLOCK_NAME);
		if (than)
			printf(", %.2f x %s", each / median(ns[than], ROUNDS),
			       kinds[than].name);
		putchar('\n');
	}
}

/* --- threads ---------------------------------------------------------------
 */

static pthread_barrier_t barrier;
static double apart[2][ROUNDS], together[2][ROUNDS];

/* In turns: one alone, the other alone, both. */
static void *thread(void *user)
{
	const int me = user != NULL;

	context = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		for (int turn = 0; turn < 2; turn++) {
			pthread_barrier_wait(&barrier);
			if (turn == me)
				apart[me][round] = run_ns(three_arguments);
		}
		pthread_barrier_wait(&barrier);
		together[me][round] = run_ns(three_arguments);
	}
	return NULL;
}

static void measure_threads(void)
{
	pthread_t threads[2];

	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, thread,
				   i ? &barrier : NULL))
			exit(1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("  two threads at once        %6.2f times as much each as one "
	       "alone\n",
	       (median(together[0], ROUNDS) + median(together[1], ROUNDS)) /
		       (median(apart[0], ROUNDS) + median(apart[1], ROUNDS)));
}

/* --- logs of known contents ------------------------------------------------
 */

/* Each site has an array of its own; of the calls 80 % have arguments. */
static void record_mix(long events, unsigned spread)
{
	static size_t at[SITES];
	unsigned x = 1;

	for (long i = 0; i < events; i += 2) {
		const int site = random_line(&x) - 100;
		const size_t base = (size_t)site << 24;

		at[site] = spread ? (x >> 9) % spread & ~7u : at[site] + 8;
		if (site % 5) {
			gasp_event_notify(context, GASP_UPC_GET, GASP_START,
					  "b.upc", site, 0, 1,
					  LOCAL(base + at[site]), &shared,
					  (size_t)8);
			gasp_event_notify(context, GASP_UPC_GET, GASP_END,
					  "b.upc", site, 0, 1,
					  LOCAL(base + at[site]), &shared,
					  (size_t)8);
		} else {
			gasp_event_notify(context, GASP_UPC_FENCE, GASP_START,
					  "b.upc", site, 0);
			gasp_event_notify(context, GASP_UPC_FENCE, GASP_END,
					  "b.upc", site, 0);
		}
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc == 3 ? argv[1] : "";
	const long n = argc == 3 ? atol(argv[2]) : 0;

	if (!getenv("GASPDB_EXCEPT")) {
		setenv("GASPDB_EXCEPT", "upc_memput", 1);
		execv("/proc/self/exe", argv);
	}
	context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	if (!strcmp(mode, "--mix"))
		record_mix(n, 0);
	else if (!strcmp(mode, "--spread"))
		record_mix(n, 65536);
	else if (!strcmp(mode, "--pairs"))
		for (long i = 0; i < n; i++)
			put((uint64_t)i);
	else
		measure_kinds(), measure_threads();
	return 0;
}
