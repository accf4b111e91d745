/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of gaspdb.h. */
#include "collector/include/gaspdb.h"

#include "collector/core/context.h"
#include "collector/process/process.h"

GASPDB_EXPORT const char *gaspdb_run_directory(void)
{
	const struct gaspdb_process *p = &gaspdb_process;

	return gaspdb_context_get() && p->dir.path[0] ? p->dir.path : NULL;
}
