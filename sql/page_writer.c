/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables as trees of pages, from the file format's documentation
 * (https://sqlite.org/fileformat2.html).  Rows come in order, so leaves fill
 * from left to right, and a page is written once, when it is full.  The
 * topmost page is written last, where the table's root is.
 */
#include "sql/page_writer.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "sql/page_file.h"
#include "sql/page_output.h"
#include "sql/page_parts.h"
#include "sql/page_record.h"

#define LOCK_BYTE  0x40000000u
#define PAGES_MAX  0xfffffffeu
#define LEAF_FIRST 8 /* bytes of a leaf's header */
#define CELL_COPY  GASPDB_CELLS_BEFORE

/* The file's header. */
enum {
	HEADER_BYTES = 100,
	AT_PAGE_BYTES = 16,
	AT_WRITE_VERSION = 18,
	AT_RESERVED = 20,
	AT_CHANGES = 24,
	AT_PAGES = 28,
	AT_FORMAT = 44,
	AT_AUTO_VACUUM = 52,
	AT_VALID_FOR = 92
};

/* What is written for a row of few integers at most, and may be before it; so
   few that the record's length takes one byte. */
#define FEW_BYTES(columns) (1 + 9 + GASPDB_FEW_HEADER + 8 * (columns))

/* The varints of rowids that differ in their lowest seven bits alone. */
struct rowid_bytes {
	int64_t above;	   /* the other bits */
	unsigned n;	   /* bytes in all, the last of which has those seven */
	uint8_t before[8]; /* that one */
};
#define ROWID_SHORT ((int64_t)1 << 56) /* larger ones' last byte has eight */

struct gaspdb_page_table {
	struct gaspdb_pages *pages;
	struct gaspdb_page_table *next;
	struct gaspdb_keyed *keyed; /* without rowid: all of it; else NULL */
	uint32_t root;
	unsigned columns;
	int key;
	bool any;
	int64_t last;	 /* rowid of the last row that is taken, any */
	int64_t written; /* of the last row that is in a page */
	uint8_t *leaf;
	unsigned cells;		      /* in it */
	size_t top;		      /* where its content begins */
	struct rowid_bytes rowid;     /* of the last row of few columns */
	struct gaspdb_interior above; /* the leaves */
};

struct gaspdb_pages {
	char *path;
	int fd;
	size_t page_bytes, usable; /* less what is reserved for extensions */
	uint32_t n_pages, lock_page;
	uint8_t header[HEADER_BYTES];
	struct gaspdb_output *output;
	struct gaspdb_page_table *tables;
	bool too_many;
};

/* --- the file ------------------------------------------------------------- */

static enum gaspdb_status check_header(struct gaspdb_pages *p, off_t size,
				       struct gaspdb_error *err)
{
	const uint8_t *h = p->header;
	const size_t bytes = gaspdb_page_be(h + AT_PAGE_BYTES, 2);

	/* 1 stands for 65536, which two bytes cannot hold. */
	p->page_bytes = bytes == 1 ? 65536 : bytes;
	if (memcmp(h, "SQLite format 3", 16) || p->page_bytes < 512 ||
	    p->page_bytes & (p->page_bytes - 1))
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' is not an SQLite database", p->path);
	p->usable = p->page_bytes - h[AT_RESERVED];
	p->n_pages = gaspdb_page_be(h + AT_PAGES, 4);
	if (h[AT_WRITE_VERSION] != 1 || gaspdb_page_be(h + AT_FORMAT, 4) != 4 ||
	    gaspdb_page_be(h + AT_AUTO_VACUUM, 4) || p->usable < 480 ||
	    (uint64_t)size != (uint64_t)p->n_pages * p->page_bytes)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' is not of a format to extend",
				   p->path);
	return GASPDB_OK;
}

static enum gaspdb_status open_file(struct gaspdb_pages *p,
				    struct gaspdb_error *err)
{
	struct stat st;

	p->fd = open(p->path, O_RDWR | O_CLOEXEC);
	if (p->fd < 0 || fstat(p->fd, &st))
		return gaspdb_fail_errno(err, "cannot open '%s'", p->path);
	memset(p->header, 0, sizeof p->header);
	if (st.st_size >= HEADER_BYTES &&
	    !gaspdb_read_at(p->fd, p->header, HEADER_BYTES, 0))
		return gaspdb_fail_errno(err, "cannot read '%s'", p->path);
	return check_header(p, st.st_size, err);
}

enum gaspdb_status gaspdb_pages_open(struct gaspdb_pages **pages,
				     const char *path, uint64_t lock_byte,
				     struct gaspdb_error *err)
{
	struct gaspdb_pages *p = gaspdb_mem_alloc(sizeof *p);
	const size_t n = strlen(path) + 1;

	*pages = p;
	p->fd = -1;
	p->path = gaspdb_mem_alloc(n);
	memcpy(p->path, path, n);
	if (open_file(p, err)) {
		gaspdb_pages_close(p);
		*pages = NULL;
		return GASPDB_FAILED;
	}
	p->lock_page = (uint32_t)((lock_byte ? lock_byte : LOCK_BYTE) /
				  p->page_bytes) +
		       1;
	p->output = gaspdb_output_new(p->fd, p->path, p->page_bytes);
	return GASPDB_OK;
}

uint32_t gaspdb_pages_new(struct gaspdb_pages *p)
{
	if (p->n_pages >= PAGES_MAX - 1) {
		p->too_many = true;
		return p->n_pages;
	}
	if (++p->n_pages == p->lock_page)
		p->n_pages++;
	return p->n_pages;
}

uint8_t *gaspdb_pages_build(struct gaspdb_pages *p, uint32_t number)
{
	return gaspdb_output_page(p->output, number);
}

size_t gaspdb_pages_bytes(const struct gaspdb_pages *p)
{
	return p->page_bytes;
}

size_t gaspdb_pages_usable(const struct gaspdb_pages *p)
{
	return p->usable;
}

/* --- leaves --------------------------------------------------------------- */

static void write_leaf(struct gaspdb_page_table *t, uint32_t number)
{
	struct gaspdb_pages *p = t->pages;
	const size_t first = LEAF_FIRST + 2 * (size_t)t->cells;

	memset(t->leaf, 0, LEAF_FIRST);
	memset(t->leaf + first, 0, t->top - first);
	t->leaf[0] = GASPDB_PAGE_LEAF;
	gaspdb_put_be(t->leaf + 3, t->cells, 2);
	gaspdb_put_be(t->leaf + 5, (uint32_t)t->top, 2); /* 65536 is 0 */
	memcpy(gaspdb_output_page(p->output, number), t->leaf, p->page_bytes);
	t->cells = 0;
	t->top = p->usable;
}

static inline bool has_room(const struct gaspdb_page_table *t, size_t bytes)
{
	return LEAF_FIRST + 2 * ((size_t)t->cells + 1) + bytes <= t->top;
}

/* Room for a cell of so many bytes, which begins there. */
static inline uint8_t *new_cell(struct gaspdb_page_table *t, size_t bytes)
{
	if (!has_room(t, bytes)) {
		const uint32_t full = gaspdb_pages_new(t->pages);

		write_leaf(t, full);
		gaspdb_interior_add(&t->above, t->pages, full, t->written);
	}
	t->top -= bytes;
	gaspdb_put_be(t->leaf + LEAF_FIRST + 2 * (size_t)t->cells++,
		      (uint32_t)t->top, 2);
	return t->leaf + t->top;
}

/* --- rows ----------------------------------------------------------------- */

/* A row that may be too long for its cell. */
static void make_long(struct gaspdb_page_table *t, int64_t rowid,
		      const struct gaspdb_value *values)
{
	struct gaspdb_value row[GASPDB_ROW_COLUMNS_MAX];
	uint8_t header[GASPDB_ROW_HEADER_MAX], prefix[18];
	const size_t usable = t->pages->usable;
	unsigned header_bytes, prefix_bytes;
	struct gaspdb_sink sink = { .pages = t->pages };
	uint64_t record;
	size_t local;

	memcpy(row, values, t->columns * sizeof *row);
	if (t->key >= 0)
		row[t->key].is = GASPDB_IS_NULL;
	header_bytes = gaspdb_row_header(header, row, t->columns, &record);
	record += header_bytes;
	local = gaspdb_local_bytes(usable, usable - 35,
				   (usable - 12) * 32 / 255 - 23, record);
	prefix_bytes = gaspdb_put_varint(prefix, record);
	prefix_bytes +=
		gaspdb_put_varint(prefix + prefix_bytes, (uint64_t)rowid);
	sink.at = new_cell(t, prefix_bytes + local + (local < record ? 4 : 0));
	sink.left = prefix_bytes + local;
	sink.link = sink.at + sink.left;
	gaspdb_sink_pour(&sink, prefix, prefix_bytes);
	gaspdb_sink_record(&sink, header, header_bytes, row, t->columns);
}

/*
 * So many bytes, in one go for almost all: those up to the cell's end, and as
 * many before it as make CELL_COPY; there the page is free.
 */
static inline void copy_cell(const struct gaspdb_page_table *t, uint8_t *to,
			     const uint8_t *from, unsigned bytes)
{
	const size_t used = LEAF_FIRST + 2 * (size_t)t->cells;

	if (bytes <= CELL_COPY && t->top + bytes >= used + CELL_COPY)
		memcpy(to + bytes - CELL_COPY, from + bytes - CELL_COPY,
		       CELL_COPY);
	else
		memcpy(to, from, bytes);
}

/* A record behind so many bytes of room as CELL_COPY; false: too long for a
   cell. */
static bool put_record(struct gaspdb_page_table *t, int64_t rowid,
		       uint8_t *record, unsigned bytes)
{
	uint8_t number[9], *at;
	unsigned varint;

	if (bytes > t->pages->usable - 35)
		return false;
	/* The two varints before it: from behind, as their lengths are known
	   only then. */
	varint = gaspdb_put_varint(number, (uint64_t)rowid);
	at = record - varint;
	memcpy(at, number, varint);
	varint = bytes < 0x80 ? 1 : bytes < 0x4000 ? 2 : 3;
	at -= varint;
	gaspdb_put_varint(at, bytes);
	bytes += (unsigned)(record - at);
	copy_cell(t, new_cell(t, bytes), at, bytes);
	return true;
}

static void make_row(struct gaspdb_page_table *t, int64_t rowid,
		     const struct gaspdb_value *values)
{
	uint8_t cell[CELL_COPY + GASPDB_ROW_SHORT_MAX];
	unsigned bytes = 0;

	if (t->columns < 60 && t->key <= 0 && !t->keyed)
		bytes = gaspdb_row_short(cell + CELL_COPY, values, t->columns,
					 t->key == 0, false);
	if (t->keyed)
		gaspdb_keyed_append(t->keyed, values);
	else if (!bytes || !put_record(t, rowid, cell + CELL_COPY, bytes))
		make_long(t, rowid, values);
	t->written = rowid;
}

static void make_as_values(struct gaspdb_page_table *t, const int64_t *values)
{
	struct gaspdb_value row[GASPDB_ROW_COLUMNS_MAX];

	for (unsigned i = 0; i < t->columns; i++)
		row[i] = gaspdb_int(values[i]);
	make_row(t, values[0], row);
}

static void make_many(struct gaspdb_page_table *t, const int64_t *values)
{
	uint8_t cell[CELL_COPY + GASPDB_ROW_INTS_MAX(GASPDB_ROW_COLUMNS_MAX)];
	uint8_t *record = cell + CELL_COPY;

	if (!put_record(t, values[0], record,
			gaspdb_row_ints(record, values, t->columns, true)))
		make_as_values(t, values);
	t->written = values[0];
}

/*
 * Rows of few integers are made in the leaf where they stay, from behind: there
 * the end of what is free is known, but not how long a row is.
 */

static void find_rowid(struct rowid_bytes *r, int64_t rowid)
{
	uint8_t room[8 + 8];

	r->above = rowid >> 7;
	r->n = gaspdb_put_varint(room + 8, (uint64_t)rowid);
	memcpy(r->before, room + r->n - 1, 8);
}

/* One that ends there; returns where it begins. */
static inline uint8_t *put_rowid(struct rowid_bytes *r, uint8_t *end,
				 int64_t rowid)
{
	if (rowid >> 7 != r->above)
		find_rowid(r, rowid);
	memcpy(end - 9, r->before, 8);
	end[-1] = rowid & 0x7f;
	return end - r->n;
}

/* A cell that ends there; returns where it begins. */
static inline __attribute__((always_inline)) uint8_t *
put_few(struct gaspdb_page_table *t, uint8_t *end, const int64_t *values,
	unsigned columns)
{
	struct gaspdb_few_types types = { { 0, 0 } };
	uint8_t *at = end;
	const uint8_t *record;

#pragma GCC unroll 14
	for (unsigned i = columns - 1; i > 0; i--)
		gaspdb_set_type(&types, i, gaspdb_put_before(&at, values[i]));
	record = at = gaspdb_put_header(&types, columns, at);
	at = put_rowid(&t->rowid, at, values[0]) - 1;
	*at = (uint8_t)(end - record);
	return at;
}

/* Rows as long as they may follow and there surely is room in the leaf; returns
   those that are left.  How many columns the compiler knows. */
static inline __attribute__((always_inline)) const int64_t *
fill_leaf(struct gaspdb_page_table *t, const int64_t *rows, const int64_t *end,
	  unsigned columns)
{
	uint8_t *const leaf = t->leaf;
	uint8_t *top = leaf + t->top;
	uint8_t *slot = leaf + LEAF_FIRST + 2 * (size_t)t->cells;
	int64_t last = t->any && t->last >= 0 ? t->last : -1;

	for (; rows < end && rows[0] > last && rows[0] < ROWID_SHORT &&
	       top - slot >= FEW_BYTES(columns);
	     rows += columns, slot += 2) {
		top = put_few(t, top, rows, columns);
		gaspdb_put_be(slot, (uint32_t)(top - leaf), 2);
		last = rows[0];
	}
	if (slot == leaf + LEAF_FIRST + 2 * (size_t)t->cells)
		return rows;
	t->any = true;
	t->written = t->last = last;
	t->cells = (unsigned)(slot - leaf - LEAF_FIRST) / 2;
	t->top = (size_t)(top - leaf);
	return rows;
}

/* --- cells ---------------------------------------------------------------- */

/* The rowid of a cell, which stands behind the record's length. */
static int64_t rowid_of(const uint8_t *cell)
{
	const uint8_t *end = cell + 18; /* of both, at most */

	return (int64_t)gaspdb_page_varint(gaspdb_page_varint(cell, end).after,
					   end)
		.value;
}

static size_t length_of(const uint8_t *at)
{
	uint16_t bytes;

	memcpy(&bytes, at, sizeof bytes);
	return bytes;
}

/* --- appending ------------------------------------------------------------ */

/* May this row follow?  Then it is the last one. */
static inline bool take_rowid(struct gaspdb_page_table *t, int64_t rowid)
{
	if (t->any && rowid <= t->last)
		return false;
	t->any = true;
	t->last = rowid;
	return true;
}

bool gaspdb_pages_append(struct gaspdb_page_table *t, int64_t rowid,
			 const struct gaspdb_value *values)
{
	if (!take_rowid(t, rowid))
		return false;
	make_row(t, rowid, values);
	return true;
}

size_t gaspdb_pages_append_rows(struct gaspdb_page_table *t,
				const int64_t *rows, size_t n)
{
	const unsigned columns = t->columns;
	const int64_t *const end = rows + n * columns, *row = rows;

	assert(!t->key);
	while (row < end) {
		if (columns == 3) /* event_arg */
			row = fill_leaf(t, row, end, 3);
		else if (columns == 12) /* event */
			row = fill_leaf(t, row, end, 12);
		if (row == end || !take_rowid(t, row[0]))
			break;
		make_many(t, row);
		row += columns;
	}
	return (size_t)(row - rows) / columns;
}

void gaspdb_pages_append_row(struct gaspdb_page_table *t, const int64_t *values,
			     const struct gaspdb_cell_text *text)
{
	gaspdb_keyed_row(t->keyed, values, text);
}

bool gaspdb_pages_append_cell(struct gaspdb_page_table *t, const uint8_t *cell,
			      size_t bytes)
{
	assert(!t->keyed && bytes <= t->pages->usable - 35);
	if (!take_rowid(t, rowid_of(cell)))
		return false;
	copy_cell(t, new_cell(t, bytes), cell, (unsigned)bytes);
	t->written = t->last;
	return true;
}

bool gaspdb_pages_append_cells(struct gaspdb_page_table *t,
			       const uint8_t *cells, size_t n)
{
	const uint8_t *const end = cells + n, *cell = NULL;
	size_t bytes;

	if (n && !t->keyed && !take_rowid(t, rowid_of(cells + 2)))
		return false;
	for (; cells < end; cells = cell + bytes) {
		bytes = length_of(cells);
		cell = cells + 2;
		if (t->keyed) {
			gaspdb_keyed_add(t->keyed, cell, bytes);
			continue;
		}
		if (!has_room(t, bytes) && t->cells)
			t->written = rowid_of(t->leaf + t->top);
		copy_cell(t, new_cell(t, bytes), cell, (unsigned)bytes);
	}
	if (cell && !t->keyed)
		t->written = t->last = rowid_of(cell);
	return true;
}

void gaspdb_pages_thread(struct gaspdb_pages *p)
{
	gaspdb_output_thread(p->output);
}

/* --- tables --------------------------------------------------------------- */

struct gaspdb_page_table *gaspdb_pages_table(struct gaspdb_pages *p,
					     uint32_t root, unsigned columns,
					     int key)
{
	struct gaspdb_page_table *t = gaspdb_mem_alloc(sizeof *t);

	t->pages = p;
	t->root = root;
	t->columns = columns;
	t->key = key;
	t->leaf = gaspdb_mem_alloc(p->page_bytes);
	t->top = p->usable;
	t->rowid.above = -1;
	t->next = p->tables;
	p->tables = t;
	return t;
}

struct gaspdb_page_table *gaspdb_pages_keyed(struct gaspdb_pages *p,
					     uint32_t root, unsigned columns)
{
	struct gaspdb_page_table *t = gaspdb_pages_table(p, root, columns, -1);

	t->keyed = gaspdb_keyed_new(p, root, columns);
	return t;
}

static void finish_table(struct gaspdb_page_table *t)
{
	uint32_t last;

	if (t->keyed) {
		gaspdb_keyed_finish(t->keyed);
		return;
	}
	if (!t->above.n) {
		write_leaf(t, t->root);
		return;
	}
	last = gaspdb_pages_new(t->pages);
	write_leaf(t, last);
	gaspdb_interior_add(&t->above, t->pages, last, t->written);
	gaspdb_interior_finish(&t->above, t->pages, t->written, t->root);
}

/* --- the end -------------------------------------------------------------- */

enum gaspdb_status gaspdb_pages_status(struct gaspdb_pages *p,
				       struct gaspdb_error *err)
{
	if (p->too_many)
		return gaspdb_fail(err, GASPDB_FAILED,
				   "'%s' would have too many pages", p->path);
	return gaspdb_output_status(p->output, err);
}

/* SQLite believes the number of pages if the two counters agree. */
static enum gaspdb_status write_header(struct gaspdb_pages *p,
				       struct gaspdb_error *err)
{
	const uint32_t changes = gaspdb_page_be(p->header + AT_CHANGES, 4) + 1;

	gaspdb_put_be(p->header + AT_CHANGES, changes, 4);
	gaspdb_put_be(p->header + AT_PAGES, p->n_pages, 4);
	gaspdb_put_be(p->header + AT_VALID_FOR, changes, 4);
	if (gaspdb_write_at(p->fd, p->header, HEADER_BYTES, 0))
		return GASPDB_OK;
	return gaspdb_fail_errno(err, "cannot write '%s'", p->path);
}

enum gaspdb_status gaspdb_pages_finish(struct gaspdb_pages *p,
				       struct gaspdb_error *err)
{
	if (gaspdb_pages_status(p, err))
		return GASPDB_FAILED;
	for (struct gaspdb_page_table *t = p->tables; t; t = t->next)
		finish_table(t);
	if (gaspdb_output_finish(p->output, err) || gaspdb_pages_status(p, err))
		return GASPDB_FAILED;
	return write_header(p, err);
}

void gaspdb_pages_close(struct gaspdb_pages *p)
{
	struct gaspdb_page_table *t, *next;

	if (!p)
		return;
	gaspdb_output_free(p->output);
	if (p->fd >= 0)
		close(p->fd);
	for (t = p->tables; t; t = next) {
		next = t->next;
		gaspdb_interior_free(&t->above);
		gaspdb_keyed_free(t->keyed);
		free(t->leaf);
		free(t);
	}
	free(p->path);
	free(p);
}
