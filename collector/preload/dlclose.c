/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dlclose.  The collector is to know when code may have left its address:
 * another library can be loaded there before the next event.
 */
#include <dlfcn.h>

#include "collector/process/handover.h"
#include "collector/preload/preload.h"

static _Atomic(gaspdb_unload_fn *) begin, end;

void gaspdb_dlclose_watch(void *adapter)
{
	end = (gaspdb_unload_fn *)(size_t)gaspdb_real_dlsym(adapter,
							    GASPDB_UNLOAD_END);
	begin = (gaspdb_unload_fn *)(size_t)gaspdb_real_dlsym(
		adapter, GASPDB_UNLOAD_BEGIN);
}

__attribute__((visibility("default"))) int dlclose(void *handle)
{
	gaspdb_unload_fn *const watch = begin;
	int (*next)(void *) = (int (*)(void *))(size_t)gaspdb_real_dlsym(
		RTLD_NEXT, "dlclose");
	int rc;

	if (!next)
		return -1;
	if (watch)
		watch();
	rc = next(handle);
	if (watch)
		end();
	return rc;
}
