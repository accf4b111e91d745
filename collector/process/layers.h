/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that pass through several layers: see layers.c. */
#ifndef GASPDB_COLLECTOR_PROCESS_LAYERS_H
#define GASPDB_COLLECTOR_PROCESS_LAYERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "collector/base/compiler.h"
#include "collector/core/collector.h"

/* --- callers -------------------------------------------------------------- */

enum gaspdb_caller {
	GASPDB_PROGRAM,
	GASPDB_RUNTIME,
	GASPDB_LIBC,
	GASPDB_BINDING,	 /* Python, an extension module, or libffi */
	GASPDB_LANGUAGE, /* a language's run-time library, for the program */
	GASPDB_HELPER	 /* a library below a runtime or below libc, or ours */
};

/* Bits of a caller in the cache. */
#define GASPDB_CALLER_BITS 3

/* Cache of callers: a return address, shifted, and its caller; 0: free. */
#define GASPDB_CALLER_CACHE_SIZE 1024u /* a power of two */
extern _Atomic uint64_t
	gaspdb_caller_cache[GASPDB_CALLER_CACHE_SIZE] GASPDB_HIDDEN;

/* Finds the caller in the process's modules, and caches it. */
GASPDB_COLD enum gaspdb_caller gaspdb_find_caller(const void *pc);

static inline enum gaspdb_caller gaspdb_caller_at(const void *pc)
{
	const uint64_t address = (uint64_t)(uintptr_t)pc;
	const uint64_t answer = atomic_load_explicit(
		&gaspdb_caller_cache[address & (GASPDB_CALLER_CACHE_SIZE - 1)],
		memory_order_relaxed);

	return GASPDB_LIKELY(answer >> GASPDB_CALLER_BITS == address)
		       ? (enum gaspdb_caller)(answer &
					      ((1u << GASPDB_CALLER_BITS) - 1))
		       : gaspdb_find_caller(pc);
}

/* Whether the runtime makes the call itself. libc calls a profiling name in the
   runtime's exit handler, whose last act is a jump. */
static inline bool gaspdb_is_runtime(const struct gaspdb_entry *e,
				     enum gaspdb_caller caller)
{
	return caller == GASPDB_RUNTIME ||
	       (caller == GASPDB_LIBC && e->profiling);
}

/* Whether a function of libc is called for the program, whatever library makes
   the call for it. */
static inline bool gaspdb_is_for_program(enum gaspdb_caller caller)
{
	return caller != GASPDB_RUNTIME && caller != GASPDB_HELPER;
}

/* --- entries -------------------------------------------------------------- */

/* Set while a call was made by a profiling name: by the preload library's
   trampoline; the wrapper resets it. */
extern _Thread_local char gaspdb_by_profiling_name GASPDB_HIDDEN;

/* Place where the outermost layer was called, valid for calls deeper than
   frame, the layer's own; pc NULL: none. */
extern _Thread_local struct gaspdb_place gaspdb_outermost GASPDB_HIDDEN;

static inline void gaspdb_entry_pass_on(struct gaspdb_entry *e)
{
	e->profiling = gaspdb_by_profiling_name;
	e->to_other = e->wrapped && !e->profiling;
	gaspdb_by_profiling_name = 0;
}

/* Notes the place of a call that is passed to another tool, for the calls that
   the tool makes. frame: the wrapper's, or a callee's. */
GASPDB_COLD void gaspdb_entry_note(struct gaspdb_entry *e, uintptr_t frame);
/* Moves a recorded call to the outermost layer's place. */
GASPDB_COLD void gaspdb_entry_use_place(struct gaspdb_entry *e,
					uintptr_t frame);

#endif
