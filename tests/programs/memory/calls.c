/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of malloc and its kin in known numbers: calls WHAT. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *volatile sink;
static void *blocks[4000];

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

/* --- each function ------------------------------------------------------- */

static int kinds(void)
{
	void *p = NULL;

	for (int i = 0; i < 100; i++)
		blocks[i] = malloc(100); /* malloc */
	for (int i = 0; i < 60; i++)
		free(blocks[i]);
	free(NULL);
	sink = calloc(7, 30); /* calloc */
	for (size_t n = 16; n <= 65536; n *= 2)
		p = realloc(p, n);	  /* realloc */
	sink = reallocarray(NULL, 3, 50); /* reallocarray */
	if (posix_memalign(&p, 64, 500))  /* posix_memalign */
		return 1;
	sink = aligned_alloc(64, 640); /* aligned_alloc */
	sink = memalign(128, 200);     /* memalign */
	sink = valloc(10);	       /* valloc */
	sink = strdup("twelve bytes"); /* strdup */
	sink = realloc(malloc(9), 0);  /* zero */
	return 0;
}

/* What valgrind counts otherwise. */
static int others(void)
{
	sink = pvalloc(20);			    /* pvalloc */
	sink = realloc(malloc(8), (size_t)1 << 62); /* kept */
	errno = 0;
	sink = malloc((size_t)1 << 62); /* failed */
	return sink || errno != ENOMEM;
}

/* --- threads: each frees what the one before has allocated ---------------- */

enum { THREADS = 4, EACH = 1000 };
static pthread_barrier_t all;

static void *exchange(void *arg)
{
	const long own = (long)arg, other = (own + 1) % THREADS;

	for (int round = 0; round < 10; round++) {
		for (int i = 0; i < EACH; i++)
			blocks[own * EACH + i] = malloc(48); /* exchange */
		pthread_barrier_wait(&all);
		for (int i = 0; i < EACH; i++)
			free(blocks[other * EACH + i]);
		pthread_barrier_wait(&all);
	}
	return NULL;
}

static int threads(void)
{
	pthread_t id[THREADS];

	pthread_barrier_init(&all, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&id[i], NULL, exchange, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(id[i], NULL);
	return 0;
}

/* --- before main, and after it -------------------------------------------- */

static const char *what = "";

__attribute__((constructor)) static void before(void)
{
	sink = malloc(31); /* constructor */
}

static void after(void)
{
	sink = malloc(37); /* atexit */
}

__attribute__((destructor)) static void last(void)
{
	if (!strcmp(what, "late"))
		sink = malloc(41); /* destructor */
}

static int late(void)
{
	return atexit(after);
}

/* --- signal handlers ------------------------------------------------------ */

static volatile int handled, in_call;

static void handle(int number)
{
	(void)number;
	if (in_call) /* malloc itself allows no handler to call it */
		return;
	sink = malloc(56); /* handler */
	free(sink);
	handled++;
}

static int signals(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } },
			       never = { 0 };

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 50)
		for (volatile int i = 0; i < 1000; i++)
			;
	in_call = 1;
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%d\n", handled);
	return 0;
}

/* --- a forked child ------------------------------------------------------- */

static int forks(void)
{
	void *volatile inherited = malloc(70); /* inherited */
	int status;
	pid_t child = fork();

	if (!child) {
		free(inherited);
		for (int i = 0; i < 500; i++)
			sink = malloc(5000); /* child */
		exit(7);
	}
	waitpid(child, &status, 0);
	free(inherited);
	return WEXITSTATUS(status) == 7 ? 0 : 1;
}

/* --- killed --------------------------------------------------------------- */

static int killed(void)
{
	for (int i = 0; i < 300; i++)
		blocks[i] = malloc(1000); /* before */
	pause_ms(50);
	for (int i = 0; i < 17; i++) /* a look at the clock each 16 calls */
		blocks[300 + i] = malloc(10); /* later */
	raise(SIGKILL);
	return 1;
}

/* --- a wrapper ------------------------------------------------------------ */

static __attribute__((noinline)) void *xmalloc(size_t n)
{
	void *p = malloc(n); /* xmalloc */

	if (!p)
		abort();
	return p;
}

static int wrapper(void)
{
	sink = xmalloc(100);
	sink = xmalloc(8000); /* caller */
	return 0;
}

/* --- growth --------------------------------------------------------------- */

static int grows(void)
{
	blocks[0] = malloc(2000000); /* once */
	for (int i = 0; i < 200; i++) {
		blocks[1 + i] = malloc(500); /* grows */
		sink = malloc(600);	     /* freed */
		pause_ms(2);
		free(sink);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} modes[] = {
		{ "others", others },	{ "kinds", kinds },
		{ "threads", threads }, { "late", late },
		{ "signals", signals }, { "forks", forks },
		{ "killed", killed },	{ "wrapper", wrapper },
		{ "grows", grows },
	};

	what = argc > 1 ? argv[1] : "";
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcmp(what, modes[i].name))
			return modes[i].run();
	return 2;
}
