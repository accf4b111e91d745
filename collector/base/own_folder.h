/* SPDX-License-Identifier: BSD-2-Clause */
/* The folder of a library of ours, where the others are. */
#ifndef GASPDB_COLLECTOR_BASE_OWN_FOLDER_H
#define GASPDB_COLLECTOR_BASE_OWN_FOLDER_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The folder of the library that has the address, with the slash. */
static inline bool gaspdb_own_folder(const void *address, char *folder,
				     size_t size)
{
	Dl_info info;
	char *slash;

	if (!dladdr(address, &info) ||
	    snprintf(folder, size, "%s", info.dli_fname) >= (int)size)
		return false;
	slash = strrchr(folder, '/');
	if (!slash)
		return false;
	slash[1] = 0;
	return true;
}

#endif
