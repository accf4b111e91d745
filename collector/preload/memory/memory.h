/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libgaspdb-memory.so: interposes on malloc and its kin, and counts what is
 * allocated and freed by the place that allocated it.
 *
 * Design.  A block's place and size must be known when it is freed, on any
 * thread, without a header before the block.  So live blocks are in a hash
 * table by address, in 64 shards with a spin lock each; a place's counters have
 * a lock of their own.  A call takes at most two locks, one after the other,
 * and makes no call while it holds one; there is no allocation by malloc.
 * Small blocks are counters alone: totals are exact, and times those at which
 * the counters are logged.  A block of GASPDB_HEAP_EVENT_BYTES or more is an
 * event besides.  A signal handler that interrupts this library passes its
 * calls on uncounted.
 */
#ifndef GASPDB_COLLECTOR_PRELOAD_MEMORY_MEMORY_H
#define GASPDB_COLLECTOR_PRELOAD_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/process/heap.h"

/* The process's heap; NULL: not counted. */
extern struct gaspdb_heap *gaspdb_heap GASPDB_HIDDEN;

/* State of a thread. */
struct gaspdb_memory_thread {
	volatile int inside; /* in this library, or in the collector's work */
	unsigned calls;
	const void *new_caller; /* of operator new, until it calls malloc */
};
extern _Thread_local struct gaspdb_memory_thread gaspdb_memory_thread
	GASPDB_HIDDEN;

static inline bool gaspdb_heap_is_on(void)
{
	return gaspdb_heap &&
	       atomic_load_explicit(&gaspdb_heap->on, memory_order_relaxed);
}

/* --- start.c -------------------------------------------------------------- */

/* Makes the heap, once, if the process is one to be counted. */
void gaspdb_memory_prepare(void);

/* --- interpose.c ---------------------------------------------------------- */

/* Finds the next definitions of all functions, once. */
void gaspdb_memory_resolve(void);

/* --- places.c ------------------------------------------------------------- */

/* Before the others. */
void gaspdb_places_begin(void);
/* The index of the place that a call by caller counts for; 0: no room.  The
   thread is inside. */
uint32_t gaspdb_place_of(const void *caller, enum gaspdb_heap_call call);
/* Whether the caller may wait for the log: not the loader, which may be in the
   middle of its work, and no runtime. */
bool gaspdb_place_may_log(const void *caller, enum gaspdb_heap_call call);

/* --- live_blocks.c -------------------------------------------------------- */

struct gaspdb_live_block {
	uint64_t bytes;
	uint32_t place; /* its index; 0: not known */
};

/* Makes the table; false: no memory. */
bool gaspdb_live_make(void);
/* Adds a block; what the table still had at its address is returned. */
struct gaspdb_live_block gaspdb_live_add(const void *address, uint64_t bytes,
					 uint32_t place);
/* Removes a block; place 0: it is not there. */
struct gaspdb_live_block gaspdb_live_remove(const void *address);

#endif
