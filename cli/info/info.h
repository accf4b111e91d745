/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of gaspdb info; each returns the exit status. */
#ifndef GASPDB_CLI_INFO_INFO_H
#define GASPDB_CLI_INFO_INFO_H

#include <stdint.h>

/* run: the run to choose, or NULL; unpack_max: bytes, 0: as in limits.h */
int gaspdb_info_run(const char *path, const char *run, uint64_t unpack_max);
int gaspdb_info_database(const char *path);

/* "key           value" on stdout, escaped; nothing if value is "" or NULL. */
void gaspdb_info_print(const char *key, const char *value);

#endif
