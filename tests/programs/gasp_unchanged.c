/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_unchanged N: recording N events changes nothing that a program could
 * see of its process; if it does, what was and what is, a line each.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gasp.h>
#include <gasp_upc.h>

static unsigned long hash_environment(void)
{
	extern char **environ;
	unsigned long h = 5381;

	for (char **e = environ; *e; e++)
		for (const char *p = *e; *p; p++)
			h = h * 33 + (unsigned char)*p;
	return h;
}

/* What a collector might disturb, as a text. */
static void describe(char *to, size_t size)
{
	struct rlimit files, bytes;
	char cwd[PATH_MAX];
	sigset_t mask;
	mode_t bits = umask(0);
	int blocked = 0, handlers = 0, error = errno;
	struct sigaction action;

	umask(bits);
	getrlimit(RLIMIT_NOFILE, &files);
	getrlimit(RLIMIT_FSIZE, &bytes);
	pthread_sigmask(SIG_BLOCK, NULL, &mask);
	for (int i = 1; i < 64; i++) {
		blocked += sigismember(&mask, i) > 0;
		handlers += !sigaction(i, NULL, &action) &&
			    action.sa_handler != SIG_DFL;
	}
	snprintf(to, size, "%o %lu %lu %d %d %s %lx %d %d", bits,
		 (unsigned long)files.rlim_cur, (unsigned long)bytes.rlim_cur,
		 blocked, handlers, getcwd(cwd, sizeof cwd), hash_environment(),
		 error, waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* Descriptors in use, threads: from /proc. */
static int entries(const char *folder)
{
	DIR *dir = opendir(folder);
	int count = 0;

	if (!dir)
		exit(9);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static void record(long n)
{
	gasp_context_t c = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	unsigned step = gasp_create_event(c, "step", "number %ld");

	for (long i = 1; i <= n; i++)
		gasp_event_notify(c, step, GASP_ATOMIC, "e.c", (int)(i % 50), 0,
				  i);
	gasp_control(c, 0);
	gasp_control(c, 1);
}

int main(int argc, char **argv)
{
	char before[PATH_MAX + 256], after[PATH_MAX + 256];
	int files = entries("/proc/self/fd"),
	    threads = entries("/proc/self/task");

	errno = 77;
	describe(before, sizeof before);
	errno = 77;
	record(argc > 1 ? atol(argv[1]) : 0);
	describe(after, sizeof after);
	if (strcmp(before, after) || files != entries("/proc/self/fd") ||
	    threads != entries("/proc/self/task"))
		printf("%s, %d, %d\n%s, %d, %d\n", before, files, threads,
		       after, entries("/proc/self/fd"),
		       entries("/proc/self/task"));
	return 0;
}
