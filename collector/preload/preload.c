/* SPDX-License-Identifier: BSD-2-Clause */
/* The start of a process that the preload library was brought into. */
#include <stdlib.h>

#include "collector/preload/preload.h"

struct gaspdb_stderr gaspdb_first_stderr;

__attribute__((constructor)) static void start(void)
{
	if (getenv("GASPDB_DIR"))
		gaspdb_first_stderr = gaspdb_stderr_look();
}

/*
 * AddressSanitizer's runtime refuses to start where another library comes
 * before it, and asks this function before it looks.  All that the others here
 * do it may know of later.
 */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}
