/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An SQLite file as pages of bytes. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_FILE_H
#define GASPDB_SQL_STORE_BTREE_PAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct gaspdb_page_file {
	int fd;			   /* -1: not open */
	size_t page_bytes, usable; /* less what is reserved for extensions */
	void (*on_read)(void *user, unsigned n_pages); /* or NULL */
	void *user;
};

/* false: it cannot be read, or is no such file.  Close it whatever comes. */
bool gaspdb_page_file_open(struct gaspdb_page_file *file, const char *path);
void gaspdb_page_file_close(struct gaspdb_page_file *file);

/* Read a page into page_bytes of memory; false: there is none, or it cannot be
   read. */
bool gaspdb_page_file_read(const struct gaspdb_page_file *file, uint32_t number,
			   uint8_t *to);

/* The same of n pages in a row, by one call and without trying again: false
   also if that gave less.  Where each goes may be the same of several. */
enum { GASPDB_READ_ALL_MAX = 32 };
bool gaspdb_page_file_read_all(const struct gaspdb_page_file *file,
			       uint32_t first, unsigned n, uint8_t *const *to);

/* All these bytes, whatever signals come; false, and errno: EIO at the end of
   the file. */
bool gaspdb_read_at(int fd, void *to, size_t bytes, off_t at);
/* The same of writing; ENOSPC where nothing can be written. */
bool gaspdb_write_at(int fd, const void *from, size_t bytes, off_t at);

#endif
