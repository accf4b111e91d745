/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loaded modules by address, from the loader's segment tables.  dladdr(3) would
 * search all symbols of the module.
 */
#ifndef GASPDB_COLLECTOR_BASE_LOADED_MODULE_H
#define GASPDB_COLLECTOR_BASE_LOADED_MODULE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_range {
	uintptr_t base, end; /* equal or reversed: empty */
};

static inline bool gaspdb_is_in(const struct gaspdb_range *range,
				const void *address)
{
	return (uintptr_t)address >= range->base &&
	       (uintptr_t)address < range->end;
}

/* Range of a module's loaded segments that have all of flags (PF_W ...). */
static inline struct gaspdb_range
gaspdb_segments_range(const struct dl_phdr_info *info, ElfW(Word) flags)
{
	struct gaspdb_range r = { UINTPTR_MAX, 0 };

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		const uintptr_t base = info->dlpi_addr + h->p_vaddr;

		if (h->p_type != PT_LOAD || (h->p_flags & flags) != flags)
			continue;
		if (base < r.base)
			r.base = base;
		if (base + h->p_memsz > r.end)
			r.end = base + h->p_memsz;
	}
	return r;
}

struct gaspdb_loaded_module {
	struct gaspdb_range range; /* empty: not found */
	uintptr_t bias;
	const char *path; /* the loader's; NULL: not found */
};

struct gaspdb_module_search {
	const void *address;
	struct gaspdb_loaded_module found;
};

static inline int gaspdb_module_visit(struct dl_phdr_info *info, size_t size,
				      void *user)
{
	struct gaspdb_module_search *s = user;
	const struct gaspdb_range range = gaspdb_segments_range(info, 0);

	(void)size;
	if (!gaspdb_is_in(&range, s->address))
		return 0;
	s->found = (struct gaspdb_loaded_module){ range, info->dlpi_addr,
						  info->dlpi_name };
	return 1;
}

/* The module that contains address; NULL is in none. */
static inline struct gaspdb_loaded_module
gaspdb_loaded_module(const void *address)
{
	struct gaspdb_module_search s = { .address = address };

	if (address)
		dl_iterate_phdr(gaspdb_module_visit, &s);
	return s.found;
}

#endif
