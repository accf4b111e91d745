/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Attributes of this process that it has from its parent, one a line: the same
 * with and without recording.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;

static void signals(FILE *out)
{
	struct sigaction action;
	sigset_t mask, pending;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	sigpending(&pending);
	for (int i = 1; i < NSIG; i++) {
		if (sigaction(i, NULL, &action))
			continue;
		fprintf(out, "signal %d:%s%s%s\n", i,
			action.sa_handler == SIG_IGN ? " ignored" : "",
			sigismember(&mask, i) ? " blocked" : "",
			sigismember(&pending, i) ? " pending" : "");
	}
}

static void limits(FILE *out)
{
	struct rlimit limit;

	for (int i = 0; i < RLIM_NLIMITS; i++)
		if (!getrlimit(i, &limit))
			fprintf(out, "limit %d: %lld %lld\n", i,
				(long long)limit.rlim_cur,
				(long long)limit.rlim_max);
}

static void process(FILE *out)
{
	int subreaper = 0, death = 0;
	mode_t mask = umask(0);
	char *cwd = getcwd(NULL, 0);
	struct itimerval timer;

	prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
	prctl(PR_GET_PDEATHSIG, &death);
	fprintf(out, "subreaper %d, death signal %d, umask %o\n", subreaper,
		death, (unsigned)mask);
	fprintf(out, "working directory %s\n", cwd ? cwd : strerror(errno));
	fprintf(out, "group %d, session %d, nice %d, policy %d\n",
		(int)getpgrp(), (int)getsid(0), getpriority(PRIO_PROCESS, 0),
		sched_getscheduler(0));
	fprintf(out, "dumpable %d, no new privileges %d\n",
		prctl(PR_GET_DUMPABLE), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	for (int i = 0; i < 3; i++) {
		getitimer(i, &timer);
		fprintf(out, "timer %d: %s\n", i,
			timer.it_value.tv_sec ? "runs" : "none");
	}
	for (int i = 0; i < 64; i++)
		if (fcntl(i, F_GETFD) >= 0 && i != fileno(out))
			fprintf(out, "descriptor %d\n", i);
	umask(mask);
	free(cwd);
}

/* Usage: attributes FILE [ARGUMENT...] */
int main(int argc, char **argv)
{
	size_t bytes = 0;
	int fd = argc > 1 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0600)
			  : -1;
	FILE *out = fd < 0 ? NULL : fdopen(fcntl(fd, F_DUPFD, 200), "w");

	close(fd);
	if (!out)
		return 9;
	signals(out);
	limits(out);
	process(out);
	for (int i = 2; i < argc; i++)
		bytes += strlen(argv[i]);
	fprintf(out, "%d arguments of %zu bytes\n", argc - 2, bytes);
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "LD_PRELOAD=", 11) &&
		    strncmp(*e, "ASAN_OPTIONS=", 13) &&
		    strncmp(*e, "GASPDB_", 7))
			fprintf(out, "%.200s\n", *e);
	fclose(out);
	return 0;
}
