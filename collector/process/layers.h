/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that pass through several layers: the collector's side (layers.c). */
#ifndef GASPDB_COLLECTOR_PROCESS_LAYERS_H
#define GASPDB_COLLECTOR_PROCESS_LAYERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/core/collector.h"
#include "collector/core/compiler.h"

/* --- who calls ------------------------------------------------------------ */

enum gaspdb_caller { GASPDB_PROGRAM, GASPDB_RUNTIME, GASPDB_LIBC };

/* The answer for a return address: itself, shifted, and who calls from there.
   0: none so far. */
#define GASPDB_ANSWERS 1024u /* a power of two */
extern _Atomic uint64_t gaspdb_answers[GASPDB_ANSWERS] GASPDB_HIDDEN;

/* Looks in the process's modules; remembers the answer. */
GASPDB_COLD enum gaspdb_caller gaspdb_find_caller(const void *pc);

static inline enum gaspdb_caller gaspdb_caller_at(const void *pc)
{
	const uint64_t address = (uint64_t)(uintptr_t)pc;
	const uint64_t answer = atomic_load_explicit(
		&gaspdb_answers[address & (GASPDB_ANSWERS - 1)],
		memory_order_relaxed);

	return GASPDB_LIKELY(answer >> 2 == address)
		       ? (enum gaspdb_caller)(answer & 3)
		       : gaspdb_find_caller(pc);
}

/*
 * Is it a call that the runtime makes to itself?  From libc, by a profiling
 * name: a handler of the runtime's, at the exit, whose last act is a jump.
 */
static inline bool gaspdb_is_runtime(const struct gaspdb_entry *e)
{
	const enum gaspdb_caller caller = gaspdb_caller_at(e->pc);

	return GASPDB_UNLIKELY(caller != GASPDB_PROGRAM) &&
	       (caller == GASPDB_RUNTIME || e->profiling);
}

/* --- entries -------------------------------------------------------------- */

/* The call that is made now was made by a profiling name: set by the preload
   library's trampoline, reset by the wrapper. */
extern _Thread_local char gaspdb_by_profiling_name GASPDB_HIDDEN;

/* Where the outermost layer was called; pc NULL: nowhere.  It holds for what is
   called within frame, the layer's own. */
extern _Thread_local struct gaspdb_place gaspdb_outermost GASPDB_HIDDEN;

static inline void gaspdb_entry_pass_on(struct gaspdb_entry *e)
{
	e->profiling = gaspdb_by_profiling_name;
	e->to_other = e->wrapped && !e->profiling;
	gaspdb_by_profiling_name = 0;
}

/* The call is passed on to another tool: what that calls has its place.  frame:
   the wrapper's, or of a function that it called. */
GASPDB_COLD void gaspdb_entry_note(struct gaspdb_entry *e, uintptr_t frame);
/* The call is recorded: at the outermost layer's place. */
GASPDB_COLD void gaspdb_entry_take_place(struct gaspdb_entry *e,
					 uintptr_t frame);

#endif
