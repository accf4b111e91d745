/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Down the tree from its root, children from left to right. */
#include "sql/store/btree/page_reader.h"

#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "sql/store/btree/cached_pages.h"
#include "sql/store/btree/page_shapes.h"

#define LEVELS_MAX 20
/* A leaf is found again by the rowid's upper bits. */
enum { HINTS = 256, HINT_SHIFT = 7 };

/* Rows are read so many at a time, which takes less than one by one. */
enum { BLOCK = 16 };

enum { PAGE_INTERIOR = 5, PAGE_LEAF = 13, LEAF_FIRST = 8, INTERIOR_FIRST = 12 };

struct gaspdb_page_reader {
	unsigned hint[2]; /* cells found last: of an interior page, of a leaf */
	struct gaspdb_page_file file;
	struct gaspdb_record_format format;
	struct gaspdb_shapes *shapes; /* NULL: without, as of a single leaf */
	uint32_t root;
	gaspdb_row_fn fn;
	void *user;
	int64_t from;
	/* Without fn: the first n columns of rows go there, so many of them. */
	unsigned n;
	int64_t *next;
	size_t room;
	int64_t block[BLOCK * GASPDB_READER_COLUMNS_MAX]; /* rows for fn */
	/* Of a scan: interior pages, and the first leaf.  They stay while
	   others come and go. */
	struct gaspdb_cached_page levels[LEVELS_MAX];
	struct gaspdb_cached_pages kept;
	unsigned leaf_level; /* 0: not known, or the root is one */
	bool many;	     /* rows, of more than one leaf */
	struct gaspdb_cached_page *recent[HINTS];
	bool bad;
};

/* --- pages ---------------------------------------------------------------- */

/* A level's page, if it is not there yet. */
static const uint8_t *load(struct gaspdb_page_reader *r,
			   struct gaspdb_cached_page *page, uint32_t number)
{
	const struct gaspdb_cached_page *from;

	if (page->number == number && number)
		return page->bytes;
	if (!page->bytes)
		page->bytes = gaspdb_cached_room(r->file.page_bytes);
	page->number = 0;
	from = gaspdb_cached_get(&r->kept, &r->file, number);
	r->bad |= !page->bytes || !from;
	if (r->bad)
		return NULL;
	memcpy(page->bytes, from->bytes, r->file.page_bytes);
	page->number = number;
	return page->bytes;
}

/* How many cells a page has, whose pointers begin there. */
static unsigned cells_of(struct gaspdb_page_reader *r, const uint8_t *page,
			 size_t first)
{
	const unsigned cells = gaspdb_page_be(page + 3, 2);

	r->bad |= first + 2 * (size_t)cells > r->file.usable;
	return r->bad ? 0 : cells;
}

/* May a cell begin there? */
static inline bool is_cell(size_t usable, size_t at)
{
	/* Less than nothing is more than that. */
	return at - LEAF_FIRST <= usable - LEAF_FIRST - 4;
}

/* Where a cell begins, as the page says. */
static inline size_t cell_at(const uint8_t *page, size_t first, unsigned i)
{
	const uint8_t *pointer = page + first + 2 * (size_t)i;

	return (size_t)pointer[0] << 8 | pointer[1];
}

/* That cell; NULL: not in the page. */
static inline const uint8_t *get_cell(struct gaspdb_page_reader *r,
				      const uint8_t *page, size_t first,
				      unsigned i)
{
	const size_t at = cell_at(page, first, i);

	r->bad |= !is_cell(r->file.usable, at);
	return r->bad ? NULL : page + at;
}

/* The rowid of a cell, the largest of its child in an interior page. */
static int64_t rowid_at(struct gaspdb_page_reader *r, const uint8_t *page,
			unsigned i)
{
	const uint8_t *const end = page + r->file.usable;
	const bool leaf = page[0] == PAGE_LEAF;
	const uint8_t *at =
		get_cell(r, page, leaf ? LEAF_FIRST : INTERIOR_FIRST, i);

	if (!at)
		return 0;
	at = leaf ? gaspdb_page_varint(at, end).after : at + 4;
	return (int64_t)gaspdb_page_varint(at, end).value;
}

/* The first cell that is not before a rowid; cells: there is none. */
static unsigned find_cell(struct gaspdb_page_reader *r, const uint8_t *page,
			  unsigned cells, int64_t rowid)
{
	unsigned *hint = &r->hint[page[0] == PAGE_LEAF];
	unsigned low = 0, high = cells;

	if (!cells || rowid_at(r, page, 0) >= rowid)
		return 0;
	/* Mostly it is that of before, or the next. */
	if (*hint > 0 && *hint < cells &&
	    rowid_at(r, page, *hint - 1) < rowid) {
		if (rowid_at(r, page, *hint) >= rowid)
			return *hint;
		if (*hint + 1 == cells || rowid_at(r, page, *hint + 1) >= rowid)
			return ++*hint;
	}
	while (low < high && !r->bad) {
		const unsigned middle = low + (high - low) / 2;

		if (rowid_at(r, page, middle) < rowid)
			low = middle + 1;
		else
			high = middle;
	}
	*hint = low;
	return low;
}

/* The page of an interior page's i-th child; after the cells comes the last. */
static uint32_t child_of(struct gaspdb_page_reader *r, const uint8_t *page,
			 unsigned cells, unsigned i)
{
	const uint8_t *at =
		i < cells ? get_cell(r, page, INTERIOR_FIRST, i) : page + 8;

	return at ? gaspdb_page_be(at, 4) : 0;
}

/* What a page that is kept says of its rows; NULL: r->bad. */
static struct gaspdb_cached_page *learn_rows(struct gaspdb_page_reader *r,
					     struct gaspdb_cached_page *page)
{
	unsigned cells;

	r->bad |= !page;
	if (r->bad || page->first <= page->last || page->bytes[0] != PAGE_LEAF)
		return r->bad ? NULL : page;
	cells = cells_of(r, page->bytes, LEAF_FIRST);
	if (cells) {
		page->first = rowid_at(r, page->bytes, 0);
		page->last = rowid_at(r, page->bytes, cells - 1);
	}
	if (r->bad)
		page->number = 0;
	return r->bad ? NULL : page;
}

/* The i-th child of an interior page, a leaf; others with it, if the one before
   is kept: then this is a walk.  NULL: r->bad. */
static struct gaspdb_cached_page *keep_leaf(struct gaspdb_page_reader *r,
					    const uint8_t *page, unsigned cells,
					    unsigned i)
{
	uint32_t numbers[GASPDB_CACHED_AHEAD_MAX];
	struct gaspdb_cached_page *leaf;
	unsigned n = 0;

	numbers[0] = child_of(r, page, cells, i);
	leaf = gaspdb_cached_find(&r->kept, numbers[0]);
	if (leaf || r->bad)
		return learn_rows(r, leaf);
	if (!i || !gaspdb_cached_has(&r->kept, child_of(r, page, cells, i - 1)))
		return learn_rows(
			r, gaspdb_cached_get(&r->kept, &r->file, numbers[0]));
	for (; n < GASPDB_CACHED_AHEAD_MAX && i + n <= cells && !r->bad; n++)
		numbers[n] = child_of(r, page, cells, i + n);
	return learn_rows(r,
			  gaspdb_cached_walk(&r->kept, &r->file, numbers, n));
}

/* The table has more than a leaf. */
static void expect_many(struct gaspdb_page_reader *r)
{
	if (!r->many)
		r->shapes = gaspdb_shapes_new(r->format.columns);
	r->many = true;
}

/* --- rows ----------------------------------------------------------------- */

/* Rows of these cells into the array, the first n columns of each.  false: one
   is not as expected. */
static bool read_plain(const struct gaspdb_page_reader *r, const uint8_t *page,
		       unsigned i, unsigned until, unsigned n, int64_t *values)
{
	const size_t usable = r->file.usable;
	const uint8_t *const end = page + usable;

	for (; i < until; i++, values += n) {
		const size_t at = cell_at(page, LEAF_FIRST, i);

		if (!is_cell(usable, at) ||
		    !gaspdb_page_row(&r->format, page + at, end, n, values))
			return false;
	}
	return true;
}

#ifdef GASPDB_SHAPES
/* The same by their shapes. */
GASPDB_AVX2 static inline __attribute__((always_inline)) bool
read_columns(const struct gaspdb_page_reader *r, const uint8_t *page,
	     unsigned i, unsigned until, unsigned n, int64_t *values)
{
	const size_t usable = r->file.usable;
	const uint8_t *const end = page + usable;
	struct gaspdb_shapes *const shapes = r->shapes;

	for (; i < until; i++, values += n) {
		const size_t at = cell_at(page, LEAF_FIRST, i);

		if (!is_cell(usable, at) ||
		    !gaspdb_shapes_row(shapes, &r->format, page + at, end, n,
				       values))
			return false;
	}
	return true;
}

/* So many columns most rows have: those of events, and of their arguments. */
GASPDB_AVX2 static bool read_shaped(const struct gaspdb_page_reader *r,
				    const uint8_t *page, unsigned i,
				    unsigned until, unsigned n, int64_t *values)
{
	if (n == 12)
		return read_columns(r, page, i, until, 12, values);
	if (n == 3)
		return read_columns(r, page, i, until, 3, values);
	return read_columns(r, page, i, until, n, values);
}
#endif

/* false: r->bad. */
static bool read_rows(struct gaspdb_page_reader *r, const uint8_t *page,
		      unsigned i, unsigned until, unsigned n, int64_t *values)
{
#ifdef GASPDB_SHAPES
	if (r->shapes)
		r->bad |= !read_shaped(r, page, i, until, n, values);
	else
#endif
		r->bad |= !read_plain(r, page, i, until, n, values);
	return !r->bad;
}

/* --- scans ---------------------------------------------------------------- */

/* Rows of a leaf to whoever scans.  false: no more are wanted, or r->bad. */
static bool give_rows(struct gaspdb_page_reader *r, const uint8_t *page,
		      unsigned i, unsigned cells)
{
	const unsigned n = r->format.columns;

	while (i < cells) {
		const unsigned until = cells - i < BLOCK ? cells : i + BLOCK;
		const int64_t *values = r->block;

		if (!read_rows(r, page, i, until, n, r->block))
			return false;
		for (; i < until; i++, values += n)
			if (!r->fn(r->user, values))
				return false;
	}
	return true;
}

/* The same to the array. */
static bool fill_rows(struct gaspdb_page_reader *r, const uint8_t *page,
		      unsigned i, unsigned cells)
{
	const unsigned until =
		cells - i > r->room ? i + (unsigned)r->room : cells;

	if (!read_rows(r, page, i, until, r->n, r->next))
		return false;
	r->next += (size_t)(until - i) * r->n;
	r->room -= until - i;
	r->hint[true] = until;
	return r->room;
}

static bool scan_leaf(struct gaspdb_page_reader *r, const uint8_t *page)
{
	const unsigned cells = cells_of(r, page, LEAF_FIRST);
	const unsigned i = find_cell(r, page, cells, r->from);

	if (r->bad)
		return false;
	return r->fn ? give_rows(r, page, i, cells)
		     : fill_rows(r, page, i, cells);
}

static bool scan_page(struct gaspdb_page_reader *r, uint32_t number,
		      unsigned level);

static bool scan_child(struct gaspdb_page_reader *r, const uint8_t *page,
		       unsigned cells, unsigned i, unsigned level)
{
	struct gaspdb_cached_page *leaf;
	bool more;

	if (level != r->leaf_level)
		return scan_page(r, child_of(r, page, cells, i), level);
	leaf = keep_leaf(r, page, cells, i);
	r->bad |= leaf && leaf->bytes[0] != PAGE_LEAF;
	if (!leaf || r->bad)
		return false;
	leaf->pinned = true;
	more = scan_leaf(r, leaf->bytes);
	leaf->pinned = false;
	return more;
}

static bool scan_children(struct gaspdb_page_reader *r, const uint8_t *page,
			  unsigned level)
{
	const unsigned cells = cells_of(r, page, INTERIOR_FIRST);

	expect_many(r);
	for (unsigned i = find_cell(r, page, cells, r->from);
	     i <= cells && !r->bad; i++)
		if (gaspdb_interrupted ||
		    !scan_child(r, page, cells, i, level + 1))
			return false;
	return !r->bad;
}

static bool scan_page(struct gaspdb_page_reader *r, uint32_t number,
		      unsigned level)
{
	const uint8_t *page =
		level < LEVELS_MAX ? load(r, &r->levels[level], number) : NULL;

	if (page && page[0] == PAGE_LEAF) {
		r->leaf_level = level;
		return scan_leaf(r, page);
	}
	if (page && page[0] == PAGE_INTERIOR)
		return scan_children(r, page, level);
	r->bad = true;
	return false;
}

bool gaspdb_page_reader_scan(struct gaspdb_page_reader *r, int64_t from,
			     gaspdb_row_fn fn, void *user)
{
	r->fn = fn;
	r->user = user;
	r->from = from;
	r->bad = false;
	scan_page(r, r->root, 0);
	return !r->bad;
}

size_t gaspdb_page_reader_read(struct gaspdb_page_reader *r, int64_t from,
			       unsigned n, size_t room, int64_t *rows,
			       bool *bad)
{
	r->fn = NULL;
	r->from = from;
	r->n = n;
	r->next = rows;
	r->room = room;
	r->bad = false;
	scan_page(r, r->root, 0);
	*bad |= r->bad;
	return room - r->room;
}

/* --- single rows ---------------------------------------------------------- */

/* The leaf in which a row would be; NULL: r->bad. */
static struct gaspdb_cached_page *find_leaf(struct gaspdb_page_reader *r,
					    int64_t rowid)
{
	struct gaspdb_cached_page *page =
		learn_rows(r, gaspdb_cached_get(&r->kept, &r->file, r->root));
	unsigned level = 0;

	while (page && page->bytes[0] == PAGE_INTERIOR &&
	       ++level < LEVELS_MAX) {
		const uint8_t *bytes = page->bytes;
		const unsigned cells = cells_of(r, bytes, INTERIOR_FIRST);
		const unsigned i = find_cell(r, bytes, cells, rowid);

		expect_many(r);
		page = level == r->leaf_level
			       ? keep_leaf(r, bytes, cells, i)
			       : learn_rows(r, gaspdb_cached_get(
						       &r->kept, &r->file,
						       child_of(r, bytes, cells,
								i)));
	}
	r->bad |= page && page->bytes[0] != PAGE_LEAF;
	if (!page || r->bad)
		return NULL;
	r->leaf_level = level;
	return page;
}

static bool holds(const struct gaspdb_cached_page *page, int64_t rowid)
{
	return page && page->number && rowid >= page->first &&
	       rowid <= page->last;
}

/* The same, looking first where such a row was before. */
static struct gaspdb_cached_page *leaf_of(struct gaspdb_page_reader *r,
					  int64_t rowid)
{
	struct gaspdb_cached_page **recent =
		&r->recent[(uint64_t)rowid >> HINT_SHIFT & (HINTS - 1)];

	if (!holds(*recent, rowid))
		*recent = find_leaf(r, rowid);
	else
		(*recent)->used = ++r->kept.used;
	return *recent;
}

bool gaspdb_page_reader_get(struct gaspdb_page_reader *r, int64_t rowid,
			    unsigned n, int64_t *values, bool *bad)
{
	const struct gaspdb_cached_page *page;
	unsigned cells, i = 0;
	bool there = false;

	r->bad = false;
	page = leaf_of(r, rowid);
	cells = page ? cells_of(r, page->bytes, LEAF_FIRST) : 0;
	if (cells && holds(page, rowid)) {
		/* Most ids have no gaps. */
		i = page->last - page->first == cells - 1
			    ? (unsigned)(rowid - page->first)
			    : find_cell(r, page->bytes, cells, rowid);
		there = i < cells && !r->bad &&
			read_rows(r, page->bytes, i, i + 1, n, values);
	}
	*bad |= r->bad;
	return there && values[0] == rowid;
}

/* --- walks ---------------------------------------------------------------- */

/* How far the next row may be to be looked for one by one. */
enum { STEPS = 4 };

/* Another leaf: that in which the row would be. */
static bool go_to(struct gaspdb_page_reader *r, struct gaspdb_page_place *place,
		  int64_t rowid)
{
	const struct gaspdb_cached_page *page = leaf_of(r, rowid);

	*place = (struct gaspdb_page_place){ NULL, 0, 0, 0 };
	if (!page)
		return false;
	place->page = page;
	place->number = page->number;
	place->cells = cells_of(r, page->bytes, LEAF_FIRST);
	place->cell = find_cell(r, page->bytes, place->cells, rowid);
	return !r->bad;
}

/* The same leaf, a row at or after that of before. */
static bool go_on(struct gaspdb_page_reader *r, struct gaspdb_page_place *place,
		  int64_t rowid)
{
	for (int i = 0; i < STEPS && place->cell < place->cells; i++) {
		if (rowid_at(r, place->page->bytes, place->cell) >= rowid)
			return !r->bad;
		place->cell++;
	}
	if (place->cell < place->cells)
		place->cell =
			find_cell(r, place->page->bytes, place->cells, rowid);
	return !r->bad;
}

bool gaspdb_page_reader_seek(struct gaspdb_page_reader *r,
			     struct gaspdb_page_place *place, int64_t from,
			     int64_t until, unsigned n, int64_t *values,
			     bool *bad)
{
	bool there;

	r->bad = false;
	/* The page may have made room for another. */
	there = place->page && place->page->number == place->number &&
				from <= place->page->last
			? go_on(r, place, from)
			: go_to(r, place, from);
	if (there && place->cell == place->cells) {
		/* Of tables whose rows were taken away: none of the leaf's is
		   late enough. */
		place->page = NULL;
		return gaspdb_page_reader_read(r, from, n, 1, values, bad) &&
		       values[0] < until;
	}
	there = there && rowid_at(r, place->page->bytes, place->cell) < until &&
		read_rows(r, place->page->bytes, place->cell, place->cell + 1,
			  n, values);
	*bad |= r->bad;
	return there && !r->bad;
}

/* --- the file ------------------------------------------------------------- */

uint32_t gaspdb_pages_root(sqlite3 *db, const char *table)
{
	sqlite3_stmt *stmt = NULL;
	uint32_t root = 0;

	if (!sqlite3_prepare_v2(db,
				"SELECT rootpage FROM main.sqlite_schema "
				"WHERE type = 'table' AND name = ?",
				-1, &stmt, NULL) &&
	    !sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC) &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		root = (uint32_t)sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return root;
}

/* That it is there is what it says. */
static void allowed(sqlite3_context *context, int n, sqlite3_value **values)
{
	(void)n;
	(void)values;
	sqlite3_result_int(context, 1);
}

int gaspdb_pages_allow(sqlite3 *db)
{
	return sqlite3_create_function(db, "gaspdb_pages_allowed", 0,
				       SQLITE_UTF8, NULL, allowed, NULL, NULL);
}

bool gaspdb_pages_allowed(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	const int rc = sqlite3_prepare_v2(db, "SELECT gaspdb_pages_allowed()",
					  -1, &stmt, NULL);

	sqlite3_finalize(stmt);
	return rc == SQLITE_OK;
}

struct gaspdb_page_reader *
gaspdb_page_reader_open(sqlite3 *db, const char *table, unsigned columns)
{
	const char *path = sqlite3_db_filename(db, "main");
	struct gaspdb_page_reader *r;

	if (!path || columns > GASPDB_READER_COLUMNS_MAX ||
	    !gaspdb_pages_allowed(db))
		return NULL;
	r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	r->format.columns = columns;
	r->root = gaspdb_pages_root(db, table);
	if (!gaspdb_page_file_open(&r->file, path) || !r->root) {
		gaspdb_page_reader_close(r);
		return NULL;
	}
	r->format.usable = r->file.usable;
	return r;
}

void gaspdb_page_reader_watch(struct gaspdb_page_reader *r,
			      void (*fn)(void *user, unsigned n_pages),
			      void *user)
{
	r->file.on_read = fn;
	r->file.user = user;
}

void gaspdb_page_reader_close(struct gaspdb_page_reader *r)
{
	if (!r)
		return;
	for (int i = 0; i < LEVELS_MAX; i++)
		free(r->levels[i].bytes);
	gaspdb_cached_free(&r->kept);
	free(r->shapes);
	gaspdb_page_file_close(&r->file);
	free(r);
}
