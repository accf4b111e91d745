/* SPDX-License-Identifier: BSD-2-Clause */
/* shmem_ptr, a local query: the log notes, once, that accesses through the
   pointer are not recorded. */
#include <stdatomic.h>

#include "collector/models/shmem/adapter.h"

GASPDB_EXPORT void *shmem_ptr(const void *ptr, int pe)
{
	static atomic_flag reported = ATOMIC_FLAG_INIT;
	extern __typeof__(shmem_ptr) *gaspdb_next_shmem_ptr GASPDB_HIDDEN;
	struct gaspdb_entry entry = GASPDB_ENTRY(gaspdb_next_shmem_ptr);
	void *result;

	gaspdb_entry_pass(&entry);
	result = (entry.to_other ? gaspdb_next_shmem_ptr : pshmem_ptr)(ptr, pe);

	if (result && result != ptr &&
	    !atomic_flag_test_and_set_explicit(&reported, memory_order_relaxed))
		gaspdb_meta(
			"not_seen",
			"loads and stores through pointers from shmem_ptr; "
			"use shmem_get and shmem_put to have them recorded");
	return result;
}
