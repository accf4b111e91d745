/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_kills SEED PROCESSES THREADS: a monitor that is not recorded forks
 * processes, whose threads raise steps numbered from 1 for ever, and kills each
 * at a random moment.  Prints for each thread its id and the number of the last
 * step whose call had returned.
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

struct progress {
	_Atomic int tid;
	_Atomic long returned;
};

static struct progress *all; /* shared with the monitor */
static int n_threads;

/* Lines come again and new ones come; so do texts, long enough that blocks and
   pieces of the file are filled quickly. */
static void *raise_steps(void *user)
{
	struct progress *p = user;
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	unsigned tag = gasp_create_event(c, "step", "%ld %s");
	char text[1024];

	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = 0;
	p->tid = gettid();
	for (long i = 1;; i++) {
		if (i % 16 == 0)
			snprintf(text, 20, "%018ld", i);
		text[18] = '-';
		gasp_event_notify(c, tag, GASP_ATOMIC, "k.c",
				  (int)(i % 7 ? i % 100 : i), 0, i, text);
		p->returned = i;
	}
	return NULL;
}

static void work(struct progress *own)
{
	pthread_t thread;

	for (int i = 1; i < n_threads; i++)
		pthread_create(&thread, NULL, raise_steps, &own[i]);
	raise_steps(own);
}

static void wait_until_started(const struct progress *own)
{
	for (int i = 0; i < n_threads; i++)
		while (own[i].returned == 0)
			usleep(50);
}

int main(int argc, char **argv)
{
	const int processes = argc > 3 ? atoi(argv[2]) : 1;
	struct progress *own;
	pid_t pid;

	srandom(argc > 3 ? (unsigned)atoi(argv[1]) : 1);
	n_threads = argc > 3 ? atoi(argv[3]) : 1;
	all = mmap(NULL, sizeof *all * (size_t)(processes * n_threads),
		   PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < processes; i++) {
		own = &all[i * n_threads];
		pid = fork();
		if (pid == 0)
			work(own);
		wait_until_started(own);
		nanosleep(&(struct timespec){ 0, random() % 3000000 }, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	for (int i = 0; i < processes * n_threads; i++)
		printf("%d|%ld\n", all[i].tid, all[i].returned);
	return 0;
}
