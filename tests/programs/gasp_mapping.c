/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_mapping: what gaspdb.h promises of entities, associations and work, with
 * threads, signals and a fork.  Prints a line for each broken promise, then
 * "checked".  gasp_mapping killed: the same, and is killed with work open.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gaspdb.h"
#include "pupc.h"

static atomic_int broken;

static void check(bool kept, const char *promise)
{
	if (kept)
		return;
	printf("broken: %s\n", promise);
	broken++;
}

/* --- entities ------------------------------------------------------------- */

static void identities(void)
{
	const gaspdb_entity_t a = gaspdb_entity_create("k", "a", 0);
	char name[3000];
	gaspdb_entity_t deep = a, last;
	int depth = 1;

	errno = 77;
	check(a != 0, "an entity has a handle");
	check(a == gaspdb_entity_create("k", "a", 0), "one triple, one handle");
	check(a != gaspdb_entity_create("l", "a", 0), "kinds differ");
	check(a != gaspdb_entity_create("k", "a", a), "parents differ");
	check(gaspdb_entity_create("ka", "", 0) !=
		      gaspdb_entity_create("k", "a", 0),
	      "kind and name are apart");
	check(gaspdb_entity_create(NULL, NULL, 0) ==
		      gaspdb_entity_create("", "", 0),
	      "NULL is empty");
	check(!gaspdb_entity_create("k", "b", 900000), "no such parent");
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = 0;
	last = gaspdb_entity_create("long", name, 0);
	name[GASPDB_ENTITY_NAME_MAX] = 0;
	check(last && last == gaspdb_entity_create("long", name, 0),
	      "long names are cut");
	while ((last = gaspdb_entity_create("deep", "d", deep))) {
		deep = last;
		depth++;
	}
	check(depth == GASPDB_ENTITY_DEPTH_MAX, "the depth of the tree");
	check(errno == 77, "errno is kept");
}

static void mixes(void)
{
	const gaspdb_entity_t a = gaspdb_entity_create("k", "a", 0),
			      b = gaspdb_entity_create("k", "b", 0);
	gaspdb_entity_t many[GASPDB_MIX_MAX + 1], both[] = { a, b };
	gaspdb_entity_t mix = gaspdb_entity_mix(2, both, NULL), wrong[2];

	for (int i = 0; i <= GASPDB_MIX_MAX; i++)
		many[i] = a;
	check(mix != 0, "a mix has a handle");
	check(mix == gaspdb_entity_mix(2, both, (double[]){ 5, 5 }),
	      "one mix, one handle");
	check(mix != gaspdb_entity_mix(2, both, (double[]){ 5, 6 }),
	      "weights differ");
	check(gaspdb_entity_mix(1, both, (double[]){ 1e-300 }) != 0,
	      "a small weight");
	check(gaspdb_entity_mix(GASPDB_MIX_MAX, many, NULL) != 0, "many parts");
	check(!gaspdb_entity_mix(GASPDB_MIX_MAX + 1, many, NULL), "too many");
	check(!gaspdb_entity_mix(0, both, NULL), "none");
	check(!gaspdb_entity_mix(2, both, (double[]){ -1, 2 }), "negative");
	check(!gaspdb_entity_mix(2, both, (double[]){ 0, 0 }), "zero");
	check(!gaspdb_entity_mix(2, both, (double[]){ NAN, 1 }),
	      "not a number");
	check(!gaspdb_entity_mix(2, both, (double[]){ INFINITY, 1 }),
	      "infinite");
	wrong[0] = a;
	wrong[1] = mix;
	check(!gaspdb_entity_mix(2, wrong, NULL), "a mix of mixes");
	check(!gaspdb_entity_create("k", "m", mix), "a mix is no parent");
}

/* --- associations: many threads ------------------------------------------- */

enum { THREADS = 4, KEYS = 20000, ROUNDS = 5, LIVE = 1000, CHURN = 300000 };

static gaspdb_entity_t of_key[7];
static const char space_a, space_b;
static atomic_bool done;

static gaspdb_entity_t expected(uint64_t key)
{
	return of_key[key % 7];
}

/* Each writes keys of its own, and reads all: nothing, or what is right. */
static void *associate(void *number)
{
	const uint64_t mine = (uintptr_t)number;

	for (int round = 0; round < ROUNDS; round++)
		for (uint64_t key = mine; key < KEYS; key += THREADS) {
			gaspdb_entity_t other;

			gaspdb_associate(&space_a, key, expected(key));
			check(gaspdb_associated(&space_a, key) == expected(key),
			      "what was associated is found");
			other = gaspdb_associated(&space_a, KEYS - 1 - key);
			check(!other || other == expected(KEYS - 1 - key),
			      "nothing wrong is found");
		}
	return NULL;
}

/* What stays is found while the table is made anew around it. */
static void *watch(void *unused)
{
	(void)unused;
	while (!done)
		for (uint64_t key = 0; key < KEYS && !done; key += 97)
			check(gaspdb_associated(&space_a, key) == expected(key),
			      "what stays is found");
	return NULL;
}

static long kib_used(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_maxrss;
}

/* Objects that come and go: the table does not grow. */
static void churn(void)
{
	long before = 0;

	for (uint64_t i = 0; i < CHURN; i++) {
		if (i == CHURN / 4)
			before = kib_used();
		gaspdb_associate(&space_b, i, of_key[0]);
		if (i >= LIVE)
			gaspdb_associate(&space_b, i - LIVE, 0);
	}
	check(kib_used() - before < 16 << 10,
	      "removed keys leave their memory");
	check(!gaspdb_associated(&space_b, 5), "a removed key");
	check(gaspdb_associated(&space_b, CHURN - 1) == of_key[0],
	      "a last key");
	check(!gaspdb_associated(NULL, CHURN - 1), "another space");
}

static void associations(void)
{
	pthread_t threads[THREADS], watcher;
	char name[16];

	for (int i = 0; i < 7; i++) {
		snprintf(name, sizeof name, "key %d", i);
		of_key[i] = gaspdb_entity_create("key", name, 0);
	}
	check(!gaspdb_associated(&space_a, 1), "nothing at first");
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, associate, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_create(&watcher, NULL, watch, NULL);
	churn();
	done = true;
	pthread_join(watcher, NULL);
	gaspdb_associate(&space_a, 3, 900000);
	check(gaspdb_associated(&space_a, 3) == expected(3),
	      "no such entity: no effect");
}

/* --- signals, and a fork -------------------------------------------------- */

static gaspdb_entity_t in_handler;
static atomic_int handled;

static void handler(int number)
{
	const gaspdb_entity_t e = gaspdb_entity_create("k", "handler", 0);

	(void)number;
	/* While a lock is held there is no new one. */
	check(!e || !in_handler || e == in_handler, "an entity in a handler");
	if (e)
		in_handler = e;
	gaspdb_associate(&space_b, 7, e);
	gaspdb_associated(&space_b, 7);
	gaspdb_entity_begin(e);
	gaspdb_entity_end(e);
	handled++;
}

static void signals(void)
{
	const struct itimerval every = { { 0, 200 }, { 0, 200 } },
			       never = { 0 };
	char name[32];

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &every, NULL);
	for (int i = 0; i < 200000 && handled < 50; i++) {
		snprintf(name, sizeof name, "storm %d", i % 500);
		gaspdb_entity_create("storm", name, 0);
		gaspdb_associate(&space_b, (uint64_t)i, of_key[1]);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_DFL);
}

static void forks(void)
{
	const gaspdb_entity_t a = gaspdb_entity_create("k", "a", 0);
	const gaspdb_work_t work = gaspdb_work_put(a);
	int status = 1;
	pid_t child = fork();

	if (child == 0) {
		check(a == gaspdb_entity_create("k", "a", 0),
		      "a child's entity");
		check(gaspdb_associated(&space_a, 3) == expected(3),
		      "a child's association");
		gaspdb_entity_begin(a);
		gaspdb_entity_end(a);
		gaspdb_work_begin(work); /* of another process: never put */
		gaspdb_work_end(work);
		fflush(stdout);
		exit(broken != 0);
	}
	waitpid(child, &status, 0);
	check(status == 0, "a child");
}

/* --- events whose number is known ----------------------------------------- */

static void *work_thread(void *work)
{
	for (int i = 0; i < 10; i++) {
		gaspdb_work_begin(((gaspdb_work_t *)work)[i]);
		gaspdb_work_end(((gaspdb_work_t *)work)[i]);
	}
	return NULL;
}

static void events(void)
{
	const gaspdb_entity_t one = gaspdb_entity_create("counted", "one", 0),
			      two = gaspdb_entity_create("counted", "two", one);
	gaspdb_work_t work[10];
	pthread_t thread;

	gaspdb_entity_int(one, "n", 1);
	gaspdb_entity_int(one, "n", -5); /* the last holds */
	gaspdb_entity_real(one, "x", 0.5);
	gaspdb_entity_text(two, "t", "größe");
	gaspdb_entity_text(two, NULL, "no key");
	for (int i = 0; i < 100; i++) {
		gaspdb_entity_begin(one);
		gaspdb_entity_begin(two);
		gaspdb_entity_end(one); /* they cross */
		gaspdb_entity_end(two);
	}
	gaspdb_entity_end(one);	     /* never begun */
	gaspdb_entity_begin(900000); /* no such entity: no effect */
	gaspdb_entity_end(900000);
	pupc_control(0);
	gaspdb_entity_begin(one); /* while recording is off */
	gaspdb_entity_end(one);
	pupc_control(1);
	for (int i = 0; i < 10; i++)
		work[i] = gaspdb_work_put(two);
	check(work[0] && work[0] != work[1], "each put is one");
	check(!gaspdb_work_put(900000), "no work for no entity");
	pthread_create(&thread, NULL, work_thread, work);
	pthread_join(thread, NULL);
	gaspdb_work_begin(work[0]); /* a second time, here */
	gaspdb_work_end(work[0]);
}

int main(int argc, char **argv)
{
	identities();
	mixes();
	associations();
	signals();
	forks();
	events();
	printf("checked%s\n", broken ? ", and broken" : "");
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "killed")) {
		gaspdb_entity_begin(gaspdb_entity_create("counted", "open", 0));
		kill(getpid(), SIGKILL);
	}
	return 0;
}
