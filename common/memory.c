/* SPDX-License-Identifier: GPL-3.0-or-later */
/* malloc and friends. */
#include "common/memory.h"

#include <stdlib.h>
#include <string.h>

#define LARGE ((size_t)1 << 20)

_Thread_local jmp_buf *gaspdb_mem_exhausted;

void gaspdb_mem_none(void)
{
	if (gaspdb_mem_exhausted)
		longjmp(*gaspdb_mem_exhausted, 1);
	abort();
}

static void *check(void *p)
{
	if (!p)
		gaspdb_mem_none();
	return p;
}

void *gaspdb_mem_alloc(size_t bytes)
{
	return check(calloc(1, bytes ? bytes : 1));
}

void *gaspdb_mem_room(size_t bytes)
{
	return check(malloc(bytes ? bytes : 1));
}

/* Room that nothing is in is memory all the same: a large array has little. */
void *gaspdb_mem_more(void *p, size_t *capacity, size_t needed, size_t item)
{
	size_t n = *capacity ? *capacity : 16;

	while (n < needed)
		n += n * item < LARGE ? n : n / 4;
	p = check(reallocarray(p, n, item));
	memset((char *)p + *capacity * item, 0, (n - *capacity) * item);
	*capacity = n;
	return p;
}
