/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places in source text: file, function and line of a call whose return address
 * means nothing, because an interpreter makes it.  A pointer to one stands for
 * the return address.
 */
#ifndef GASPDB_COLLECTOR_CORE_PYTHON_SOURCE_PLACES_H
#define GASPDB_COLLECTOR_CORE_PYTHON_SOURCE_PLACES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "collector/base/compiler.h"

#define GASPDB_SOURCE_PLACES_MAX 65536u /* a power of two */

/* Never freed. */
struct gaspdb_source_place {
	const char *file, *function;
	uint64_t line;
};

/* Where they lie; NULL: there are none. */
extern _Atomic(struct gaspdb_source_place *) gaspdb_source_places GASPDB_HIDDEN;

/* The place that a pointer stands for; NULL: it is an address. */
static inline const struct gaspdb_source_place *
gaspdb_source_place_of(const void *pc)
{
	const struct gaspdb_source_place *first = atomic_load_explicit(
		&gaspdb_source_places, memory_order_acquire);

	return first && (uintptr_t)pc - (uintptr_t)first <
				       GASPDB_SOURCE_PLACES_MAX * sizeof *first
		       ? pc
		       : NULL;
}

/* The one place with these; texts are copied.  NULL: no memory, or too many, or
   a signal handler interrupts another call. */
const struct gaspdb_source_place *
gaspdb_source_place_add(const char *file, const char *function, uint64_t line);

#endif
