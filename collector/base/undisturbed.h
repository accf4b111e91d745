/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A section in which the thread is neither cancelled nor interrupted by a
 * signal handler.  Disabling cancellation is not enough: glibc 2.36 cancels an
 * asynchronous thread that does so while a cancellation is pending.
 */
#ifndef GASPDB_COLLECTOR_BASE_UNDISTURBED_H
#define GASPDB_COLLECTOR_BASE_UNDISTURBED_H

#include <pthread.h>
#include <signal.h>

struct gaspdb_disturbance { /* the state before */
	int state, type;
	sigset_t mask;
};

static inline struct gaspdb_disturbance gaspdb_undisturbed_begin(void)
{
	struct gaspdb_disturbance before;
	sigset_t all;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before.type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.state);
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
