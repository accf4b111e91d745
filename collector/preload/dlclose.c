/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dlclose, passed to the adapter's wrapper (models/common/dlclose.c) once an
 * adapter is loaded; that one notifies the collector.
 */
#include <dlfcn.h>

#include "collector/preload/preload.h"

typedef int dlclose_fn(void *handle);

static _Atomic(dlclose_fn *) wrapper;

static dlclose_fn *find(void *scope)
{
	return (dlclose_fn *)(size_t)gaspdb_real_dlsym(scope, "dlclose");
}

void gaspdb_dlclose_pass_to(void *adapter)
{
	wrapper = find(adapter);
}

__attribute__((visibility("default"))) int dlclose(void *handle)
{
	dlclose_fn *next = wrapper;

	if (!next)
		next = find(RTLD_NEXT);
	return next ? next(handle) : -1;
}
