/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interface between page_writer.c and the two kinds of trees. */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_PARTS_H
#define GASPDB_SQL_STORE_BTREE_PAGE_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "common/value.h"

struct gaspdb_cell_text;
struct gaspdb_columns;
struct gaspdb_pages;

enum {
	GASPDB_PAGE_INDEX_INTERIOR = 2,
	GASPDB_PAGE_INTERIOR = 5,
	GASPDB_PAGE_INDEX_LEAF = 10,
	GASPDB_PAGE_LEAF = 13
};

static inline void gaspdb_put_be(uint8_t *to, uint32_t v, unsigned bytes)
{
	for (unsigned i = bytes; i-- > 0; v >>= 8)
		to[i] = (uint8_t)v;
}

/* Bytes of a page, and those not reserved for extensions. */
size_t gaspdb_pages_bytes(const struct gaspdb_pages *pages);
size_t gaspdb_pages_usable(const struct gaspdb_pages *pages);

/* The number of the next page. */
uint32_t gaspdb_pages_new(struct gaspdb_pages *pages);
/* The memory of a page. The caller fills it before the next call. */
uint8_t *gaspdb_pages_build(struct gaspdb_pages *pages, uint32_t number);
/* Check a complete page of rows. A row that violates a constraint fails the
   pages. */
void gaspdb_pages_check(struct gaspdb_pages *pages,
			const struct gaspdb_columns *columns,
			const uint8_t *page, uint8_t type);

/* --- page_sink.c: long rows ----------------------------------------------- */

/* The destination of a row's bytes: its cell, then a chain of overflow pages.
   Each overflow page begins with the number of the next. */
struct gaspdb_sink {
	struct gaspdb_pages *pages;
	uint8_t *at;
	size_t left;
	uint8_t *link;
};

void gaspdb_sink_pour(struct gaspdb_sink *sink, const uint8_t *bytes, size_t n);
/* Write a record: header and values. */
void gaspdb_sink_record(struct gaspdb_sink *sink, const uint8_t *header,
			unsigned header_bytes,
			const struct gaspdb_value *values, unsigned n);

/* Bytes of a record that stay in its cell, between least and most. */
static inline size_t gaspdb_local_bytes(size_t usable, size_t most,
					size_t least, uint64_t record)
{
	size_t local;

	if (record <= most)
		return (size_t)record;
	local = least + (size_t)((record - least) % (usable - 4));
	return local <= most ? local : least;
}

/* --- page_interior.c: what is above the leaves of a table by rowid -------- */

/* The interior levels of a rowid tree. All zero: empty. */
struct gaspdb_interior {
	/* Children of the unwritten page of a level. */
	struct gaspdb_interior_level {
		struct gaspdb_interior_child {
			uint32_t page;
			int64_t last; /* largest rowid in it */
		} * children;
		unsigned n;
		size_t bytes; /* bytes of the page with these children */
	} level[32];	      /* 2^32 pages, at least 2 in each */
	unsigned n;
};

/* Add the next leaf with its largest rowid. */
void gaspdb_interior_add(struct gaspdb_interior *above,
			 struct gaspdb_pages *pages, uint32_t leaf,
			 int64_t last);
/*
 * Write the remaining pages; the topmost is the root. last: the largest rowid.
 */
void gaspdb_interior_finish(struct gaspdb_interior *above,
			    struct gaspdb_pages *pages, int64_t last,
			    uint32_t root);
void gaspdb_interior_free(struct gaspdb_interior *above);

/* --- page_keyed.c: tables without rowid ----------------------------------- */

struct gaspdb_keyed;

struct gaspdb_keyed *gaspdb_keyed_new(struct gaspdb_pages *pages, uint32_t root,
				      const struct gaspdb_columns *columns);
void gaspdb_keyed_append(struct gaspdb_keyed *keyed,
			 const struct gaspdb_value *values);
/* Append a row of integers. text, unless NULL, replaces one of them. */
void gaspdb_keyed_row(struct gaspdb_keyed *keyed, const int64_t *values,
		      const struct gaspdb_cell_text *text);
/* Append the rows of a complete leaf. */
void gaspdb_keyed_add_leaf(struct gaspdb_keyed *keyed, const uint8_t *leaf);
void gaspdb_keyed_finish(struct gaspdb_keyed *keyed);
void gaspdb_keyed_free(struct gaspdb_keyed *keyed);

#endif
