/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that a program has in memory at its start: itself and its libraries. */
#ifndef GASPDB_CLI_RECORD_LOADED_H
#define GASPDB_CLI_RECORD_LOADED_H

#include <stdbool.h>
#include <stddef.h>

/* Paths, each once. */
struct gaspdb_loaded_files {
	char **path;
	size_t n;
};

/* Adds a program and the libraries that the dynamic loader finds for it here.
   The program is not run. */
void gaspdb_loaded_files_add(struct gaspdb_loaded_files *l,
			     const char *program);
void gaspdb_loaded_files_free(struct gaspdb_loaded_files *l);

/* Is the file compiled with -finstrument-functions?  Writes its build-id as
   hexadecimal digits, or "-". */
bool gaspdb_is_instrumented(const char *path, char *build_id, size_t size);

#endif
