/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Down the tree from its root, children from left to right.  Nothing that a
 * page says is believed before it is seen to lie in the page.
 */
#include "sql/page_reader.h"
#include "interrupt.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEVELS_MAX 20
/* Leaves kept for single rows, by the rowid's upper bits. */
#define KEPT	   256
#define KEPT_SHIFT 7

enum { PAGE_INTERIOR = 5, PAGE_LEAF = 13, LEAF_FIRST = 8, INTERIOR_FIRST = 12 };

struct page {
	uint8_t *bytes;
	uint32_t number;     /* 0: holds none */
	int64_t first, last; /* rowids, of a kept leaf */
};

struct gaspdb_page_reader {
	unsigned hint[2]; /* cells found last: of an interior page, of a leaf */
	int fd;
	size_t page_bytes, usable;
	unsigned columns;
	uint32_t root;
	gaspdb_row_fn fn;
	void *user;
	int64_t from;
	struct page levels[LEVELS_MAX];
	struct page kept[KEPT];
	const struct page *recent; /* of kept; NULL: none yet */
	bool bad;
};

static uint32_t get_be(const uint8_t *p, unsigned bytes)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v = v << 8 | p[i];
	return v;
}

/* SQLite's varint; the cursor moves on, at most to end. */
static uint64_t get_long_varint(const uint8_t **at, const uint8_t *end)
{
	uint64_t v = 0;

	for (int i = 0; i < 8 && *at < end; i++) {
		const uint8_t byte = *(*at)++;

		v = v << 7 | (byte & 0x7f);
		if (byte < 0x80)
			return v;
	}
	return *at < end ? v << 8 | *(*at)++ : v;
}

static inline uint64_t get_varint(const uint8_t **at, const uint8_t *end)
{
	return *at < end && **at < 0x80 ? *(*at)++ : get_long_varint(at, end);
}

/* --- rows ----------------------------------------------------------------- */

/* By serial type: how many bytes follow, and the value if none do. */
static const struct {
	uint8_t bytes;
	int64_t value;
} serials[10] = { { 0, INT64_MIN }, { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 },
		  { 6, 0 },	    { 8, 0 }, { 8, 0 }, { 0, 0 }, { 0, 1 } };

enum { SERIAL_REAL = 7, SERIALS = 10, SERIAL_BLOB = 12 };

/* An integer of so many bytes, which has eight of the page before its end. */
static inline int64_t get_int(const uint8_t *p, unsigned bytes)
{
	uint64_t v;

	memcpy(&v, p + bytes - 8, 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return (int64_t)(v << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static int64_t cut_real(int64_t bits)
{
	double real;

	memcpy(&real, &bits, sizeof real);
	if (real >= 0x1p63)
		return INT64_MAX;
	return real > -0x1p63 ? (int64_t)real : INT64_MIN;
}

int64_t gaspdb_word(const char *text)
{
	return gaspdb_word_n(text, strlen(text));
}

/* A record's header and body, as far as they lie in the page. */
struct record {
	const uint8_t *types, *types_end, *body, *end;
	uint64_t left; /* bytes of the body, those elsewhere too */
};

/* false: it does not lie in the page. */
static bool get_record(const struct gaspdb_page_reader *r, const uint8_t *at,
		       const uint8_t *end, struct record *to, int64_t *rowid)
{
	const uint64_t bytes = get_varint(&at, end);
	const uint8_t *begin;
	uint64_t header;

	*rowid = (int64_t)get_varint(&at, end);
	begin = at;
	header = get_varint(&at, end);
	/* What is too long for a cell goes on elsewhere, seldom. */
	if (bytes > (uint64_t)(end - begin) && bytes <= r->usable - 35)
		return false;
	to->end = bytes < (uint64_t)(end - begin) ? begin + bytes : end;
	if (header > bytes || header < (uint64_t)(at - begin) ||
	    header > (uint64_t)(to->end - begin))
		return false;
	to->types = at;
	to->types_end = to->body = begin + header;
	to->left = bytes - header;
	return true;
}

/* A text's or blob's beginning, as far as it lies in the page. */
static bool get_long(struct record *from, uint64_t type, int64_t *value)
{
	const uint64_t bytes = (type - SERIAL_BLOB) / 2;
	const uint64_t here = (uint64_t)(from->end - from->body);

	if (type < SERIAL_BLOB || bytes > from->left)
		return false;
	*value = gaspdb_word_n((const char *)from->body,
			       bytes < here ? bytes : here);
	from->body += bytes < here ? bytes : here;
	from->left -= bytes;
	return true;
}

/* The first n columns of any record.  false: it has not as many, or is not
   whole. */
static bool get_any_row(const struct gaspdb_page_reader *r, const uint8_t *at,
			const uint8_t *end, unsigned n, int64_t *values)
{
	struct record from;
	int64_t rowid;

	if (!get_record(r, at, end, &from, &rowid))
		return false;
	for (unsigned i = 0; i < n; i++) {
		uint64_t type;
		unsigned bytes;

		if (from.types >= from.types_end)
			return false;
		type = get_varint(&from.types, from.types_end);
		if (type >= SERIALS) {
			if (!get_long(&from, type, &values[i]))
				return false;
			continue;
		}
		bytes = serials[type].bytes;
		if (bytes > from.end - from.body)
			return false;
		values[i] =
			bytes ? get_int(from.body, bytes) : serials[type].value;
		if (type == SERIAL_REAL)
			values[i] = cut_real(values[i]);
		from.body += bytes;
		from.left -= bytes;
	}
	values[0] = rowid;
	return true;
}

/*
 * The same of what rows are like almost always: all in the cell, a type one
 * byte.
 */
static inline bool get_row(const struct gaspdb_page_reader *r,
			   const uint8_t *cell, const uint8_t *end, unsigned n,
			   int64_t *values)
{
	const unsigned columns = r->columns;
	const uint8_t *at = cell, *types, *body;
	const uint64_t bytes = get_varint(&at, end);
	const int64_t rowid = (int64_t)get_varint(&at, end);

	if (bytes > (uint64_t)(end - at) || bytes <= columns ||
	    at[0] != columns + 1)
		return get_any_row(r, cell, end, n, values);
	types = at + 1;
	body = types + columns;
	end = at + bytes;
	for (unsigned i = 0; i < n; i++) {
		const unsigned type = types[i];
		unsigned length;

		if (type < SERIAL_REAL) {
			length = serials[type].bytes;
			if (length > end - body)
				return false;
			values[i] = length ? get_int(body, length) : INT64_MIN;
		} else if (type - 8 < 2) {
			length = 0;
			values[i] = type - 8;
		} else if (type > SERIAL_BLOB && type < 0x80) {
			length = (type - SERIAL_BLOB) / 2;
			if (length > end - body)
				return false;
			values[i] = gaspdb_word_n((const char *)body, length);
		} else {
			return get_any_row(r, cell, end, n, values);
		}
		body += length;
	}
	values[0] = rowid;
	return true;
}

/* --- pages ---------------------------------------------------------------- */

/* A page's bytes, read if they are not there. */
static const uint8_t *load(struct gaspdb_page_reader *r, struct page *page,
			   uint32_t number)
{
	size_t done = 0;

	if (page->number == number && number)
		return page->bytes;
	if (!page->bytes)
		page->bytes = malloc(r->page_bytes);
	page->number = 0;
	r->bad = !page->bytes || !number;
	while (!r->bad && done < r->page_bytes) {
		ssize_t n =
			pread(r->fd, page->bytes + done, r->page_bytes - done,
			      (off_t)(number - 1) * (off_t)r->page_bytes +
				      (off_t)done);

		r->bad = n <= 0;
		done += (size_t)n;
	}
	if (r->bad)
		return NULL;
	page->number = number;
	return page->bytes;
}

/* How many cells a page has, whose pointers begin there. */
static unsigned cells_of(struct gaspdb_page_reader *r, const uint8_t *page,
			 size_t first)
{
	const unsigned cells = get_be(page + 3, 2);

	r->bad = first + 2 * (size_t)cells > r->usable;
	return r->bad ? 0 : cells;
}

/* Where a cell begins; NULL: not in the page. */
static const uint8_t *cell_at(struct gaspdb_page_reader *r, const uint8_t *page,
			      size_t first, unsigned i)
{
	const size_t at = get_be(page + first + 2 * (size_t)i, 2);

	r->bad = at < LEAF_FIRST || at + 4 > r->usable;
	return r->bad ? NULL : page + at;
}

/* The rowid of a cell, the largest of its child in an interior page. */
static int64_t rowid_at(struct gaspdb_page_reader *r, const uint8_t *page,
			unsigned i)
{
	const bool leaf = page[0] == PAGE_LEAF;
	const uint8_t *at =
		cell_at(r, page, leaf ? LEAF_FIRST : INTERIOR_FIRST, i);

	if (!at)
		return 0;
	if (leaf)
		get_varint(&at, page + r->usable);
	else
		at += 4;
	return (int64_t)get_varint(&at, page + r->usable);
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
		i < cells ? cell_at(r, page, INTERIOR_FIRST, i) : page + 8;

	return at ? get_be(at, 4) : 0;
}

/* --- scans ---------------------------------------------------------------- */

/* false: no more are wanted, or r->bad. */
static bool scan_leaf(struct gaspdb_page_reader *r, const uint8_t *page)
{
	const unsigned cells = cells_of(r, page, LEAF_FIRST);
	int64_t values[GASPDB_READER_COLUMNS_MAX];

	for (unsigned i = find_cell(r, page, cells, r->from);
	     i < cells && !r->bad; i++) {
		const uint8_t *at = cell_at(r, page, LEAF_FIRST, i);

		r->bad = !at ||
			 !get_row(r, at, page + r->usable, r->columns, values);
		if (r->bad || !r->fn(r->user, values))
			return false;
	}
	return !r->bad;
}

static bool scan_page(struct gaspdb_page_reader *r, uint32_t number,
		      unsigned level);

static bool scan_children(struct gaspdb_page_reader *r, const uint8_t *page,
			  unsigned level)
{
	const unsigned cells = cells_of(r, page, INTERIOR_FIRST);

	for (unsigned i = find_cell(r, page, cells, r->from);
	     i <= cells && !r->bad; i++) {
		const uint32_t child = child_of(r, page, cells, i);

		if (r->bad || gaspdb_interrupted ||
		    !scan_page(r, child, level + 1))
			return false;
	}
	return !r->bad;
}

static bool scan_page(struct gaspdb_page_reader *r, uint32_t number,
		      unsigned level)
{
	const uint8_t *page =
		level < LEVELS_MAX ? load(r, &r->levels[level], number) : NULL;

	if (page && page[0] == PAGE_LEAF)
		return scan_leaf(r, page);
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

/* --- single rows ---------------------------------------------------------- */

/* The leaf in which a row would be; NULL: r->bad. */
static struct page *find_leaf(struct gaspdb_page_reader *r, int64_t rowid)
{
	uint32_t number = r->root;

	for (unsigned level = 0; level < LEVELS_MAX; level++) {
		const uint8_t *page = load(r, &r->levels[level], number);
		unsigned cells;

		if (page && page[0] == PAGE_LEAF)
			return &r->levels[level];
		if (!page || page[0] != PAGE_INTERIOR)
			break;
		cells = cells_of(r, page, INTERIOR_FIRST);
		if (r->bad)
			return NULL;
		number = child_of(r, page, cells,
				  find_cell(r, page, cells, rowid));
		if (r->bad)
			return NULL;
	}
	r->bad = true;
	return NULL;
}

/* The leaf goes to a place where it is found again. */
static const struct page *keep_leaf(struct gaspdb_page_reader *r,
				    struct page *page, int64_t rowid)
{
	struct page *leaf = find_leaf(r, rowid);
	const struct page before = *page;
	unsigned cells;

	if (!leaf)
		return NULL;
	*page = *leaf;
	*leaf = before;
	page->first = 1;
	page->last = 0;
	cells = cells_of(r, page->bytes, LEAF_FIRST);
	if (cells) {
		page->first = rowid_at(r, page->bytes, 0);
		page->last = rowid_at(r, page->bytes, cells - 1);
	}
	return page;
}

static bool holds(const struct page *page, int64_t rowid)
{
	return page && page->number && rowid >= page->first &&
	       rowid <= page->last;
}

/* The kept leaf in which a row would be; NULL: r->bad. */
static const struct page *leaf_of(struct gaspdb_page_reader *r, int64_t rowid)
{
	struct page *slot =
		&r->kept[(uint64_t)rowid >> KEPT_SHIFT & (KEPT - 1)];

	/* Ids that are far apart have one leaf in many places. */
	if (holds(r->recent, rowid))
		return r->recent;
	r->recent = holds(slot, rowid) ? slot : keep_leaf(r, slot, rowid);
	return r->recent;
}

bool gaspdb_page_reader_get(struct gaspdb_page_reader *r, int64_t rowid,
			    unsigned n, int64_t *values, bool *bad)
{
	const struct page *page;
	const uint8_t *at = NULL;
	unsigned cells, i;
	int64_t found;

	r->bad = false;
	page = leaf_of(r, rowid);
	cells = page ? cells_of(r, page->bytes, LEAF_FIRST) : 0;
	if (cells && holds(page, rowid)) {
		/* Most ids have no gaps. */
		i = page->last - page->first == cells - 1
			    ? (unsigned)(rowid - page->first)
			    : find_cell(r, page->bytes, cells, rowid);
		found = i < cells ? rowid_at(r, page->bytes, i) : rowid - 1;
		if (found == rowid)
			at = cell_at(r, page->bytes, LEAF_FIRST, i);
	}
	if (at && !r->bad)
		r->bad = !get_row(r, at, page->bytes + r->usable, n, values);
	*bad |= r->bad;
	return at && !r->bad;
}

/* --- the file ------------------------------------------------------------- */

static bool read_header(struct gaspdb_page_reader *r)
{
	uint8_t h[100];

	if (pread(r->fd, h, sizeof h, 0) != sizeof h ||
	    memcmp(h, "SQLite format 3", 16) || h[18] != 1)
		return false;
	r->page_bytes = get_be(h + 16, 2) == 1 ? 65536 : get_be(h + 16, 2);
	r->usable = r->page_bytes - h[20];
	return r->page_bytes >= 512 && r->usable >= 480;
}

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
	r->columns = columns;
	r->root = gaspdb_pages_root(db, table);
	r->fd = r->root ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (r->fd < 0 || !read_header(r)) {
		gaspdb_page_reader_close(r);
		return NULL;
	}
	return r;
}

void gaspdb_page_reader_close(struct gaspdb_page_reader *r)
{
	if (!r)
		return;
	for (int i = 0; i < LEVELS_MAX; i++)
		free(r->levels[i].bytes);
	for (int i = 0; i < KEPT; i++)
		free(r->kept[i].bytes);
	if (r->fd >= 0)
		close(r->fd);
	free(r);
}
