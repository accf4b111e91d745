/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded: a kernel that does not wipe memory for a forked child. */
#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>

int madvise(void *p, size_t bytes, int advice)
{
	int (*next)(void *, size_t, int) =
		(int (*)(void *, size_t, int))dlsym(RTLD_NEXT, "madvise");

	if (advice == MADV_WIPEONFORK) {
		errno = EINVAL;
		return -1;
	}
	return next(p, bytes, advice);
}
