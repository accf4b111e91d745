/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shmem_ptr: a local question, but what the program does through the pointer
 * is no call.  The log says so, once.
 */
#include <stdatomic.h>

#include "adapter.h"

GASPDB_EXPORT void *shmem_ptr(const void *ptr, int pe)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	void *result = pshmem_ptr(ptr, pe);

	if (result && result != ptr &&
	    !atomic_flag_test_and_set_explicit(&told, memory_order_relaxed))
		gaspdb_meta(
			"not_seen",
			"loads and stores through pointers from shmem_ptr; "
			"use shmem_get and shmem_put to have them recorded");
	return result;
}
