/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shmem_polls, of 2 PEs: PE 0 polls in several ways for what PE 1 does LATE.
 * Each way prints how many calls its line made in all: `polls: WAY calls N`.
 *   test   shmem_test, and nothing else
 *   nap    shmem_test, and a nap of half a millisecond
 *   two    shmem_test of two words by turns
 *   many   shmem_test of WORDS words by turns, more than are told apart
 *   fetch  shmem_atomic_fetch of a word of its own
 *   g      shmem_g of one
 *   get    shmem_get of one
 *   mixed  shmem_atomic_fetch of one and shmem_test of another
 *   lock   shmem_test_lock of one that PE 1 holds
 * and, not to be folded,
 *   reads  shmem_g of WORDS words of its own, each another value
 *   remote shmem_g of PE 1's word
 */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

#include "work.h"

#define WORDS	100
#define LATE_US 30000

static long *words, *other, *lock;
static long calls;

static void test(void)
{
	do
		calls++;
	while (!shmem_long_test(words, SHMEM_CMP_EQ, 1)); /* POLLS test */
}

static void nap(void)
{
	do
		usleep(500 * !!calls++);
	while (!shmem_long_test(words, SHMEM_CMP_EQ, 1)); /* POLLS nap */
}

static void two(void)
{
	long *const at[] = { words, other };

	while (!shmem_long_test(at[calls % 2], SHMEM_CMP_EQ, 1)) /* POLLS two */
		calls++;
	calls++;
}

static void many(void)
{
	long *at = words;

	while (!shmem_long_test(at, SHMEM_CMP_EQ, 1)) /* POLLS many */
		at = &words[++calls % WORDS];
	calls++;
}

static void fetch(void)
{
	do
		calls++;
	while (!shmem_long_atomic_fetch(words, 0)); /* POLLS fetch */
}

static void g(void)
{
	do
		calls++;
	while (!shmem_long_g(words, 0)); /* POLLS g */
}

static void get(void)
{
	long value;

	do {
		calls++;
		shmem_long_get(&value, words, 1, 0); /* POLLS get */
	} while (!value);
}

static void mixed(void)
{
	long *at = words;

	/* clang-format off */
	do
		calls += 2;
	while (!shmem_long_atomic_fetch(other, 0) && !shmem_long_test(at, SHMEM_CMP_EQ, 1)); /* POLLS mixed */
	/* clang-format on */
}

static void try_lock(void)
{
	do
		calls++;
	while (shmem_test_lock(lock)); /* POLLS lock */
	shmem_clear_lock(lock);
}

static void reads(void)
{
	for (int i = 0; i < WORDS; i++)
		words[i] = i;
	for (; calls < WORDS; calls++)
		*other += shmem_long_g(&words[calls], 0); /* POLLS reads */
}

static void remote(void)
{
	for (; calls < WORDS; calls++)
		*other += shmem_long_g(words, 1); /* POLLS remote */
}

static const struct {
	const char *name;
	void (*poll)(void);
} ways[] = { { "test", test },	 { "nap", nap },      { "two", two },
	     { "many", many },	 { "fetch", fetch },  { "g", g },
	     { "get", get },	 { "mixed", mixed },  { "lock", try_lock },
	     { "reads", reads }, { "remote", remote } };

enum { LOCK = 8, WAYS = 11 };

static void be_late(int way)
{
	usleep(LATE_US);
	if (way == LOCK)
		shmem_clear_lock(lock);
	else if (way < LOCK)
		shmem_long_p(words, 1, 0); /* LATE */
}

int main(void)
{
	int me;

	shmem_init();
	me = shmem_my_pe();
	words = shmem_calloc(WORDS + 2, sizeof *words);
	other = words + WORDS;
	lock = other + 1;
	for (int way = 0; way < WAYS; way++) {
		calls = words[0] = *other = 0;
		if (me == 1 && way == LOCK)
			shmem_set_lock(lock);
		shmem_barrier_all();
		if (me == 1)
			be_late(way);
		else
			ways[way].poll();
		if (me == 0)
			printf("polls: %s calls %ld\n", ways[way].name, calls);
		shmem_barrier_all();
	}
	shmem_finalize();
	return 0;
}
