/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Locks of the adapters' tables, safe in signal handlers.  A thread that
 * already holds a lock does not get another: a handler that interrupts it goes
 * without.  Another thread's lock is waited for, but not for ever: that thread
 * may wait for what was interrupted (memory), or be gone.  No signals are
 * masked; a thread notes that it holds a lock.
 */
#ifndef GASPDB_COLLECTOR_CORE_LOCK_H
#define GASPDB_COLLECTOR_CORE_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

/* All zero: free. */
struct gaspdb_lock {
	atomic_uint state;
	_Atomic pid_t pid;	     /* of the holder's process; 0: none */
	_Atomic(const void *) owner; /* identifies the holder's thread */
};

/*
 * Takes the lock, one at a time per thread. false: the caller goes on without
 * the protected data, and the thread's log counts an event as lost. errno is
 * kept.
 */
bool gaspdb_lock_enter(struct gaspdb_lock *lock);
void gaspdb_lock_leave(struct gaspdb_lock *lock);

#endif
