/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation, with a jump when memory runs out. */
#include "common/memory.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define LARGE ((size_t)1 << 20)

/* jump target; NULL: abort */
static _Thread_local jmp_buf *exhausted;

void gaspdb_mem_none(void)
{
	if (exhausted)
		longjmp(*exhausted, 1);
	abort();
}

enum gaspdb_status gaspdb_mem_try(
	enum gaspdb_status (*run)(void *user, struct gaspdb_error *err),
	void *user, struct gaspdb_error *err)
{
	jmp_buf *const outer = exhausted;
	jmp_buf here;
	enum gaspdb_status status;

	if (setjmp(here)) {
		exhausted = outer;
		return gaspdb_fail(err, GASPDB_FAILED, "out of memory");
	}
	exhausted = &here;
	status = run(user, err);
	exhausted = outer;
	return status;
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

/* Grows an array: doubled while small, by a quarter when large, to bound unused
   memory. */
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
