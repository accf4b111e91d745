/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line on stderr that cannot hurt the program: where stderr is a pipe that
 * nobody reads any more, the signal for that is not delivered.
 */
#ifndef GASPDB_COLLECTOR_LOG_STDERR_LINE_H
#define GASPDB_COLLECTOR_LOG_STDERR_LINE_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Which file it is. */
struct gaspdb_stderr {
	bool looked, open;
	dev_t device;
	ino_t file;
};

static inline struct gaspdb_stderr gaspdb_stderr_look(void)
{
	struct gaspdb_stderr e = { .looked = true };
	struct stat s;

	e.open = !fstat(STDERR_FILENO, &s);
	if (e.open) {
		e.device = s.st_dev;
		e.file = s.st_ino;
	}
	return e;
}

/*
 * Is it the file that it was when the program began?  Under the number of a
 * closed stderr the program may have opened a file or a connection of its own,
 * where a line of ours does harm.  That cannot be told from a stderr that it
 * has redirected.
 */
static inline bool gaspdb_stderr_is(const struct gaspdb_stderr *first)
{
	const struct gaspdb_stderr now = gaspdb_stderr_look();

	return !first->looked ||
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
