/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Archives for tests, one at a time; their names tell their format.  Every
 * function fails the running test if something goes wrong.
 */
#ifndef GASPDB_TESTS_UNIT_UTIL_ARCHIVE_H
#define GASPDB_TESTS_UNIT_UTIL_ARCHIVE_H

#include <archive_entry.h>
#include <stddef.h>

struct archive_file;

/* "x.tar.gz", "x.zip", "x.7z", "x.cpio"; "stored.zip" and "encrypted.zip" are so. */
struct archive_file *archive_begin(const char *path);
void archive_add(struct archive_file *a, const char *name, const void *bytes,
		 size_t n);
/* An entry of that type without data: of AE_IFREG a hard link. */
void archive_add_link(struct archive_file *a, const char *name,
		      unsigned filetype, const char *target);
/* Returns the file's size. */
size_t archive_end(void);

/* One file, packed as its name says, or not at all. */
void archive_pack(const char *path, const void *bytes, size_t n);

#endif
