/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of the version that the headers are of. */
#include "archive_library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LIBRARY "libarchive.so.13"
_Static_assert(ARCHIVE_VERSION_NUMBER / 1000000 == 3,
	       "libarchive 3 is " LIBRARY);

struct gaspdb_archive_library gaspdb_la;

static const struct {
	const char *name;
	size_t at; /* in the struct */
} functions[] = {
#define FUNCTION(name) { #name, offsetof(struct gaspdb_archive_library, name) },
	GASPDB_ARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

static bool find_functions(void *library)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *function = dlsym(library, functions[i].name);

		if (!function)
			return false;
		memcpy((char *)&gaspdb_la + functions[i].at, &function,
		       sizeof function);
	}
	return true;
}

enum gaspdb_status gaspdb_archive_library_load(struct gaspdb_error *err)
{
	static bool loaded;
	void *library;

	if (loaded)
		return GASPDB_OK;
	library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
	loaded = library && find_functions(library);
	if (loaded)
		return GASPDB_OK;
	return gaspdb_fail(err, GASPDB_FAILED, "archives cannot be read: %s",
			   dlerror());
}
