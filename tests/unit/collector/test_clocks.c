/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readings of the hosts' clocks: the tree of leaders, the choice of leaders in UPC
   programs, and samples by leaders that are processes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/core/clocks/period.h"
#include "collector/core/clocks/sampler.h"
#include "collector/gasp/clocks.h"
#include "collector/include/gaspdb_upc.h"

#define THREADS 16

/* --- the program's words -------------------------------------------------- */

static struct shared {
	uint64_t words[THREADS][GASPDB_UPC_WORDS];
	pthread_barrier_t barrier;
	uint64_t samples[THREADS];
} *shared;

uint64_t gaspdb_upc_word(int thread, int word)
{
	assert_in_range(thread, 0, THREADS - 1);
	assert_in_range(word, 0, GASPDB_UPC_WORDS - 1);
	return __atomic_load_n(&shared->words[thread][word], __ATOMIC_SEQ_CST);
}

void gaspdb_upc_set_word(int thread, int word, uint64_t value)
{
	assert_in_range(thread, 0, THREADS - 1);
	assert_in_range(word, 0, GASPDB_UPC_WORDS - 1);
	__atomic_store_n(&shared->words[thread][word], value, __ATOMIC_SEQ_CST);
}

int gaspdb_upc_has_shared(void)
{
	return 1;
}

static int set_up(void **state)
{
	(void)state;
	shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED;
}

static int tear_down(void **state)
{
	(void)state;
	return munmap(shared, sizeof *shared);
}

/* Hosts of threads by letters: a small one cannot lead, a dot takes no part.
   The lowest bits are as in hosts.c. */
static int say(const char *hosts)
{
	const int n = (int)strlen(hosts);

	for (int i = 0; i < n; i++) {
		const char c = hosts[i];

		shared->words[i][GASPDB_WORD_HOST] =
			c == '.'   ? 0
			: c >= 'a' ? (uint64_t)(c - 'a' + 'A') << 8 | 1
				   : (uint64_t)c << 8 | 3;
	}
	return n;
}

/* Whether a thread finds that it leads, and l. */
static bool finds_itself(struct gaspdb_leaders *l, int thread, int threads)
{
	bool is_leader;

	assert_null(gaspdb_upc_find_leaders(l, thread, threads, &is_leader));
	return is_leader;
}

/* --- the tree ------------------------------------------------------------- */

/* Each leader but the root is the child of one other, its parent. */
static void tree(void **state)
{
	(void)state;
	for (int n = 1; n < 70; n++) {
		int edges = 0;

		for (int me = 0; me < n; me++) {
			const struct gaspdb_leaders l = { .me = me, .n = n };
			int child;

			for (int i = 0;
			     (child = gaspdb_leaders_child(&l, i)) >= 0;
			     i++, edges++) {
				assert_in_range(child, me + 1, n - 1);
				assert_int_equal(
					gaspdb_leaders_parent(
						&(struct gaspdb_leaders){
							.me = child, .n = n }),
					me);
			}
		}
		assert_int_equal(edges, n - 1);
	}
}

static void periods(void **state)
{
	static const struct {
		const char *text;
		bool good;
		uint64_t ns;
	} cases[] = {
		{ "off", true, 0 },	   { "0", true, 0 },
		{ "1ms", true, 1000000 },  { "2s", true, 2000000000 },
		{ "999us", false, 0 },	   { "", false, 0 },
		{ "5 hours", false, 0 },   { "-1s", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		uint64_t ns;

		assert_int_equal(gaspdb_clock_period_parse(cases[i].text, &ns),
				 cases[i].good);
		if (cases[i].good)
			assert_int_equal(ns, cases[i].ns);
	}
}

/* --- leaders -------------------------------------------------------------- */

/* The first thread of each host that can lead, as thread 0 and then each of
   them finds it. */
static void chosen(void **state)
{
	static const struct {
		const char *hosts;
		int n, leaders[4];
	} cases[] = {
		{ "AABB", 2, { 0, 2 } },   { "ABAB", 2, { 0, 1 } },
		{ "aAbB", 2, { 1, 3 } },   { "AABBCBAD", 4, { 0, 2, 4, 7 } },
		{ "AaBb", 2, { 0, 2 } },   { "A.B.", 2, { 0, 2 } },
		{ "abCD", 2, { 2, 3 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int threads, number = 0;

		memset(shared, 0, sizeof *shared);
		threads = say(cases[i].hosts);
		for (int t = 0; t < threads; t++) {
			const bool leads = number < cases[i].n &&
					   cases[i].leaders[number] == t;
			struct gaspdb_leaders l;

			if (cases[i].hosts[t] == '.')
				continue;
			assert_int_equal(finds_itself(&l, t, threads), leads);
			if (!leads)
				continue;
			assert_int_equal(l.me, number++);
			assert_int_equal(l.n, cases[i].n);
			assert_memory_equal(l.ranks, cases[i].leaders,
					    (size_t)l.n * sizeof *l.ranks);
			munmap((void *)(uintptr_t)l.ranks,
			       (size_t)l.n * sizeof *l.ranks);
		}
		assert_int_equal(number, cases[i].n);
	}
}

static int words_written(void)
{
	int n = 0;

	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < GASPDB_UPC_WORDS; i++)
			n += shared->words[t][i] != 0;
	return n;
}

/* One host, or one that can lead, or no thread 0: no leader, and nothing but
   each thread's role. */
static void none(void **state)
{
	static const struct {
		const char *hosts;
		int written;
	} cases[] = { { "AAAA", 8 }, { "Abcd", 8 }, { "abab", 8 },
		      { "A..a", 4 }, { ".ABC", 3 } };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int threads;

		memset(shared, 0, sizeof *shared);
		threads = say(cases[i].hosts);
		for (int t = 0; t < threads; t++) {
			struct gaspdb_leaders l;

			if (cases[i].hosts[t] == '.')
				continue;
			assert_false(finds_itself(&l, t, threads));
		}
		assert_int_equal(words_written(), cases[i].written);
	}
}

/* --- samples -------------------------------------------------------------- */

#define ROUNDS 300

/* A leader's process: barriers, and samples where they are due.  Not recorded. */
static void lead(int thread, int threads)
{
	struct gaspdb_sampler s = GASPDB_SAMPLER_NONE;
	struct gaspdb_leaders l;
	bool is_leader;

	if (gaspdb_upc_find_leaders(&l, thread, threads, &is_leader) ||
	    !is_leader)
		_exit(1);
	s.leaders = &l;
	s.period_ns = GASPDB_CLOCK_PERIOD_LEAST_NS;
	gaspdb_sampler_take(&s, NULL, GASPDB_SAMPLE_AT_START,
			    GASPDB_SAMPLE_SECONDS);
	for (uint64_t number = 1; number <= ROUNDS && !s.stopped; number++) {
		pthread_barrier_wait(&shared->barrier);
		if (!gaspdb_sampler_is_due(&s, number))
			continue;
		shared->samples[thread]++;
		gaspdb_sampler_take(&s, NULL, number, GASPDB_SAMPLE_SECONDS);
	}
	gaspdb_sampler_take(&s, NULL, GASPDB_SAMPLE_AT_END,
			    GASPDB_SAMPLE_SECONDS);
	_exit(s.stopped ? 2 : 0);
}

/* All leaders take the same samples, whatever their number. */
static void samples(void **state)
{
	(void)state;
	for (int n = 2; n <= 9; n++) {
		pthread_barrierattr_t attributes;
		int status;

		memset(shared, 0, sizeof *shared);
		pthread_barrierattr_init(&attributes);
		pthread_barrierattr_setpshared(&attributes,
					       PTHREAD_PROCESS_SHARED);
		pthread_barrier_init(&shared->barrier, &attributes,
				     (unsigned)n);
		say(&"ABCDEFGHIJKLMNOP"[THREADS - n]);
		for (int i = 0; i < n; i++)
			if (!fork())
				lead(i, n);
		for (int i = 0; i < n; i++) {
			assert_true(wait(&status) > 0);
			assert_int_equal(status, 0);
		}
		assert_in_range(shared->samples[0], 1, ROUNDS);
		for (int i = 1; i < n; i++)
			assert_int_equal(shared->samples[i],
					 shared->samples[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tree),	  cmocka_unit_test(periods),
		cmocka_unit_test(chosen), cmocka_unit_test(none),
		cmocka_unit_test(samples),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
