/* SPDX-License-Identifier: BSD-2-Clause */
/* Definitions of a name in the process's modules. dlsym misses those of a
   module loaded with RTLD_LOCAL, which only its own dependents see. */
#include <dlfcn.h>
#include <string.h>

#include "collector/preload/preload.h"

typedef void *dlsym_fn(void *handle, const char *name);

/* libc's dlsym by its version, since dlsym.c interposes the name. */
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

	/* Not a tail call: a jump to dlsym would hide the caller. */
	return found;
}

struct gaspdb_range gaspdb_range_around(const void *address)
{
	return gaspdb_loaded_module(address).range;
}

struct link_map *gaspdb_module_of(const void *address)
{
	const struct gaspdb_loaded_module s = gaspdb_loaded_module(address);
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
