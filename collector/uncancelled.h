/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stretch in which the thread is not cancelled.  Switching the state off is
 * not enough: glibc 2.36 cancels a thread of asynchronous type that does so
 * while the cancellation is on its way.
 */
#ifndef GASPDB_UNCANCELLED_H
#define GASPDB_UNCANCELLED_H

#include <pthread.h>

struct gaspdb_cancellation {
	int state, type;
};

static inline struct gaspdb_cancellation gaspdb_uncancelled_begin(void)
{
	struct gaspdb_cancellation before;

	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before.type);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.state);
	return before;
}

static inline void gaspdb_uncancelled_end(struct gaspdb_cancellation before)
{
	pthread_setcancelstate(before.state, NULL);
	pthread_setcanceltype(before.type, NULL);
}

#endif
