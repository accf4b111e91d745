/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that does not fail: without memory the operation ends, by a jump
 * to the gaspdb_mem_try() that it runs in.  Whoever calls that owns all that the
 * operation has allocated, and frees it.
 */
#ifndef GASPDB_COMMON_MEMORY_H
#define GASPDB_COMMON_MEMORY_H

#include <stddef.h>

#include "common/error.h"

/*
 * The status of run(user, err), or FAILED ("out of memory") if it was left by
 * a jump.  For this thread; one may run in another, which then goes on.
 */
enum gaspdb_status gaspdb_mem_try(
	enum gaspdb_status (*run)(void *user, struct gaspdb_error *err),
	void *user, struct gaspdb_error *err);

/* Outside of gaspdb_mem_try() they abort. */
_Noreturn void gaspdb_mem_none(void); /* there is no memory */
void *gaspdb_mem_alloc(size_t bytes); /* zeroed */
void *gaspdb_mem_room(size_t bytes);  /* not */
void *gaspdb_mem_more(void *p, size_t *capacity, size_t needed, size_t item);

/* An array of at least needed items; new ones are zero. */
static inline void *gaspdb_mem_grow(void *p, size_t *capacity, size_t needed,
				    size_t item)
{
	return needed <= *capacity ? p
				   : gaspdb_mem_more(p, capacity, needed, item);
}

#endif
