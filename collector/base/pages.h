/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pages for the collector's tables, directly from the system: malloc may be
 * what is measured.  Most are never returned, because another thread may still
 * read them.
 */
#ifndef GASPDB_COLLECTOR_BASE_PAGES_H
#define GASPDB_COLLECTOR_BASE_PAGES_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/* Zeroed memory; NULL: none. errno is kept. */
static inline void *gaspdb_pages(size_t bytes)
{
	int saved = errno;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		p = NULL;
	errno = saved;
	return p;
}

static inline uint64_t gaspdb_mix(uint64_t a, uint64_t b)
{
	uint64_t h = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15u;

	return h ^ h >> 29;
}

#endif
