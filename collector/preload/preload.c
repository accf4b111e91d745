/* SPDX-License-Identifier: BSD-2-Clause */
/* Start of a process with the preload library. */
#include <stdlib.h>

#include "collector/preload/preload.h"

struct gaspdb_stderr gaspdb_first_stderr;

__attribute__((constructor)) static void start(void)
{
	if (getenv("GASPDB_DIR"))
		gaspdb_first_stderr = gaspdb_stderr_identify();
}

/*
 * Called by AddressSanitizer's runtime, which refuses to start behind another
 * library unless told otherwise.  The library's other work can wait until after
 * it.
 */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}
