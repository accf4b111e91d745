/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that a loaded module defines. */
#ifndef GASPDB_COLLECTOR_PROCESS_MODULE_SYMBOLS_H
#define GASPDB_COLLECTOR_PROCESS_MODULE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the module with this load bias exports a definition of name, by its
 * own hash table.  dlopen and dlsym would need the loader: this works also
 * while the thread is in the middle of a dlopen, and when the process ends.
 */
bool gaspdb_module_defines(uintptr_t bias, const char *path, const char *name);

#endif
