/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocation that does not return failure: when memory runs out, the operation
 * ends by a jump to its gaspdb_mem_try(). The caller of that owns and frees all
 * that the operation allocated.
 */
#ifndef GASPDB_COMMON_MEMORY_H
#define GASPDB_COMMON_MEMORY_H

#include <stddef.h>

#include "common/error.h"

/* Runs run(user, err) and returns its status, or FAILED ("out of memory") after
   a jump. Applies to this thread; calls may nest. */
enum gaspdb_status gaspdb_mem_try(
	enum gaspdb_status (*run)(void *user, struct gaspdb_error *err),
	void *user, struct gaspdb_error *err);

/* Outside gaspdb_mem_try() these abort. */
_Noreturn void gaspdb_mem_none(void); /* memory has run out */
void *gaspdb_mem_alloc(size_t bytes); /* zeroed */
void *gaspdb_mem_room(size_t bytes);  /* not zeroed */
void *gaspdb_mem_more(void *p, size_t *capacity, size_t needed, size_t item);

/* Grows an array to at least needed items; new ones are zero. */
static inline void *gaspdb_mem_grow(void *p, size_t *capacity, size_t needed,
				    size_t item)
{
	return needed <= *capacity ? p
				   : gaspdb_mem_more(p, capacity, needed, item);
}

#endif
