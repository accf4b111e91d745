/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of a loaded module. */
#ifndef GASPDB_COLLECTOR_PROCESS_MODULE_FILE_H
#define GASPDB_COLLECTOR_PROCESS_MODULE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identity of a module's file, for MODULE; size 0: not known. */
struct gaspdb_module_file {
	uint64_t size, inode;
	uint64_t modified_ns, changed_ns; /* mtime, ctime */
	uint64_t checksum; /* CRC-32C of all bytes, plus 2^32; 0: none */
};

/* Path of the running program; false: not known. errno may change. */
bool gaspdb_program_path(char *path, size_t size);

/*
 * Finds the file mapped at base. path: the loader's name, "" for the program;
 * becomes absolute. file NULL: only the path is wanted.  The file is opened and
 * closed; errno may change.
 */
void gaspdb_module_file(uintptr_t base, char *path, size_t size,
			struct gaspdb_module_file *file);

#endif
