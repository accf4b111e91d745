/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of a file at an offset, all of them. */
#ifndef GASPDB_COMMON_FILE_AT_H
#define GASPDB_COMMON_FILE_AT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* All these bytes, whatever signals come; false, and errno: EIO at the end of
   the file. */
bool gaspdb_read_at(int fd, void *to, size_t bytes, off_t at);
/* The same of writing; ENOSPC where nothing can be written. */
bool gaspdb_write_at(int fd, const void *from, size_t bytes, off_t at);

#endif
