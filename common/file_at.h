/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complete reads and writes at an offset of a file. */
#ifndef GASPDB_COMMON_FILE_AT_H
#define GASPDB_COMMON_FILE_AT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads all bytes, also after signals. false: errno is set, EIO at the end of
   the file. */
bool gaspdb_read_at(int fd, void *to, size_t bytes, off_t at);
/* Writes all bytes; ENOSPC if nothing can be written. */
bool gaspdb_write_at(int fd, const void *from, size_t bytes, off_t at);

#endif
