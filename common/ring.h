/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Slots that one thread fills and another empties, in turn: a bounded queue
 * between exactly two threads.  What a slot holds is theirs: the ring says
 * whose it is.  Whoever waits sleeps, so slots should hold much.
 */
#ifndef GASPDB_COMMON_RING_H
#define GASPDB_COMMON_RING_H

#include <pthread.h>
#include <stdbool.h>

struct gaspdb_ring {
	unsigned slots;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	/* Guarded by the mutex: slots ever filled, and emptied of these. */
	unsigned long filled, emptied;
	bool closed;
};

#define GASPDB_RING_CLOSED (~0u)

void gaspdb_ring_init(struct gaspdb_ring *r, unsigned slots);
void gaspdb_ring_fini(struct gaspdb_ring *r);

/* Who fills: wait for a slot that is empty; CLOSED: nobody wants any more.
   The same until it is passed on. */
unsigned gaspdb_ring_empty_slot(struct gaspdb_ring *r);
/* It is full. */
void gaspdb_ring_fill(struct gaspdb_ring *r);
/* Wait until all that were filled are empty again. */
void gaspdb_ring_settle(struct gaspdb_ring *r);

/* Who empties: wait for the next full slot; CLOSED: there will be none. */
unsigned gaspdb_ring_full_slot(struct gaspdb_ring *r);
/* It is empty. */
void gaspdb_ring_empty(struct gaspdb_ring *r);

/* Either: no slot will be filled any more.  Full ones can still be emptied. */
void gaspdb_ring_close(struct gaspdb_ring *r);

/*
 * Start a thread to which no signal goes: those are the main thread's, and a
 * write beyond the size limit then fails instead of killing.  false: there
 * cannot be one.
 */
bool gaspdb_thread_start(pthread_t *thread, void *(*run)(void *), void *user);

#endif
