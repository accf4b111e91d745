/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of known number for profiles.
 *
 * gasp_profile steps N          N steps, each in a line of 10: a phase "step",
 *                               in it a put of 8 bytes; in each tenth a get of
 *                               100; a mark; three attempts at a lock, of which
 *                               the last takes it
 * gasp_profile wide N           a pair at each of N lines
 * gasp_profile deep N           N calls in each other, then back
 * gasp_profile kills SEED PROCESSES THREADS
 *                               a monitor forks processes, whose threads make
 *                               steps for ever, at ever more lines, and kills
 *                               each at a random moment.  Prints for each thread
 *                               its id, and the numbers of steps and puts that
 *                               had returned
 * gasp_profile cross            pairs that overlap, an end without a start, and
 *                               a start without an end
 * gasp_profile forks [N]        2 N steps, then 2 N in a child, and N more; N is 1
 * gasp_profile across N         N puts in a barrier in a phase, N more in the
 *                               phase alone, N more in none
 * gasp_profile threads N        four threads, which make N, 2 N, 3 N and 4 N
 *                               steps
 * gasp_profile functions N      N calls each of two functions in each other, as
 *                               UPC compilers report them
 * gasp_profile hang             a phase, in it a barrier that is killed
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <gasp.h>
#include <gasp_upc.h>

static _Thread_local gasp_context_t context;
static _Thread_local unsigned step, mark;
static char lock, shared, own;

static void start(unsigned tag, int line)
{
	gasp_event_notify(context, tag, GASP_START, "p.c", line, 0);
}

static void end(unsigned tag, int line)
{
	gasp_event_notify(context, tag, GASP_END, "p.c", line, 0);
}

static void put(int line)
{
	gasp_event_notify(context, GASP_UPC_PUT, GASP_START, "p.c", line, 0, 1,
			  &shared, &own, (size_t)8);
	gasp_event_notify(context, GASP_UPC_PUT, GASP_END, "p.c", line, 0, 1,
			  &shared, &own, (size_t)8);
}

static void get(int line)
{
	gasp_event_notify(context, GASP_UPC_MEMGET, GASP_START, "p.c", line, 0,
			  &own, &shared, (size_t)100);
	gasp_event_notify(context, GASP_UPC_MEMGET, GASP_END, "p.c", line, 0,
			  &own, &shared, (size_t)100);
}

static void attempt(int line, int success)
{
	gasp_event_notify(context, GASP_UPC_LOCK_ATTEMPT, GASP_START, "p.c",
			  line, 0, &lock);
	gasp_event_notify(context, GASP_UPC_LOCK_ATTEMPT, GASP_END, "p.c", line,
			  0, &lock, success);
}

static void begin(void)
{
	context = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	step = gasp_create_event(context, "step", "%d");
	mark = gasp_create_event(context, "mark", "%s");
}

static void one_step(int i)
{
	char text[20];

	gasp_event_notify(context, step, GASP_START, "p.c", 100 + i % 10, 0, i);
	put(10);
	if (i % 10 == 9)
		get(11);
	snprintf(text, sizeof text, "mark %d", i);
	gasp_event_notify(context, mark, GASP_ATOMIC, "p.c", 12, 0, text);
	for (int k = 0; k < 3; k++)
		attempt(13, k == 2);
	gasp_event_notify(context, step, GASP_END, "p.c", 100 + i % 10, 0, i);
}

static void steps(int n)
{
	for (int i = 0; i < n; i++)
		one_step(i);
}

static void wide(int n)
{
	for (int i = 1; i <= n; i++) {
		start(GASP_UPC_FENCE, i);
		end(GASP_UPC_FENCE, i);
	}
}

static void deep(int n)
{
	for (int i = 0; i < n; i++)
		start(GASP_UPC_FENCE, 1);
	for (int i = 0; i < n; i++)
		end(GASP_UPC_FENCE, 1);
}

static void cross(void)
{
	end(GASP_UPC_FENCE, 1);
	start(GASP_UPC_FENCE, 2);
	start(GASP_UPC_BARRIER, 3);
	end(GASP_UPC_FENCE, 4);
	put(5);
	end(GASP_UPC_BARRIER, 6);
	start(step, 7);
	put(8);
}

static void forks(int n)
{
	pid_t child;

	steps(2 * n);
	child = fork();
	if (child == 0) {
		steps(2 * n);
		exit(0);
	}
	waitpid(child, NULL, 0);
	steps(n);
}

static void puts_at(int line, int n)
{
	for (int i = 0; i < n; i++)
		put(line);
}

static void across(int n)
{
	start(step, 1);
	start(GASP_UPC_BARRIER, 2);
	puts_at(3, n);
	end(GASP_UPC_BARRIER, 2);
	puts_at(4, n);
	end(step, 1);
	puts_at(5, n);
}

static int n_of_thread;

static void *steps_of_thread(void *user)
{
	const int times = (int)(size_t)user;

	begin();
	steps(times * n_of_thread);
	return NULL;
}

static void threads(int n)
{
	pthread_t thread[4];

	n_of_thread = n;
	for (size_t i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, steps_of_thread,
			       (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void functions(int n)
{
	static const char *const names[] = { "outer", "inner" };

	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 2; k++)
			gasp_event_notify(context, GASP_C_FUNC, GASP_START,
					  "f.c", 10 * k, 0, names[k]);
		for (int k = 2; k-- > 0;)
			gasp_event_notify(context, GASP_C_FUNC, GASP_END, "f.c",
					  10 * k, 0, names[k]);
	}
}

static void hang(void)
{
	start(step, 1);
	put(2);
	gasp_event_notify(context, GASP_UPC_BARRIER, GASP_START, "p.c", 3, 0, 0,
			  0);
	usleep(20000);
	kill(getpid(), SIGKILL);
}

/* --- kills ---------------------------------------------------------------- */

struct progress {
	_Atomic int tid;
	_Atomic long steps, puts;
};

static struct progress *all; /* shared with the monitor */
static int n_threads;

static void *make_steps(void *user)
{
	struct progress *p = user;
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	unsigned tag = gasp_create_event(c, "step", NULL);

	p->tid = gettid();
	for (long i = 1;; i++) {
		const int line = (int)(i % 7 || i > 20000 ? i % 50 : i);

		gasp_event_notify(c, tag, GASP_START, "k.c", line, 0);
		for (int k = 0; k < 3; k++) {
			gasp_event_notify(c, GASP_UPC_PUT, GASP_START, "k.c", 1,
					  0, 1, &shared, &own, (size_t)8);
			gasp_event_notify(c, GASP_UPC_PUT, GASP_END, "k.c", 1, 0,
					  1, &shared, &own, (size_t)8);
			p->puts++;
		}
		gasp_event_notify(c, tag, GASP_END, "k.c", line, 0);
		p->steps = i;
	}
	return NULL;
}

static void work(struct progress *first)
{
	pthread_t thread;

	for (int i = 1; i < n_threads; i++)
		pthread_create(&thread, NULL, make_steps, &first[i]);
	make_steps(first);
}

static void kills(char **argv)
{
	const int processes = atoi(argv[3]);

	srandom((unsigned)atoi(argv[2]));
	n_threads = atoi(argv[4]);
	all = mmap(NULL, sizeof *all * (size_t)(processes * n_threads),
		   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < processes; i++) {
		struct progress *first = &all[i * n_threads];
		pid_t pid = fork();

		if (pid == 0)
			work(first);
		for (int k = 0; k < n_threads; k++)
			while (first[k].steps == 0)
				usleep(50);
		nanosleep(&(struct timespec){ 0, random() % 4000000 }, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	for (int i = 0; i < processes * n_threads; i++)
		printf("%d %ld %ld\n", all[i].tid, all[i].steps, all[i].puts);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	const int n = argc > 2 ? atoi(argv[2]) : 0;

	if (!strcmp(what, "kills") && argc > 4) {
		kills(argv);
		return 0;
	}
	begin();
	if (!strcmp(what, "steps"))
		steps(n);
	else if (!strcmp(what, "wide"))
		wide(n);
	else if (!strcmp(what, "deep"))
		deep(n);
	else if (!strcmp(what, "cross"))
		cross();
	else if (!strcmp(what, "forks"))
		forks(n ? n : 1);
	else if (!strcmp(what, "across"))
		across(n);
	else if (!strcmp(what, "threads"))
		threads(n);
	else if (!strcmp(what, "functions"))
		functions(n);
	else if (!strcmp(what, "hang"))
		hang();
	else
		return 2;
	return 0;
}
