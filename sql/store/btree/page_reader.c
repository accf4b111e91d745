/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Range reads of a table's b-tree: a descent to the leaf of the first id, then
 * leaf to leaf. Recent pages are cached. Leaves of recent ids are found without
 * a descent, so single rows and adjacent ranges are cheap. A scan reads leaves
 * that lie in the file one after the other at once.
 */
#include "sql/store/btree/page_reader.h"

#include <stdlib.h>
#include <string.h>

#include "sql/store/btree/page_file.h"
#include "sql/store/btree/page_shapes.h"
#include "sql/store/table.h"

enum { LEVELS_MAX = 20 };
/*
 * A set-associative page cache, indexed by page number, with LRU replacement.
 */
enum { SETS = 32, WAYS = 4 };
/* Pages that a scan reads at once; fewer than SETS. */
enum { AHEAD = 8 };
/* Index of recent leaves, by the upper bits of an id. */
enum { RECENT = 256, RECENT_SHIFT = 7 };
/* Cells of a linear search before the binary search. */
enum { STEPS = 4 };
/* Rows per read where the range ends in the leaf. */
enum { BLOCK = 8 };

enum { PAGE_INTERIOR = 5, PAGE_LEAF = 13, LEAF_FIRST = 8, INTERIOR_FIRST = 12 };

struct page {
	uint8_t *bytes;	 /* with GASPDB_PAGE_SLACK readable bytes after */
	uint32_t number; /* 0: empty */
	uint64_t used;
	unsigned cells, cell;	 /* cell: last result of a search */
	int64_t least, greatest; /* a leaf: range of its ids; 1, 0: unknown */
	int64_t first;		 /* a leaf: id of its first row */
	bool dense;		 /* its ids have no gaps */
	bool known;		 /* the header has been read */
};

struct gaspdb_page_reader {
	struct gaspdb_page_file file;
	struct gaspdb_record_format format;
	struct gaspdb_shapes *shapes; /* NULL: none, for a table of one leaf */
	bool many;		      /* the table has more than one leaf */
	uint32_t root;
	void (*on_page)(void *user, unsigned n);
	void *user;
	struct page pages[SETS][WAYS];
	uint64_t used;			    /* clock of page uses */
	struct page *last, *recent[RECENT]; /* leaves; NULL: none */
	bool bad;
};

/* --- cells ---------------------------------------------------------------- */

/* Is `at` a valid start of a cell? */
static inline bool is_cell(size_t usable, size_t at)
{
	/* A smaller `at` wraps to a large number. */
	return at - LEAF_FIRST <= usable - LEAF_FIRST - 4;
}

/* A cell's start from the cell pointer array; not checked. */
static inline size_t cell_at(const uint8_t *page, size_t first, unsigned i)
{
	const uint8_t *pointer = page + first + 2 * (size_t)i;

	return (size_t)pointer[0] << 8 | pointer[1];
}

static inline bool is_leaf(const struct page *p)
{
	return p->bytes[0] == PAGE_LEAF;
}

/* A cell by its index; NULL: outside the page. */
static inline const uint8_t *get_cell(struct gaspdb_page_reader *r,
				      const struct page *p, unsigned i)
{
	const size_t at =
		cell_at(p->bytes, is_leaf(p) ? LEAF_FIRST : INTERIOR_FIRST, i);

	r->bad |= !is_cell(r->file.usable, at);
	return r->bad ? NULL : p->bytes + at;
}

/* The rowid of a cell; in an interior page the largest of its child. */
static int64_t rowid_at(struct gaspdb_page_reader *r, const struct page *p,
			unsigned i)
{
	const uint8_t *const end = p->bytes + r->file.usable;
	const uint8_t *at = get_cell(r, p, i);

	if (!at)
		return 0;
	at = is_leaf(p) ? gaspdb_page_varint(at, end).after : at + 4;
	return (int64_t)gaspdb_page_varint(at, end).value;
}

/* The first cell from low on with at least that rowid; cells: none. */
static unsigned find_from(struct gaspdb_page_reader *r, const struct page *p,
			  unsigned low, int64_t rowid)
{
	unsigned high = p->cells;

	for (int i = 0; i < STEPS && low < high; i++, low++)
		if (rowid_at(r, p, low) >= rowid)
			return low;
	while (low < high && !r->bad) {
		const unsigned middle = low + (high - low) / 2;

		if (rowid_at(r, p, middle) < rowid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The first cell of a dense leaf with at least that rowid. */
static unsigned dense_cell(const struct page *p, int64_t rowid)
{
	if (rowid <= p->first)
		return 0;
	return (uint64_t)rowid - (uint64_t)p->first < p->cells
		       ? (unsigned)(rowid - p->first)
		       : p->cells;
}

/* The first cell of a page with at least that rowid; mostly the last result or
   its successor. */
static unsigned find_cell(struct gaspdb_page_reader *r, struct page *p,
			  int64_t rowid)
{
	const unsigned near = p->cell;
	unsigned low = 0;

	if (p->dense)
		return dense_cell(p, rowid);
	if (near && near < p->cells) {
		const int64_t there = rowid_at(r, p, near);

		if (there == rowid ||
		    (there > rowid && rowid_at(r, p, near - 1) < rowid))
			return near;
		low = there < rowid ? near + 1 : 0;
	}
	return p->cell = find_from(r, p, low, rowid);
}

/* --- pages ---------------------------------------------------------------- */

/* Evict the least recently used page of a set. */
static struct page *make_room(struct gaspdb_page_reader *r, struct page *set)
{
	const size_t bytes = r->file.page_bytes;
	struct page *oldest = set;

	for (struct page *p = set + 1; p < set + WAYS; p++)
		if (p->used < oldest->used)
			oldest = p;
	if (!oldest->bytes) {
		oldest->bytes = malloc(bytes + GASPDB_PAGE_SLACK);
		if (oldest->bytes)
			memset(oldest->bytes + bytes, 0, GASPDB_PAGE_SLACK);
	}
	oldest->number = 0;
	oldest->cell = 0;
	oldest->least = 1;
	oldest->greatest = 0;
	oldest->dense = oldest->known = false;
	return oldest->bytes ? oldest : NULL;
}

/* Read a page's header. false: not a page of a table. */
static bool learn(struct gaspdb_page_reader *r, struct page *p)
{
	const bool leaf = is_leaf(p);
	const size_t first = leaf ? LEAF_FIRST : INTERIOR_FIRST;

	p->known = true;
	p->cells = gaspdb_page_be(p->bytes + 3, 2);
	if ((!leaf && p->bytes[0] != PAGE_INTERIOR) ||
	    first + 2 * (size_t)p->cells > r->file.usable)
		return false;
	if (leaf && p->cells) {
		p->first = rowid_at(r, p, 0);
		p->dense = (uint64_t)rowid_at(r, p, p->cells - 1) -
				   (uint64_t)p->first ==
			   p->cells - 1;
	}
	return !r->bad;
}

/* A page in the cache; NULL: it is not there. */
static struct page *cached_page(struct gaspdb_page_reader *r, uint32_t number)
{
	struct page *set = r->pages[number % SETS];

	for (struct page *p = set; p < set + WAYS; p++)
		if (p->number == number && number)
			return p;
	return NULL;
}

/* Read n consecutive pages from the file, or up to the first that is in the
   cache. Returns the first page; NULL: r->bad. */
static struct page *read_pages(struct gaspdb_page_reader *r, uint32_t number,
			       unsigned n)
{
	struct page *pages[AHEAD];
	uint8_t *bytes[AHEAD];
	unsigned i = 0, got;

	do {
		pages[i] = make_room(r, r->pages[(number + i) % SETS]);
		if (!pages[i])
			break;
		bytes[i] = pages[i]->bytes;
		i++;
	} while (i < n && !cached_page(r, number + i));
	got = i < 2 ? i && gaspdb_page_file_read(&r->file, number, bytes[0])
		    : gaspdb_page_file_read_several(&r->file, number, bytes, i);
	for (i = 0; i < got; i++) {
		pages[i]->number = number + i;
		pages[i]->used = ++r->used;
	}
	if (r->on_page)
		r->on_page(r->user, got);
	r->bad |= !got;
	return got ? pages[0] : NULL;
}

/* A page by its number, from the cache or the file, there with the n - 1 pages
   after it. NULL: r->bad. */
static struct page *get_page(struct gaspdb_page_reader *r, uint32_t number,
			     unsigned n)
{
	struct page *p = cached_page(r, number);

	if (!p)
		p = read_pages(r, number, n);
	if (p && !p->known)
		r->bad |= !learn(r, p);
	if (r->bad) {
		if (p)
			p->number = 0;
		return NULL;
	}
	p->used = ++r->used;
	return p;
}

/* The child of an interior page at a cell; the right-most child has none. */
static uint32_t child_at(struct gaspdb_page_reader *r, const struct page *p,
			 unsigned i)
{
	const uint8_t *at = i < p->cells ? get_cell(r, p, i) : p->bytes + 8;

	return at ? gaspdb_page_be(at, 4) : 0;
}

/* How many children from a cell on lie in the file one after the other. */
static unsigned count_in_order(struct gaspdb_page_reader *r,
			       const struct page *p, unsigned i)
{
	const uint32_t number = child_at(r, p, i);
	unsigned n = 1;

	while (n < AHEAD && i + n <= p->cells &&
	       child_at(r, p, i + n) == number + n)
		n++;
	return n;
}

/* Note that the table has more than one leaf. */
static void expect_many(struct gaspdb_page_reader *r)
{
	if (!r->many)
		r->shapes = gaspdb_shapes_new(r->format.columns);
	r->many = true;
}

/* The leaf of a rowid, by a descent from the root. NULL: r->bad. */
static struct page *find_leaf(struct gaspdb_page_reader *r, int64_t rowid)
{
	const bool is_scan = r->last && (uint64_t)rowid ==
						(uint64_t)r->last->greatest + 1;
	int64_t least = INT64_MIN, greatest = INT64_MAX;
	uint32_t number = r->root;
	unsigned n = 1;

	for (int level = 0; level < LEVELS_MAX; level++) {
		struct page *p = get_page(r, number, n);
		unsigned i;

		if (!p)
			return NULL;
		if (is_leaf(p)) {
			p->least = least;
			p->greatest = greatest;
			return p;
		}
		expect_many(r);
		i = find_cell(r, p, rowid);
		if (i > 0)
			least = rowid_at(r, p, i - 1) + 1;
		if (i < p->cells)
			greatest = rowid_at(r, p, i);
		number = child_at(r, p, i);
		n = is_scan ? count_in_order(r, p, i) : 1;
		if (r->bad)
			return NULL;
	}
	r->bad = true;
	return NULL;
}

static bool holds(const struct page *leaf, int64_t rowid)
{
	return leaf && leaf->number && rowid >= leaf->least &&
	       rowid <= leaf->greatest;
}

/* The leaf of a rowid, tried first: the last leaf and the recent one of that
   id. */
static struct page *leaf_of(struct gaspdb_page_reader *r, int64_t rowid)
{
	struct page **recent =
		&r->recent[(uint64_t)rowid >> RECENT_SHIFT & (RECENT - 1)];

	if (holds(r->last, rowid))
		*recent = r->last;
	else if (!holds(*recent, rowid))
		*recent = find_leaf(r, rowid);
	r->last = *recent;
	if (r->last)
		r->last->used = ++r->used;
	return r->last;
}

/* --- rows ----------------------------------------------------------------- */

/* Read the first n columns of cells i to until. false: unexpected content. */
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
/* Read the rows by their shapes. */
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

/* Constant numbers of columns for the compiler: those of events and of their
   arguments. */
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

/* Read the rows of a leaf's cells. false: r->bad. */
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

/* Read the rows of a leaf from an id on. false: the range or the room is
   exhausted, or r->bad. */
static bool read_leaf(struct gaspdb_page_reader *r, struct page *p,
		      int64_t from, int64_t until, unsigned n, size_t room,
		      int64_t *rows, size_t *got)
{
	const unsigned i = find_cell(r, p, from);
	size_t some = r->bad ? 0 : p->cells - i, wanted;

	if (until <= p->greatest && !p->dense && some > BLOCK)
		some = BLOCK; /* most ranges inside a leaf are short */
	if (until <= p->greatest && p->dense)
		some = dense_cell(p, until) - i;
	if (some > room)
		some = room;
	if (r->bad || !read_rows(r, p->bytes, i, i + (unsigned)some, n, rows))
		return false;
	for (wanted = some; wanted && rows[(wanted - 1) * n] >= until;)
		wanted--;
	p->cell = i + (unsigned)wanted;
	*got = wanted;
	return wanted == some &&
	       (p->cell < p->cells ? some > 0 : p->greatest < until);
}

bool gaspdb_page_reader_read(struct gaspdb_page_reader *r, int64_t from,
			     int64_t until, unsigned n, size_t room,
			     int64_t *rows, size_t *got)
{
	r->bad = false;
	*got = 0;
	while (from < until && *got < room) {
		struct page *p = leaf_of(r, from);
		size_t some = 0;
		bool more;

		if (!p)
			return false;
		more = read_leaf(r, p, from, until, n, room - *got,
				 rows + *got * n, &some);
		*got += some;
		if (!more)
			return !r->bad;
		from = p->cell < p->cells ? rows[(*got - 1) * n] + 1
					  : p->greatest + 1;
	}
	return true;
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

/* The function's existence is the permission. */
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
gaspdb_page_reader_open(sqlite3 *db, const char *table, unsigned columns,
			void (*on_page)(void *user, unsigned n), void *user)
{
	const char *path = sqlite3_db_filename(db, "main");
	struct gaspdb_page_reader *r;

	if (!path || columns > GASPDB_TABLE_COLUMNS_MAX ||
	    !gaspdb_pages_allowed(db))
		return NULL;
	r = calloc(1, sizeof *r);
	if (!r)
		return NULL;
	r->on_page = on_page;
	r->user = user;
	r->format.columns = columns;
	r->root = gaspdb_pages_root(db, table);
	if (!gaspdb_page_file_open(&r->file, path) || !r->root) {
		gaspdb_page_reader_close(r);
		return NULL;
	}
	r->format.usable = r->file.usable;
	return r;
}

void gaspdb_page_reader_close(struct gaspdb_page_reader *r)
{
	if (!r)
		return;
	for (int i = 0; i < SETS * WAYS; i++)
		free(r->pages[i / WAYS][i % WAYS].bytes);
	free(r->shapes);
	gaspdb_page_file_close(&r->file);
	free(r);
}
