/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An SQLite file as pages of bytes. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_FILE_H
#define GASPDB_SQL_STORE_BTREE_PAGE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gaspdb_page_file {
	int fd;			   /* -1: not open */
	size_t page_bytes, usable; /* less what is reserved for extensions */
};

/* false: not readable, or not an SQLite file. Close it in both cases. */
bool gaspdb_page_file_open(struct gaspdb_page_file *file, const char *path);
void gaspdb_page_file_close(struct gaspdb_page_file *file);

/*
 * Read a page into page_bytes of memory. false: no such page, or a read error.
 */
bool gaspdb_page_file_read(const struct gaspdb_page_file *file, uint32_t number,
			   uint8_t *to);

/* Read consecutive pages into memory for each, n at most 16. Returns the number
   of pages read. */
unsigned gaspdb_page_file_read_several(const struct gaspdb_page_file *file,
				       uint32_t number, uint8_t *const *to,
				       unsigned n);

#endif
