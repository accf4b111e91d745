/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Wrapper of dlclose, in each library that a program can be linked with.  The
 * collector must know when code may have left its address: the next event can
 * come from another library there.
 */
#include <dlfcn.h>

#include "collector/core/collector.h"

typedef int closing(void *handle);

/* libc's dlclose, or the next wrapper; NULL: none. */
static closing *find_next(void)
{
	static closing *found;
	closing *next = __atomic_load_n(&found, __ATOMIC_RELAXED);
	void *libc;

	if (next)
		return next;
	*(void **)&next = dlsym(RTLD_NEXT, "dlclose");
	/* libc can stand before this library. */
	if (!next && (libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD)))
		*(void **)&next = dlsym(libc, "dlclose");
	__atomic_store_n(&found, next, __ATOMIC_RELAXED);
	return next;
}

GASPDB_EXPORT int dlclose(void *handle)
{
	closing *next = find_next();
	int rc;

	if (!next)
		return -1;
	gaspdb_unload_begin();
	rc = next(handle);
	gaspdb_unload_end();
	return rc;
}
