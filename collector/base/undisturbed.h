/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A section in which the thread is neither cancelled nor interrupted by a
 * signal handler.  Disabling cancellation is not enough in glibc 2.36, whose
 * handler looks at the type alone: it cancels a thread that has been
 * asynchronous if SIGCANCEL is on its way, at once where the state is
 * disabled first, or later within open, read or close.
 */
#ifndef GASPDB_COLLECTOR_BASE_UNDISTURBED_H
#define GASPDB_COLLECTOR_BASE_UNDISTURBED_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <termios.h>

struct gaspdb_disturbance { /* the state before */
	int state, type;
	sigset_t mask;
};

/* Returns when no SIGCANCEL is on its way; the thread may be cancelled here. A
   cancellation point waits for it. */
static inline void gaspdb_await_cancellation(void)
{
	const int saved = errno;

	tcdrain(-1);
	errno = saved;
}

static inline struct gaspdb_disturbance gaspdb_undisturbed_begin(void)
{
	struct gaspdb_disturbance before;
	sigset_t all;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before.type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.state);
	if (before.type == PTHREAD_CANCEL_ASYNCHRONOUS)
		gaspdb_await_cancellation();
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before.mask);
	return before;
}

static inline void gaspdb_undisturbed_end(struct gaspdb_disturbance before)
{
	pthread_sigmask(SIG_SETMASK, &before.mask, NULL);
	pthread_setcancelstate(before.state, NULL);
	pthread_setcanceltype(before.type, NULL);
}

#endif
