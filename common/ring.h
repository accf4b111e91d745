/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ring buffer: a bounded queue of slots between exactly two threads, a producer
 * and a consumer. The slots' contents are theirs; the ring only says who owns a
 * slot. Waiting sleeps, so that slots should be large.
 */
#ifndef GASPDB_COMMON_RING_H
#define GASPDB_COMMON_RING_H

#include <pthread.h>
#include <stdbool.h>

struct gaspdb_ring {
	unsigned slots;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	/* Guarded by the mutex: total of slots filled, and emptied. */
	unsigned long filled, emptied;
	bool closed;
};

#define GASPDB_RING_CLOSED (~0u)

void gaspdb_ring_init(struct gaspdb_ring *r, unsigned slots);
void gaspdb_ring_fini(struct gaspdb_ring *r);

/* Producer: waits for an empty slot; CLOSED: the consumer has ended. Returns
   the same slot until it is filled. */
unsigned gaspdb_ring_empty_slot(struct gaspdb_ring *r);
/* Producer: passes the slot on. */
void gaspdb_ring_fill(struct gaspdb_ring *r);
/* Producer: waits until all slots are empty. */
void gaspdb_ring_settle(struct gaspdb_ring *r);

/* Consumer: waits for the next full slot; CLOSED: no more. */
unsigned gaspdb_ring_full_slot(struct gaspdb_ring *r);
/* Consumer: returns the slot. */
void gaspdb_ring_empty(struct gaspdb_ring *r);

/* Either: no slot will be filled any more; full ones can still be emptied. */
void gaspdb_ring_close(struct gaspdb_ring *r);

/*
 * Starts a thread with all signals blocked: the main thread gets them, and a
 * write beyond the file-size limit fails instead of killing. false: no thread.
 */
bool gaspdb_thread_start(pthread_t *thread, void *(*run)(void *), void *user);

#endif
