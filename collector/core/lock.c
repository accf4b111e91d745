/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks that are safe in signal handlers: see lock.h. */
#include "collector/core/lock.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/base/clock.h"
#include "collector/base/compiler.h"
#include "collector/core/context.h"
#include "collector/process/process.h"

/* BROKEN: the holder has kept it too long, and threads no longer wait for it.
   When the holder leaves it, it is free and the data is whole. */
enum { FREE, HELD, WAITED_FOR, BROKEN };

#define SPINS	    100
#define WAIT_NS	    10000000
#define PATIENCE_NS 2000000000

/* The lock that the thread holds or is about to take, and its stack pointer
   then. */
static _Thread_local struct {
	volatile uintptr_t frame; /* 0: none */
	struct gaspdb_lock *lock;
} inside;

static bool replace(struct gaspdb_lock *l, unsigned from, unsigned to)
{
	return atomic_compare_exchange_strong_explicit(&l->state, &from, to,
						       memory_order_acquire,
						       memory_order_relaxed);
}

/* Sleeps until the lock is left, at most WAIT_NS; returns the time, which stops
   counting while all threads are stopped. */
static int64_t sleep_on(struct gaspdb_lock *l)
{
	const struct timespec most = { 0, WAIT_NS };
	const int64_t start = gaspdb_clock_ns(CLOCK_MONOTONIC);
	int64_t passed;

	syscall(SYS_futex, &l->state, FUTEX_WAIT_PRIVATE, WAITED_FOR, &most,
		NULL, 0);
	passed = gaspdb_clock_ns(CLOCK_MONOTONIC) - start;
	return passed < WAIT_NS ? passed : WAIT_NS;
}

static bool wait_for(struct gaspdb_lock *l)
{
	int64_t patience = PATIENCE_NS;
	unsigned state;
	pid_t pid;

	for (int i = 0; i < SPINS; i++)
		if (l->state == FREE && replace(l, FREE, HELD))
			return true;
	while (patience > 0) {
		state = l->state;
		pid = l->pid;
		if (state == BROKEN)
			return false;
		if (state == FREE) {
			if (replace(l, FREE, WAITED_FOR))
				return true;
			continue;
		}
		if (pid && pid != gaspdb_process.pid)
			break; /* held by a thread of the parent, at the fork */
		if (state == WAITED_FOR || replace(l, HELD, WAITED_FOR))
			patience -= sleep_on(l);
	}
	replace(l, HELD, BROKEN);
	replace(l, WAITED_FOR, BROKEN);
	return false;
}

/* Whether the thread holds a lock in a deeper frame.  If a longjmp has left
   that frame, the lock is broken: its data may be half changed. */
static GASPDB_COLD bool is_inside(uintptr_t frame)
{
	struct gaspdb_lock *l = inside.lock;
	struct gaspdb_context *c;

	if (!gaspdb_was_left(inside.frame, frame)) {
		c = gaspdb_context_current();
		/* An end of the process loses nothing by that. */
		if (c && c->frame != UINTPTR_MAX)
			c->lost_interrupted++;
		return true;
	}
	if (l->owner == &inside) {
		replace(l, HELD, BROKEN);
		replace(l, WAITED_FOR, BROKEN);
	}
	return false;
}

static GASPDB_COLD bool enter_late(struct gaspdb_lock *l)
{
	const int saved = errno;
	const bool got = wait_for(l);

	errno = saved;
	return got;
}

GASPDB_EXPORT bool gaspdb_lock_enter(struct gaspdb_lock *l)
{
	const uintptr_t frame = gaspdb_stack_pointer;

	if (GASPDB_UNLIKELY(inside.frame) && is_inside(frame))
		return false;
	/* First: a signal may arrive at any time from now on. */
	inside.lock = l;
	atomic_signal_fence(memory_order_seq_cst);
	inside.frame = frame;
	atomic_signal_fence(memory_order_seq_cst);
	if (GASPDB_UNLIKELY(!replace(l, FREE, HELD)) && !enter_late(l)) {
		inside.frame = 0;
		return false;
	}
	atomic_store_explicit(&l->owner, &inside, memory_order_relaxed);
	atomic_store_explicit(&l->pid, gaspdb_process.pid,
			      memory_order_relaxed);
	return true;
}

static GASPDB_COLD void wake_one(struct gaspdb_lock *l)
{
	const int saved = errno;

	syscall(SYS_futex, &l->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	errno = saved;
}

GASPDB_EXPORT void gaspdb_lock_leave(struct gaspdb_lock *l)
{
	atomic_store_explicit(&l->owner, NULL, memory_order_relaxed);
	atomic_store_explicit(&l->pid, 0, memory_order_relaxed);
	if (GASPDB_UNLIKELY(atomic_exchange_explicit(&l->state, FREE,
						     memory_order_release) ==
			    WAITED_FOR))
		wake_one(l);
	atomic_signal_fence(memory_order_seq_cst);
	inside.frame = 0;
}
