/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Leaf pages under construction, filled with cells from the end. Rows of
 * integers are encoded in place. The end of the free space is known and the
 * length of a row is not, so a row is written from its last value backwards.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_LEAF_H
#define GASPDB_SQL_STORE_BTREE_PAGE_LEAF_H

#include <stddef.h>

#include "sql/store/btree/page_parts.h"
#include "sql/store/btree/page_row.h"

#define GASPDB_LEAF_FIRST 8 /* bytes of a leaf's header */

struct gaspdb_leaf {
	uint8_t *bytes; /* of the page */
	size_t usable;	/* usable bytes */
	size_t top;	/* where its content begins */
	unsigned cells; /* in it */
};

static inline void gaspdb_leaf_empty(struct gaspdb_leaf *l, uint8_t *bytes,
				     size_t usable)
{
	*l = (struct gaspdb_leaf){ bytes, usable, usable, 0 };
}

static inline bool gaspdb_leaf_has_room(const struct gaspdb_leaf *l,
					size_t bytes)
{
	return GASPDB_LEAF_FIRST + 2 * ((size_t)l->cells + 1) + bytes <= l->top;
}

/* Reserve a cell of that many bytes; the leaf must have room. */
static inline uint8_t *gaspdb_leaf_cell(struct gaspdb_leaf *l, size_t bytes)
{
	l->top -= bytes;
	gaspdb_put_be(l->bytes + GASPDB_LEAF_FIRST + 2 * (size_t)l->cells++,
		      (uint32_t)l->top, 2);
	return l->bytes + l->top;
}

/* Write the header of a complete leaf and clear its free space. */
void gaspdb_leaf_finish(const struct gaspdb_leaf *leaf, uint8_t type);
/* Make the leaf a copy of a complete one of the same size. */
void gaspdb_leaf_copy(struct gaspdb_leaf *leaf, const uint8_t *page,
		      size_t page_bytes);
/* Bytes of the last cell. */
size_t gaspdb_leaf_last(const struct gaspdb_leaf *leaf);

/* --- rows of integers ----------------------------------------------------- */

/* The varints of rowids that differ only in their lowest seven bits. */
struct gaspdb_rowid_bytes {
	int64_t above;	   /* the other bits */
	unsigned n; /* bytes in total, the last of which has the lowest seven
		       bits */
	uint8_t before[8]; /* the bytes before the last */
};
#define GASPDB_ROWID_SHORT \
	((int64_t)1 << 56) /* larger ones have a last byte of eight bits */

struct gaspdb_row_maker;
typedef size_t (*gaspdb_fill_fn)(struct gaspdb_leaf *,
				 struct gaspdb_row_maker *, const int64_t *rows,
				 size_t n);

/* The encoder of a table's rows, with the last row's key. */
struct gaspdb_row_maker {
	gaspdb_fill_fn fill; /* part of gaspdb_leaf_fill() */
	unsigned columns;
	bool keyed;		  /* no rowid */
	const char *const *texts; /* NULL: all columns are integers */
	unsigned text_column;	  /* the number of one of these */
	unsigned text_bytes;	  /* bytes of the last row's text */
	int64_t text_number;	  /* number of the last row's text */
	int64_t last;		  /* rowid; -1: there is no row */
	struct gaspdb_rowid_bytes rowid;
};

/*
 * An encoder of rows of GASPDB_CELL_COLUMNS_MAX columns at most. texts, unless
 * NULL: text_column holds numbers of texts in that list, each of
 * GASPDB_CELL_TEXT_MAX bytes at most.
 */
void gaspdb_row_maker_init(struct gaspdb_row_maker *maker, unsigned columns,
			   bool keyed, unsigned text_column,
			   const char *const *texts);

/* Does every row of the encoder fit into a cell of a page of that size? */
bool gaspdb_row_fits(const struct gaspdb_row_maker *maker, size_t usable);

/* Is the first value a valid next rowid? Rows without rowid always follow. */
static inline bool gaspdb_row_follows(const struct gaspdb_row_maker *maker,
				      const int64_t *row)
{
	return maker->keyed ||
	       (row[0] > maker->last && row[0] < GASPDB_ROWID_SHORT);
}

/* Append rows of integers (GASPDB_NULL: NULL) while their keys increase and the
   leaf has room. Returns the number appended. */
size_t gaspdb_leaf_fill(struct gaspdb_leaf *leaf,
			struct gaspdb_row_maker *maker, const int64_t *rows,
			size_t n);

#endif
