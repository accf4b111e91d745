/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Array statements in the style of POOMA and SMARTS (Shende 2001, 4.5): thread 0
 * breaks each statement into iterates and hands them over; threads 1 and 2 run
 * them later, out of order.  The statement is the entity.  An iterate holds the
 * token of its hand-over, so that its run on another thread counts for the
 * statement, and what it was queued is known.  The program counts and reads the
 * clock itself, inside and outside of what gaspdb measures, and prints both.
 *
 *	gaspdb record -o run -- work_queue
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gaspdb.h"

enum { STATEMENTS = 4, ITERATES = 25, TIMES = 4, RUNNERS = 2 };
enum { ALL = STATEMENTS * ITERATES * TIMES };

static const char *const text[STATEMENTS] = { "A = 1", "B = 2",
					      "C = A + B - 2 * D",
					      "D = C * A" };
static const int rounds[STATEMENTS] = { 500, 1000, 8000, 4000 };

struct iterate {
	int statement;
	gaspdb_work_t work; /* the embedded association */
	long long put_before_ns, put_after_ns;
};

/* What the program knows of a statement. */
struct counter {
	long runs;
	long long inner_ns, outer_ns;
};

static struct iterate iterates[ALL];
static int n_made, n_taken;
static bool all_made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static struct counter made[STATEMENTS], run[RUNNERS][STATEMENTS];
/* From put to begin: at least, at most. */
static long long queued_least[STATEMENTS], queued_most[STATEMENTS];

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static volatile double result;

static void compute(int n)
{
	double x = n;

	for (int i = 0; i < n; i++)
		x = x * 0.999999 + 0.5 / (x + 1);
	result = x;
}

/* --- the runners ---------------------------------------------------------- */

/* The next iterate, last made first: out of order.  NULL: there are no more. */
static struct iterate *take(void)
{
	static struct iterate *stack[ALL];
	static int n, seen;
	struct iterate *i = NULL;

	pthread_mutex_lock(&lock);
	while (n_taken == n_made && !all_made)
		pthread_cond_wait(&more, &lock);
	while (seen < n_made)
		stack[n++] = &iterates[seen++];
	if (n) {
		i = stack[--n];
		n_taken++;
	}
	pthread_mutex_unlock(&lock);
	return i;
}

static void run_iterate(struct iterate *i, struct counter *c)
{
	const long long outer = now_ns();
	long long inner, end;

	gaspdb_work_begin(i->work);
	inner = now_ns();
	compute(rounds[i->statement]);
	end = now_ns();
	gaspdb_work_end(i->work);
	c->inner_ns += end - inner;
	c->outer_ns += now_ns() - outer;
	c->runs++;
	pthread_mutex_lock(&lock);
	queued_least[i->statement] += outer - i->put_after_ns;
	queued_most[i->statement] += inner - i->put_before_ns;
	pthread_mutex_unlock(&lock);
}

static void *runner(void *counters)
{
	struct iterate *i;

	while ((i = take()))
		run_iterate(i, (struct counter *)counters + i->statement);
	return NULL;
}

/* --- the controller ------------------------------------------------------- */

static void hand_over(int statement, gaspdb_entity_t entity)
{
	struct iterate *i;

	pthread_mutex_lock(&lock);
	i = &iterates[n_made];
	i->statement = statement;
	i->put_before_ns = now_ns();
	i->work = gaspdb_work_put(entity);
	i->put_after_ns = now_ns();
	n_made++;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&lock);
}

/* The synchronous part of a statement: its iterates are made. */
static void execute(int statement, gaspdb_entity_t entity)
{
	const long long outer = now_ns();
	long long inner;

	gaspdb_entity_begin(entity);
	inner = now_ns();
	for (int i = 0; i < ITERATES; i++) {
		compute(100);
		hand_over(statement, entity);
	}
	made[statement].inner_ns += now_ns() - inner;
	gaspdb_entity_end(entity);
	made[statement].outer_ns += now_ns() - outer;
	made[statement].runs += ITERATES;
}

static void print(const char *what, const struct counter *c)
{
	for (int s = 0; s < STATEMENTS; s++)
		printf("%s %d runs %ld inner_ns %lld outer_ns %lld\n", what, s,
		       c[s].runs, c[s].inner_ns, c[s].outer_ns);
}

int main(void)
{
	pthread_t runners[RUNNERS];
	gaspdb_entity_t statement[STATEMENTS];

	for (int s = 0; s < STATEMENTS; s++)
		statement[s] = gaspdb_entity_create("statement", text[s], 0);
	for (int r = 0; r < RUNNERS; r++)
		pthread_create(&runners[r], NULL, runner, run[r]);
	for (int i = 0; i < TIMES; i++)
		for (int s = 0; s < STATEMENTS; s++)
			execute(s, statement[s]);
	pthread_mutex_lock(&lock);
	all_made = true;
	pthread_cond_broadcast(&more);
	pthread_mutex_unlock(&lock);
	for (int r = 0; r < RUNNERS; r++)
		pthread_join(runners[r], NULL);
	print("made", made);
	print("run1", run[0]);
	print("run2", run[1]);
	for (int s = 0; s < STATEMENTS; s++)
		printf("queued %d least_ns %lld most_ns %lld\n", s,
		       queued_least[s], queued_most[s]);
	return 0;
}
