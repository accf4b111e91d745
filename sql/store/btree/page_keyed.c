/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees of tables WITHOUT ROWID, whose interior pages hold rows too. Rows come
 * in order. The last row of a full page moves up, between that page and the
 * next. The row that did not fit begins the next page. So no page is empty.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"
#include "sql/store/btree/page_check.h"
#include "sql/store/btree/page_leaf.h"
#include "sql/store/btree/page_parts.h"
#include "sql/store/btree/page_row.h"

#define LEVELS_MAX 32
#define CELL_MIN   4 /* bytes; SQLite takes no less */

/* The page under construction of a level; level 0: leaves. */
struct level {
	uint8_t *page;
	unsigned cells;
	size_t top;  /* start of the content: the last cell */
	size_t last; /* bytes of the last cell */
};

struct gaspdb_keyed {
	struct gaspdb_pages *pages;
	uint32_t root;
	const struct gaspdb_columns *holds;
	unsigned columns;
	size_t page_bytes, usable, most, least; /* of a record in a cell */
	uint8_t *cell;
	struct level levels[LEVELS_MAX];
	unsigned n_levels;
};

struct gaspdb_keyed *gaspdb_keyed_new(struct gaspdb_pages *pages, uint32_t root,
				      const struct gaspdb_columns *columns)
{
	struct gaspdb_keyed *k = gaspdb_mem_alloc(sizeof *k);

	k->pages = pages;
	k->root = root;
	k->holds = columns;
	k->columns = columns->n;
	k->page_bytes = gaspdb_pages_bytes(pages);
	k->usable = gaspdb_pages_usable(pages);
	k->most = (k->usable - 12) * 64 / 255 - 23;
	k->least = (k->usable - 12) * 32 / 255 - 23;
	k->cell = gaspdb_mem_alloc(k->page_bytes);
	return k;
}

void gaspdb_keyed_free(struct gaspdb_keyed *k)
{
	if (!k)
		return;
	for (unsigned i = 0; i < LEVELS_MAX; i++)
		free(k->levels[i].page);
	free(k->cell);
	free(k);
}

/* --- pages ---------------------------------------------------------------- */

/* Header bytes. An interior page has a right child, and each of its cells
   begins with a left child. */
static size_t header_bytes(unsigned level)
{
	return level ? 12 : 8;
}

static size_t child_bytes(unsigned level)
{
	return level ? 4 : 0;
}

/* Write the page of a level. right: the child after the last row. */
static void write_page(struct gaspdb_keyed *k, unsigned level, uint32_t number,
		       uint32_t right)
{
	struct level *l = &k->levels[level];
	const size_t first = header_bytes(level) + 2 * (size_t)l->cells;

	memset(l->page, 0, 8);
	memset(l->page + first, 0, l->top - first);
	l->page[0] =
		level ? GASPDB_PAGE_INDEX_INTERIOR : GASPDB_PAGE_INDEX_LEAF;
	gaspdb_put_be(l->page + 3, l->cells, 2);
	gaspdb_put_be(l->page + 5, (uint32_t)l->top, 2); /* 65536 is 0 */
	if (level)
		gaspdb_put_be(l->page + 8, right, 4);
	gaspdb_pages_check(k->pages, k->holds, l->page, l->page[0]);
	memcpy(gaspdb_pages_build(k->pages, number), l->page, k->page_bytes);
	l->cells = 0;
	l->top = k->usable;
}

static uint32_t get_child(const uint8_t *cell)
{
	return (uint32_t)cell[0] << 24 | (uint32_t)cell[1] << 16 |
	       (uint32_t)cell[2] << 8 | cell[3];
}

static void add_cell(struct gaspdb_keyed *k, unsigned level, uint32_t child,
		     const uint8_t *cell, size_t bytes);

/* Write a full page without its last row, which moves up. */
static void finish_page(struct gaspdb_keyed *k, unsigned level)
{
	struct level *l = &k->levels[level];
	const uint8_t *last = l->page + l->top;
	const size_t own = child_bytes(level), bytes = l->last - own;
	const uint32_t number = gaspdb_pages_new(k->pages);
	const uint32_t right = level ? get_child(last) : 0;

	/* add_cell() copies the row before the page's memory is reused. */
	add_cell(k, level + 1, number, last + own, bytes);
	l->cells--;
	l->top += l->last;
	write_page(k, level, number, right);
}

static struct level *open_level(struct gaspdb_keyed *k, unsigned level)
{
	struct level *l = &k->levels[level];

	if (!l->page)
		l->page = gaspdb_mem_alloc(k->page_bytes);
	if (level == k->n_levels) {
		k->n_levels++;
		l->top = k->usable;
	}
	return l;
}

/* Append a cell to a level. child: its left child, above the leaves. */
static void add_cell(struct gaspdb_keyed *k, unsigned level, uint32_t child,
		     const uint8_t *cell, size_t bytes)
{
	const size_t own = child_bytes(level), first = header_bytes(level);
	struct level *l = open_level(k, level);

	if (first + 2 * ((size_t)l->cells + 1) + own + bytes > l->top)
		finish_page(k, level);
	l->last = own + bytes;
	l->top -= l->last;
	if (level)
		gaspdb_put_be(l->page + l->top, child, 4);
	memcpy(l->page + l->top + own, cell, bytes);
	gaspdb_put_be(l->page + first + 2 * (size_t)l->cells++,
		      (uint32_t)l->top, 2);
}

/* --- rows ----------------------------------------------------------------- */

/* Append a row that may overflow its cell. */
static void append_long(struct gaspdb_keyed *k,
			const struct gaspdb_value *values)
{
	struct gaspdb_sink sink = { .pages = k->pages };
	uint8_t header[GASPDB_ROW_HEADER_MAX];
	unsigned n, bytes;
	uint64_t record;
	size_t local;

	n = gaspdb_row_header(header, values, k->columns, &record);
	record += n;
	local = gaspdb_local_bytes(k->usable, k->most, k->least, record);
	bytes = gaspdb_put_varint(k->cell, record);
	sink.at = k->cell + bytes;
	sink.left = local;
	sink.link = sink.at + local;
	memset(sink.link, 0, CELL_MIN);
	gaspdb_sink_record(&sink, header, n, values, k->columns);
	bytes += (unsigned)local + (local < record ? 4 : 0);
	add_cell(k, 0, 0, k->cell, bytes < CELL_MIN ? CELL_MIN : bytes);
}

void gaspdb_keyed_append(struct gaspdb_keyed *k,
			 const struct gaspdb_value *values)
{
	/* The record's length takes one or two bytes before it. */
	uint8_t cell[2 + GASPDB_ROW_SHORT_MAX], *record = cell + 2, *at;
	unsigned bytes = 0;

	if (k->columns < 60)
		bytes = gaspdb_row_short(record, values, k->columns, false,
					 true);
	if (!bytes || bytes > k->most) {
		append_long(k, values);
		return;
	}
	memset(record + bytes, 0, CELL_MIN);
	at = record - (bytes < 0x80 ? 1 : 2);
	gaspdb_put_varint(at, bytes);
	bytes += (unsigned)(record - at);
	add_cell(k, 0, 0, at, bytes < CELL_MIN ? CELL_MIN : bytes);
}

/* Write a row's cell that ends at end. Returns its start. */
static uint8_t *put_row(const struct gaspdb_keyed *k, uint8_t *end,
			const int64_t *values,
			const struct gaspdb_cell_text *text)
{
	uint8_t *at =
		gaspdb_put_record_before(end, values, k->columns, true, text);
	const unsigned bytes = (unsigned)(end - at);

	assert(bytes >= CELL_MIN - 1 && bytes <= k->most);
	assert(!text || text->n <= GASPDB_CELL_TEXT_MAX);
	at -= bytes < 0x80 ? 1 : 2;
	gaspdb_put_varint(at, bytes);
	return at;
}

/* Upper bound of the bytes of a row's cell and its cell pointer. */
static size_t row_room(const struct gaspdb_keyed *k)
{
	return 2 + 2 + gaspdb_header_room(k->columns) + 8 * (size_t)k->columns +
	       GASPDB_CELL_TEXT_MAX;
}

void gaspdb_keyed_row(struct gaspdb_keyed *k, const int64_t *values,
		      const struct gaspdb_cell_text *text)
{
	struct level *l = &k->levels[0];
	const size_t slot = header_bytes(0) + 2 * (size_t)l->cells;
	uint8_t cell[GASPDB_CELL_MAX], *end;
	size_t bytes;

	if (slot + row_room(k) > l->top) {
		bytes = gaspdb_row_cell(cell, values, k->columns, true, text,
					text != NULL);
		assert(bytes >= CELL_MIN && bytes <= k->most);
		add_cell(k, 0, 0, cell, bytes);
		return;
	}
	end = l->page + l->top;
	l->last = (size_t)(end - put_row(k, end, values, text));
	l->top -= l->last;
	gaspdb_put_be(l->page + slot, (uint32_t)l->top, 2);
	l->cells++;
}

void gaspdb_keyed_add_leaf(struct gaspdb_keyed *k, const uint8_t *page)
{
	struct level *l = open_level(k, 0);
	struct gaspdb_leaf leaf;

	if (l->cells)
		finish_page(k, 0);
	gaspdb_leaf_empty(&leaf, l->page, k->usable);
	gaspdb_leaf_copy(&leaf, page, k->page_bytes);
	l->cells = leaf.cells;
	l->top = leaf.top;
	l->last = gaspdb_leaf_last(&leaf);
}

/* Write the remaining page of each level; the topmost is the root. */
void gaspdb_keyed_finish(struct gaspdb_keyed *k)
{
	uint32_t right = 0, number;

	for (unsigned i = 0; i < k->n_levels; i++) {
		number = i + 1 < k->n_levels ? gaspdb_pages_new(k->pages)
					     : k->root;
		write_page(k, i, number, right);
		right = number;
	}
}
