/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Definitions of a name in the modules of the process.  dlsym alone does not
 * find them all: those of a module that was loaded with RTLD_LOCAL are visible
 * to that module's own dependents only.
 */
#include <dlfcn.h>
#include <string.h>

#include "collector/preload/preload.h"

typedef void *dlsym_fn(void *handle, const char *name);

/* dlsym itself is interposed (dlsym.c): libc's by its version. */
static void *find_dlsym(void)
{
	static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.2.5",
						"GLIBC_2.17" };
	void *f = NULL;

	for (size_t i = 0; !f && i < sizeof versions / sizeof *versions; i++)
		f = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
	return f;
}

void *gaspdb_libc_dlsym_address;

void *gaspdb_libc_dlsym(void)
{
	void *f = __atomic_load_n(&gaspdb_libc_dlsym_address, __ATOMIC_ACQUIRE);

	if (!f) {
		f = find_dlsym();
		__atomic_store_n(&gaspdb_libc_dlsym_address, f,
				 __ATOMIC_RELEASE);
	}
	return f;
}

void *gaspdb_real_dlsym(void *handle, const char *name)
{
	dlsym_fn *f = (dlsym_fn *)(size_t)gaspdb_libc_dlsym();
	void *volatile found = f ? f(handle, name) : NULL;

	/* Not the last thing done: a jump to dlsym would hide the caller. */
	return found;
}

struct search {
	struct gaspdb_range range;
	uintptr_t address, bias;
	const char *path; /* NULL: not found */
};

static struct gaspdb_range range_of(const struct dl_phdr_info *info)
{
	struct gaspdb_range r = { UINTPTR_MAX, 0 };

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		const uintptr_t at = info->dlpi_addr + h->p_vaddr;

		if (h->p_type != PT_LOAD)
			continue;
		if (at < r.base)
			r.base = at;
		if (at + h->p_memsz > r.end)
			r.end = at + h->p_memsz;
	}
	return r;
}

static int visit(struct dl_phdr_info *info, size_t size, void *user)
{
	struct search *s = user;
	const struct gaspdb_range range = range_of(info);

	(void)size;
	if (s->address < range.base || s->address >= range.end)
		return 0;
	s->range = range;
	s->bias = info->dlpi_addr;
	s->path = info->dlpi_name;
	return 1;
}

/* dladdr would look at all symbols of the module. */
static struct search search(const void *address)
{
	struct search s = { .address = (uintptr_t)address };

	if (address)
		dl_iterate_phdr(visit, &s);
	return s;
}

struct gaspdb_range gaspdb_range_around(const void *address)
{
	return search(address).range;
}

struct link_map *gaspdb_module_of(const void *address)
{
	const struct search s = search(address);
	struct link_map *module = s.path ? _r_debug.r_map : NULL;

	while (module &&
	       (module->l_addr != s.bias || strcmp(module->l_name, s.path)))
		module = module->l_next;
	return module;
}

void *gaspdb_module_definition(const struct link_map *module, const char *name)
{
	void *handle, *found;

	if (!module->l_name || !*module->l_name)
		return NULL;
	handle = dlopen(module->l_name, RTLD_LAZY | RTLD_NOLOAD);
	if (!handle)
		return NULL;
	found = gaspdb_real_dlsym(handle, name);
	dlclose(handle);
	return gaspdb_module_of(found) == module ? found : NULL;
}

void *gaspdb_module_next(const struct link_map *module, const char *name)
{
	void *found = NULL;

	if (!module)
		return NULL;
	for (module = module->l_next; module && !found; module = module->l_next)
		if (!gaspdb_module_is_own(module))
			found = gaspdb_module_definition(module, name);
	return found;
}

static const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool gaspdb_module_is_own(const struct link_map *module)
{
	static const char prefix[] = "libgaspdb";

	return module && module->l_name &&
	       !strncmp(file_name(module->l_name), prefix, sizeof prefix - 1);
}
