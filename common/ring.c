/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring buffer. Producer and consumer never wait at the same time, so that one
   condition variable suffices. */
#include "common/ring.h"

#include <signal.h>

/* independent of the process's stack limit */
enum { STACK_BYTES = 1 << 20 };

void gaspdb_ring_init(struct gaspdb_ring *r, unsigned slots)
{
	r->slots = slots;
	r->filled = r->emptied = 0;
	r->closed = false;
	pthread_mutex_init(&r->mutex, NULL);
	pthread_cond_init(&r->changed, NULL);
}

void gaspdb_ring_fini(struct gaspdb_ring *r)
{
	pthread_mutex_destroy(&r->mutex);
	pthread_cond_destroy(&r->changed);
}

/* --- producer ------------------------------------------------------------- */

/* Is at least half of the ring empty? A producer that found it full waits for
   that, because a wake-up costs more than filling a small slot. */
static bool half_empty(const struct gaspdb_ring *r)
{
	return r->filled - r->emptied <= r->slots / 2;
}

unsigned gaspdb_ring_empty_slot(struct gaspdb_ring *r)
{
	unsigned slot;

	pthread_mutex_lock(&r->mutex);
	if (r->filled - r->emptied == r->slots)
		while (!r->closed && !half_empty(r))
			pthread_cond_wait(&r->changed, &r->mutex);
	slot = r->closed ? GASPDB_RING_CLOSED
			 : (unsigned)(r->filled % r->slots);
	pthread_mutex_unlock(&r->mutex);
	return slot;
}

void gaspdb_ring_fill(struct gaspdb_ring *r)
{
	pthread_mutex_lock(&r->mutex);
	r->filled++;
	pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->mutex);
}

void gaspdb_ring_settle(struct gaspdb_ring *r)
{
	pthread_mutex_lock(&r->mutex);
	while (r->filled != r->emptied)
		pthread_cond_wait(&r->changed, &r->mutex);
	pthread_mutex_unlock(&r->mutex);
}

/* --- consumer ------------------------------------------------------------- */

unsigned gaspdb_ring_full_slot(struct gaspdb_ring *r)
{
	unsigned slot;

	pthread_mutex_lock(&r->mutex);
	while (!r->closed && r->filled == r->emptied)
		pthread_cond_wait(&r->changed, &r->mutex);
	slot = r->filled == r->emptied ? GASPDB_RING_CLOSED
				       : (unsigned)(r->emptied % r->slots);
	pthread_mutex_unlock(&r->mutex);
	return slot;
}

void gaspdb_ring_empty(struct gaspdb_ring *r)
{
	pthread_mutex_lock(&r->mutex);
	r->emptied++;
	if (half_empty(r))
		pthread_cond_signal(&r->changed);
	pthread_mutex_unlock(&r->mutex);
}

/* --- both ----------------------------------------------------------------- */

void gaspdb_ring_close(struct gaspdb_ring *r)
{
	pthread_mutex_lock(&r->mutex);
	r->closed = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->mutex);
}

bool gaspdb_thread_start(pthread_t *thread, void *(*run)(void *), void *user)
{
	sigset_t all, old;
	pthread_attr_t sized;
	bool started;

	if (pthread_attr_init(&sized))
		return false;
	pthread_attr_setstacksize(&sized, STACK_BYTES);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	started = !pthread_create(thread, &sized, run, user);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&sized);
	return started;
}
