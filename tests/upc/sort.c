/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sort that calls another collective by its public name, as a library may:
   one call of the program's. */
#include "collectives.h"

void upc_all_sort(const void *target, size_t element_bytes, size_t elements,
		  size_t block, int (*compare)(const void *, const void *),
		  upc_flag_t flags)
{
	const struct rt_calls before = rt_calls;

	upc_all_gather_all(target, target, element_bytes,
			   UPC_IN_NOSYNC | UPC_OUT_NOSYNC);
	rt_calls = before;
	rt_collective((size_t)target + element_bytes + 7 * elements +
			      9 * block + (size_t)compare,
		      flags);
}
