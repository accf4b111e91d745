/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of an SQLite file, kept in memory as long as there is room. */
#ifndef GASPDB_SQL_STORE_BTREE_CACHED_PAGES_H
#define GASPDB_SQL_STORE_BTREE_CACHED_PAGES_H

#include "sql/store/btree/page_file.h"

/* In sets, by their number; the least recently used of a set makes room. */
enum { GASPDB_CACHED_SETS = 32, GASPDB_CACHED_WAYS = 4 };
/* So many pages at most are read with one call: those that are asked for next,
   probably. */
enum { GASPDB_CACHED_AHEAD_MAX = 8 };

struct gaspdb_cached_page {
	uint8_t *bytes;	     /* GASPDB_PAGE_SLACK more can be read */
	uint32_t number;     /* 0: holds none */
	int64_t first, last; /* rowids, the reader's to set; none: 1, 0 */
	uint64_t used;
	bool ahead;  /* read ahead, and not asked for since */
	bool pinned; /* makes no room: set by whoever needs it */
};

/* Zeroed: none are kept. */
struct gaspdb_cached_pages {
	struct gaspdb_cached_page pages[GASPDB_CACHED_SETS][GASPDB_CACHED_WAYS];
	uint64_t used;	  /* so often */
	unsigned ahead;	  /* so many are read at a time */
	uint8_t *between; /* a page that nobody asked for */
};

/* A page, for another to be read into; NULL: no memory. */
uint8_t *gaspdb_cached_room(size_t page_bytes);

bool gaspdb_cached_has(struct gaspdb_cached_pages *kept, uint32_t number);
/* A page if it is kept; NULL: it is not. */
struct gaspdb_cached_page *gaspdb_cached_find(struct gaspdb_cached_pages *kept,
					      uint32_t number);
/* A page, read if it is not kept; NULL: it cannot be read. */
struct gaspdb_cached_page *
gaspdb_cached_get(struct gaspdb_cached_pages *kept,
		  const struct gaspdb_page_file *file, uint32_t number);
/*
 * The first of these n pages, 1 to GASPDB_CACHED_AHEAD_MAX, which is not kept,
 * in a walk that comes to the others next: they may be read, too.
 */
struct gaspdb_cached_page *
gaspdb_cached_walk(struct gaspdb_cached_pages *kept,
		   const struct gaspdb_page_file *file, const uint32_t *numbers,
		   unsigned n);
void gaspdb_cached_free(struct gaspdb_cached_pages *kept);

#endif
