/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Barriers, for a run on several hosts: $ROUNDS of them, $PAUSE_US apart, and as
 * many in two halves.  Each thread notes the clock of its host and the true time
 * (truth.h) in $TRUTH.  The first reading is the process's start, the last its
 * end.  In between the readings 2k + 1 and 2k + 2 enclose the k-th upc_barrier.
 * The last process prints how many words of each thread's shared memory are not
 * zero.
 */
#include "clocks.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

#include "gaspdb_upc.h"
#include "programs/truth.h"
#include "runtime.h"

#define THREADS_MAX 64

static struct own {
	int thread;
	struct truth truth;
} threads[THREADS_MAX];
static int n_threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct truth_reading first_reading;

static void event(gasp_evttype_t type, int line, int tag)
{
	rt_notify((unsigned)tag, type, "clocks.upc", line, 0, INT_MIN);
}

/* A whole barrier; silent: a file without instrumentation has it. */
static void barrier(bool silent)
{
#ifdef GASP_UPC_BARRIER
	if (!silent)
		event(GASP_START, 10, GASP_UPC_BARRIER);
	rt_wait_for_all();
	if (!silent)
		event(GASP_END, 10, GASP_UPC_BARRIER);
#else
	if (!silent) {
		event(GASP_START, 10, GASP_UPC_NOTIFY);
		event(GASP_END, 10, GASP_UPC_NOTIFY);
		event(GASP_START, 10, GASP_UPC_WAIT);
	}
	rt_wait_for_all();
	if (!silent)
		event(GASP_END, 10, GASP_UPC_WAIT);
#endif
}

/* Between its halves threads wait for each other. */
static void split_barrier(void)
{
	event(GASP_START, 20, GASP_UPC_NOTIFY);
	event(GASP_END, 20, GASP_UPC_NOTIFY);
	rt_wait_for_all();
	event(GASP_START, 22, GASP_UPC_WAIT);
	rt_wait_for_all();
	event(GASP_END, 22, GASP_UPC_WAIT);
}

static int number_of(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

__attribute__((constructor)) static void begin(void)
{
	struct truth t = { .of = &first_reading, .room = 1 };

	truth_note(&t);
}

__attribute__((destructor)) static void end(void)
{
	const char *directory = getenv("TRUTH");

	for (int i = 0; directory && i < n_threads; i++) {
		truth_note(&threads[i].truth);
		truth_write(&threads[i].truth, directory, threads[i].thread);
	}
}

static struct truth *begin_thread(int rounds)
{
	struct own *own;

	pthread_mutex_lock(&lock);
	own = &threads[n_threads++];
	pthread_mutex_unlock(&lock);
	own->thread = rt_thread();
	own->truth.room = (size_t)rounds * 2 + 2;
	own->truth.of = calloc(own->truth.room, sizeof *own->truth.of);
	if (!own->truth.of)
		abort();
	own->truth.of[own->truth.n++] = first_reading;
	return &own->truth;
}

static void print_words(void)
{
	const struct rt_shared shared = rt_shared();
	const size_t bytes = GASPDB_UPC_WORDS * sizeof(uint64_t);
	const char *p = shared.start;

	for (int i = 0; i < rt_threads() && p + bytes <= shared.end; i++) {
		int n = 0;

		for (size_t k = 0; k < GASPDB_UPC_WORDS; k++)
			n += ((const volatile uint64_t *)(const void *)p)[k] != 0;
		p += bytes;
		printf("%d%c", n, i == rt_threads() - 1 ? '\n' : ' ');
	}
}

static int run(bool goes, bool switches)
{
	const int rounds = number_of("ROUNDS", 50);
	const bool is_last = rt_thread() == rt_threads() - 1;
	struct truth *truth = begin_thread(rounds);

	if (switches && rt_thread() == 1)
		gasp_control(rt_context(), 0);
	for (int i = 0; i < rounds; i++) {
		if (switches && rt_thread() > 1)
			gasp_control(rt_context(), i / 5 % 2);
		truth_note(truth);
		barrier(goes && i > rounds / 2 &&
			rt_thread() == rt_threads() / 2);
		truth_note(truth);
		split_barrier();
		usleep((useconds_t)number_of("PAUSE_US", 1000));
	}
	rt_wait_for_all();
	if (is_last)
		print_words();
	return 0;
}

int rt_clocks(void)
{
	return run(false, false);
}

int rt_clocks_gone(void)
{
	return run(true, false);
}

int rt_clocks_off(void)
{
	return run(false, true);
}
