/* SPDX-License-Identifier: BSD-2-Clause */
/* Lookup of trampolines by name. */
#include <string.h>

#include "collector/preload/preload.h"

/* strcmp, which a sanitizer's runtime intercepts, and cannot serve while it
   searches for the original with dlsym. */
static int compare(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return (unsigned char)*a - (unsigned char)*b;
}

size_t gaspdb_name_find(const char *name)
{
	size_t low = 0, high = gaspdb_n_names;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = compare(name, gaspdb_name(middle));

		if (!order)
			return middle;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return SIZE_MAX;
}

size_t gaspdb_name_profiling(size_t i)
{
	const char *name = gaspdb_name(i);
	char profiling[128] = { *name == 'M' ? 'P' : 'p' };

	if (strlen(name) + 2 > sizeof profiling)
		return SIZE_MAX;
	strcpy(profiling + 1, name);
	return gaspdb_name_find(profiling);
}

size_t gaspdb_name_plain(size_t i)
{
	return gaspdb_profiling_number[i] < 0
		       ? SIZE_MAX
		       : gaspdb_name_find(gaspdb_name(i) + 1);
}
