/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What page_writer.c has for the kinds of trees. */
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

/* Bytes of a page, and how many of them are not reserved for extensions. */
size_t gaspdb_pages_bytes(const struct gaspdb_pages *pages);
size_t gaspdb_pages_usable(const struct gaspdb_pages *pages);

/* The number that the next page will have. */
uint32_t gaspdb_pages_new(struct gaspdb_pages *pages);
/* Where it is to be built, before the next call. */
uint8_t *gaspdb_pages_build(struct gaspdb_pages *pages, uint32_t number);
/* A page of rows that is whole: a row that breaks the columns' rules fails the
   pages. */
void gaspdb_pages_check(struct gaspdb_pages *pages,
			const struct gaspdb_columns *columns,
			const uint8_t *page, uint8_t type);

/* --- page_sink.c: long rows ------------------------------------------------
 */

/* Where the bytes of a row go: into its cell, then into pages of their own,
   each of which begins with the number of the next. */
struct gaspdb_sink {
	struct gaspdb_pages *pages;
	uint8_t *at;
	size_t left;
	uint8_t *link;
};

void gaspdb_sink_pour(struct gaspdb_sink *sink, const uint8_t *bytes, size_t n);
/* A record's header, and its values. */
void gaspdb_sink_record(struct gaspdb_sink *sink, const uint8_t *header,
			unsigned header_bytes,
			const struct gaspdb_value *values, unsigned n);

/* How much of a record stays in its cell, of which most and least may. */
static inline size_t gaspdb_local_bytes(size_t usable, size_t most,
					size_t least, uint64_t record)
{
	size_t local;

	if (record <= most)
		return (size_t)record;
	local = least + (size_t)((record - least) % (usable - 4));
	return local <= most ? local : least;
}

/* --- page_interior.c: what is above the leaves of a table by rowid ----------
 */

/* Zeroed: there is nothing. */
struct gaspdb_interior {
	/* Children of a page that is not written yet. */
	struct gaspdb_interior_level {
		struct gaspdb_interior_child {
			uint32_t page;
			int64_t last; /* largest rowid in it */
		} * children;
		unsigned n;
		size_t bytes; /* of the page, were it written now */
	} level[32];	      /* 2^32 pages, at least 2 in each */
	unsigned n;
};

/* The next leaf, and its largest rowid. */
void gaspdb_interior_add(struct gaspdb_interior *above,
			 struct gaspdb_pages *pages, uint32_t leaf,
			 int64_t last);
/* There is no more, and the largest of all; the topmost page is the root. */
void gaspdb_interior_finish(struct gaspdb_interior *above,
			    struct gaspdb_pages *pages, int64_t last,
			    uint32_t root);
void gaspdb_interior_free(struct gaspdb_interior *above);

/* --- page_keyed.c: tables without rowid ------------------------------------
 */

struct gaspdb_keyed;

struct gaspdb_keyed *gaspdb_keyed_new(struct gaspdb_pages *pages, uint32_t root,
				      const struct gaspdb_columns *columns);
void gaspdb_keyed_append(struct gaspdb_keyed *keyed,
			 const struct gaspdb_value *values);
/* A row of integers, and instead of one of them a text, unless that is NULL. */
void gaspdb_keyed_row(struct gaspdb_keyed *keyed, const int64_t *values,
		      const struct gaspdb_cell_text *text);
/* Rows by a leaf that is whole. */
void gaspdb_keyed_add_leaf(struct gaspdb_keyed *keyed, const uint8_t *leaf);
void gaspdb_keyed_finish(struct gaspdb_keyed *keyed);
void gaspdb_keyed_free(struct gaspdb_keyed *keyed);

#endif
