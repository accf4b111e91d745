/* SPDX-License-Identifier: BSD-2-Clause */
/* Private memory of the process in its logs (record --memory). */
#ifndef GASPDB_COLLECTOR_CORE_HEAP_HEAP_H
#define GASPDB_COLLECTOR_CORE_HEAP_HEAP_H

#include <stdbool.h>

#include "collector/base/compiler.h"
#include "collector/process/heap.h"

#ifndef GASPDB_UPC_OBJECT

/* The process's heap; NULL: not recorded. */
extern struct gaspdb_heap *gaspdb_heap_logged GASPDB_HIDDEN;

static inline bool gaspdb_heap_is_logged(void)
{
	return gaspdb_heap_logged != NULL;
}

/* Begins to log the heap, if libgaspdb-memory.so counts it (GASPDB_MEMORY). */
void gaspdb_heap_start(void);

/* Logs what has changed for the last time, and stops the counting.  make:
   a thread without a log gets one. */
void gaspdb_heap_finish(bool make);

/* Logs what has changed: a module is about to be unloaded, after which its
   lines are not known. */
void gaspdb_heap_log(void);

/* Logs what has changed, if it is due: before a call that may be the last. */
GASPDB_COLD void gaspdb_heap_log_due(void);
static inline void gaspdb_heap_check(void)
{
	if (GASPDB_UNLIKELY(gaspdb_heap_logged != NULL) &&
	    atomic_load_explicit(&gaspdb_heap_logged->changed,
				 memory_order_relaxed))
		gaspdb_heap_log_due();
}

#else /* the collector in a UPC program has no libgaspdb-memory.so */
static inline bool gaspdb_heap_is_logged(void)
{
	return false;
}
static inline void gaspdb_heap_start(void)
{
}
static inline void gaspdb_heap_finish(bool make)
{
	(void)make;
}
static inline void gaspdb_heap_log(void)
{
}
static inline void gaspdb_heap_check(void)
{
}
#endif

#endif
