/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is there: without any the import ends, by a jump to where it
 * began.  Each thread that calls these sets, before, where that is.
 */
#ifndef GASPDB_MEMORY_H
#define GASPDB_MEMORY_H

#include <setjmp.h>
#include <stddef.h>

/* Where to jump; NULL: abort. */
extern _Thread_local jmp_buf *gaspdb_mem_exhausted;

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
