/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Locks of the adapters' tables.  A signal handler may interrupt a thread that
 * holds one, and end the process or make any call: what wants a lock in there
 * gives up, whichever lock it is, for the thread would wait for itself.  For
 * another thread's lock it waits, but not for ever, as that thread may wait for
 * something that was interrupted (memory), or be gone.
 *
 * No signals are masked: a thread notes that it holds a lock.
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
	_Atomic(const void *) owner; /* stands for the holder's thread */
};

/*
 * Take it.  false: go on without what it protects; the thread's log counts an
 * event as lost.  errno is kept.  A thread takes one at a time.
 */
bool gaspdb_lock_enter(struct gaspdb_lock *lock);
void gaspdb_lock_leave(struct gaspdb_lock *lock);

#endif
