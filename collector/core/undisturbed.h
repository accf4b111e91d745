/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stretch in which the thread is neither cancelled nor interrupted by a
 * handler.  Switching cancellation off is not enough: glibc 2.36 cancels a
 * thread of asynchronous type that does so while a cancellation is on its way.
 */
#ifndef GASPDB_COLLECTOR_CORE_UNDISTURBED_H
#define GASPDB_COLLECTOR_CORE_UNDISTURBED_H

#include <pthread.h>
#include <signal.h>

struct gaspdb_disturbance { /* as it was before */
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
