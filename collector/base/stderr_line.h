/* SPDX-License-Identifier: BSD-2-Clause */
/* A line on stderr without harm to the program: a broken pipe's SIGPIPE is not
   delivered. */
#ifndef GASPDB_COLLECTOR_BASE_STDERR_LINE_H
#define GASPDB_COLLECTOR_BASE_STDERR_LINE_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Identity of the file behind stderr. */
struct gaspdb_stderr {
	bool known, open;
	dev_t device;
	ino_t file;
};

static inline struct gaspdb_stderr gaspdb_stderr_identify(void)
{
	struct gaspdb_stderr e = { .known = true };
	struct stat s;

	e.open = !fstat(STDERR_FILENO, &s);
	if (e.open) {
		e.device = s.st_dev;
		e.file = s.st_ino;
	}
	return e;
}

/*
 * Whether stderr is the same file as at the program's start.  After closing it,
 * the program may have opened a file or a connection under its number, where a
 * line of ours does harm.  A redirected stderr looks the same.
 */
static inline bool gaspdb_stderr_is(const struct gaspdb_stderr *first)
{
	const struct gaspdb_stderr now = gaspdb_stderr_identify();

	return !first->known ||
	       (first->open && now.open && now.device == first->device &&
		now.file == first->file);
}

static inline void gaspdb_stderr_line(const char *line, size_t n)
{
	static const struct timespec now = { 0, 0 };
	sigset_t pipe, pending, before;
	int was_pending;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	was_pending = sigismember(&pending, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);
	if (write(STDERR_FILENO, line, n) < 0 && errno == EPIPE && !was_pending)
		sigtimedwait(&pipe, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

#endif
