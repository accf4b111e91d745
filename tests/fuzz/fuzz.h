/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fuzz targets share: files in memory, in a folder of the process. */
#ifndef GASPDB_FUZZ_H
#define GASPDB_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* A name in the folder; stays as it is. */
char *fuzz_path(const char *name);
/* The same of a folder, which is made. */
char *fuzz_folder(const char *name);
void fuzz_write(const char *path, const void *bytes, size_t n);
/* SQLite gets its memory cheaply, and no locks: before its first use. */
void fuzz_sqlite(void);
/* Let stderr pass, or not. */
void fuzz_quiet(bool quiet);

#endif
