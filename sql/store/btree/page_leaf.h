/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Leaves of trees while they fill with cells, from behind.  Rows of integers
 * are made where they stay: the end of what is free is known, but not how long
 * a row is, so its last value is put first.
 */
#ifndef GASPDB_SQL_STORE_BTREE_PAGE_LEAF_H
#define GASPDB_SQL_STORE_BTREE_PAGE_LEAF_H

#include <stddef.h>

#include "sql/store/btree/page_parts.h"
#include "sql/store/btree/page_row.h"

#define GASPDB_LEAF_FIRST 8 /* bytes of a leaf's header */

struct gaspdb_leaf {
	uint8_t *bytes; /* of the page */
	size_t usable;	/* of these */
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

/* A cell of so many bytes, for which there is room, begins there. */
static inline uint8_t *gaspdb_leaf_cell(struct gaspdb_leaf *l, size_t bytes)
{
	l->top -= bytes;
	gaspdb_put_be(l->bytes + GASPDB_LEAF_FIRST + 2 * (size_t)l->cells++,
		      (uint32_t)l->top, 2);
	return l->bytes + l->top;
}

/* Its header, and what is free: it is of that type, and whole. */
void gaspdb_leaf_finish(const struct gaspdb_leaf *leaf, uint8_t type);
/* It becomes a copy of one that was finished, of the same size. */
void gaspdb_leaf_copy(struct gaspdb_leaf *leaf, const uint8_t *page,
		      size_t page_bytes);
/* Bytes of the last cell. */
size_t gaspdb_leaf_last(const struct gaspdb_leaf *leaf);

/* --- rows of integers ----------------------------------------------------- */

/* The varints of rowids that differ in their lowest seven bits alone. */
struct gaspdb_rowid_bytes {
	int64_t above;	   /* the other bits */
	unsigned n;	   /* bytes in all, the last of which has those seven */
	uint8_t before[8]; /* that one */
};
#define GASPDB_ROWID_SHORT \
	((int64_t)1 << 56) /* larger ones' last byte has eight */

struct gaspdb_row_maker;
typedef size_t (*gaspdb_fill_fn)(struct gaspdb_leaf *,
				 struct gaspdb_row_maker *, const int64_t *rows,
				 size_t n);

/* What rows of a table have in common, and what is known of the last one. */
struct gaspdb_row_maker {
	gaspdb_fill_fn fill; /* part of gaspdb_leaf_fill() */
	unsigned columns;
	bool keyed;		  /* no rowid */
	const char *const *texts; /* NULL: all columns are integers */
	unsigned text_column;	  /* the number of one of these */
	unsigned text_bytes;	  /* of that of the last row, which was */
	int64_t text_number;	  /* this */
	int64_t last;		  /* rowid; -1: there is no row */
	struct gaspdb_rowid_bytes rowid;
};

/* Of GASPDB_CELL_COLUMNS_MAX columns at most.  texts, unless NULL: that column
   has numbers of that list, each of GASPDB_CELL_TEXT_MAX bytes at most. */
void gaspdb_row_maker_init(struct gaspdb_row_maker *maker, unsigned columns,
			   bool keyed, unsigned text_column,
			   const char *const *texts);

/* Does any such row fit into a cell of a page of so many bytes? */
bool gaspdb_row_fits(const struct gaspdb_row_maker *maker, size_t usable);

/* May its first value be the next rowid?  Rows without one always follow. */
static inline bool gaspdb_row_follows(const struct gaspdb_row_maker *maker,
				      const int64_t *row)
{
	return maker->keyed ||
	       (row[0] > maker->last && row[0] < GASPDB_ROWID_SHORT);
}

/*
 * Rows of integers, GASPDB_NULL as NULL, one behind the other, into the leaf as
 * long as they follow and there is room.  Returns how many of them.
 */
size_t gaspdb_leaf_fill(struct gaspdb_leaf *leaf,
			struct gaspdb_row_maker *maker, const int64_t *rows,
			size_t n);

#endif
