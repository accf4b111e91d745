/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gasp_storm N: raises N events at 100 sites, with arguments and without, and
 * prints how often memory was allocated meanwhile: malloc and its like are the
 * program's own here, and count.
 */
#include <gasp.h>
#include <gasp_upc.h>

#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

static unsigned long allocations;

void *malloc(size_t bytes)
{
	allocations++;
	return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	allocations++;
	return __libc_calloc(n, bytes);
}

void *realloc(void *p, size_t bytes)
{
	allocations++;
	return __libc_realloc(p, bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
	allocations++;
	return __libc_memalign(alignment, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	return memalign(alignment, bytes);
}

static gasp_context_t context;

#define RAISE(tag, type, line, ...) \
	gasp_event_notify(context, tag, type, "storm.upc", line, 0, __VA_ARGS__)

/* Six events: three of them with a name to be looked up, or none, or three
   numbers. */
static void raise_events(int line, size_t i)
{
	static char shared;

	RAISE(GASP_C_FUNC, GASP_START, line, "int f(void)");
	RAISE(GASP_UPC_MEMGET, GASP_START, line, (void *)(4096 + 8 * i),
	      &shared, i);
	RAISE(GASP_UPC_MEMGET, GASP_END, line, (void *)(4096 + 8 * i), &shared,
	      i);
	RAISE(GASP_UPC_NOTIFY, GASP_START, line, 1, -(int)i);
	RAISE(GASP_UPC_NOTIFY, GASP_END, line, 1, -(int)i);
	RAISE(GASP_C_FUNC, GASP_END, line, "int f(void)");
}

int main(int argc, char **argv)
{
	const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) / 6 : 0;
	unsigned long before;

	context = gasp_init(GASP_MODEL_UPC, &argc, &argv);
	before = allocations;
	for (size_t i = 0; i < n; i++)
		raise_events((int)(i % 100), i);
	printf("%lu\n", allocations - before);
	return 0;
}
