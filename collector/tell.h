/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A line on stderr that cannot hurt the program: where stderr is a pipe that
 * nobody reads any more, the signal for that is not delivered.
 */
#ifndef GASPDB_TELL_H
#define GASPDB_TELL_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static inline void gaspdb_tell(const char *line, size_t n)
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
