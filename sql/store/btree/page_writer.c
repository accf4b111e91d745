/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writer of tables as b-trees of pages, after the file format
 * (https://sqlite.org/fileformat2.html). Rows come in order, so leaves fill
 * from left to right, and each page is written once, when it is full. The
 * topmost page is written last, at the table's root.
 */
#include "sql/store/btree/page_writer.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/memory.h"
#include "common/file_at.h"
#include "sql/store/btree/page_leaf.h"
#include "sql/store/btree/page_output.h"
#include "sql/store/btree/page_parts.h"
#include "sql/store/btree/page_record.h"

#define LOCK_BYTE 0x40000000u
#define PAGES_MAX 0xfffffffeu
#define CELL_COPY GASPDB_CELLS_BEFORE

/* Offsets in the file's header. */
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

struct gaspdb_page_table {
	struct gaspdb_pages *pages;
	struct gaspdb_page_table *next;
	struct gaspdb_keyed
		*keyed; /* tree of a table WITHOUT ROWID; else NULL */
	struct gaspdb_columns holds;
	uint32_t root;
	unsigned columns;
	int key;
	bool any;
	int64_t last;	 /* rowid of the last accepted row of any kind */
	int64_t written; /* rowid of the last row in a page */
	struct gaspdb_leaf leaf;
	struct gaspdb_row_maker maker; /* encoder of rows of integers */
	struct gaspdb_interior above;  /* interior pages above the leaves */
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
	struct gaspdb_error wrong; /* first violation of a constraint */
};

/* --- the file ------------------------------------------------------------- */

static enum gaspdb_status check_header(struct gaspdb_pages *p, off_t size,
				       struct gaspdb_error *err)
{
	const uint8_t *h = p->header;
	const size_t bytes = gaspdb_page_be(h + AT_PAGE_BYTES, 2);

	/* 1 means 65536, which two bytes cannot hold. */
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

void gaspdb_pages_check(struct gaspdb_pages *p,
			const struct gaspdb_columns *columns,
			const uint8_t *page, uint8_t type)
{
	const int wrong = gaspdb_page_check(columns, page, p->usable, type);

	if (wrong >= 0 && !p->wrong.status)
		gaspdb_fail(&p->wrong, GASPDB_FAILED,
			    "cannot write '%s': a row of table '%s' has what "
			    "its column %d cannot hold",
			    p->path, columns->table, wrong + 1);
}

/* --- leaves --------------------------------------------------------------- */

static void write_leaf(struct gaspdb_page_table *t, uint32_t number)
{
	struct gaspdb_pages *p = t->pages;
	struct gaspdb_leaf *l = &t->leaf;

	gaspdb_leaf_finish(l, GASPDB_PAGE_LEAF);
	gaspdb_pages_check(p, &t->holds, l->bytes, GASPDB_PAGE_LEAF);
	memcpy(gaspdb_output_page(p->output, number), l->bytes, p->page_bytes);
	gaspdb_leaf_empty(l, l->bytes, p->usable);
}

/* Write the full leaf and begin the next. */
static void next_leaf(struct gaspdb_page_table *t)
{
	const uint32_t full = gaspdb_pages_new(t->pages);

	write_leaf(t, full);
	gaspdb_interior_add(&t->above, t->pages, full, t->written);
}

/* Reserve a cell of that many bytes, in a new leaf if necessary. */
static inline uint8_t *new_cell(struct gaspdb_page_table *t, size_t bytes)
{
	if (!gaspdb_leaf_has_room(&t->leaf, bytes))
		next_leaf(t);
	return gaspdb_leaf_cell(&t->leaf, bytes);
}

/* --- rows ----------------------------------------------------------------- */

/* Write a row that may overflow its cell. */
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

/* Copy a cell. Almost all fit into one copy of CELL_COPY bytes that ends with
   the cell: the page is free before it. */
static inline void copy_cell(const struct gaspdb_page_table *t, uint8_t *to,
			     const uint8_t *from, unsigned bytes)
{
	const struct gaspdb_leaf *l = &t->leaf;
	const size_t used = GASPDB_LEAF_FIRST + 2 * (size_t)l->cells;

	if (bytes <= CELL_COPY && l->top + bytes >= used + CELL_COPY)
		memcpy(to + bytes - CELL_COPY, from + bytes - CELL_COPY,
		       CELL_COPY);
	else
		memcpy(to, from, bytes);
}

/* Write the cell of a record that has CELL_COPY readable bytes before it.
   false: it overflows a cell. */
static bool put_record(struct gaspdb_page_table *t, int64_t rowid,
		       uint8_t *record, unsigned bytes)
{
	uint8_t number[9], *at;
	unsigned varint;

	if (bytes > t->pages->usable - 35)
		return false;
	/* The two varints before the record, written backwards: their lengths
	   are known only then. */
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

/* Append rows while their keys increase and the leaf has room. Returns the
   number appended. */
static size_t fill_leaf(struct gaspdb_page_table *t, const int64_t *rows,
			size_t n)
{
	if (t->columns > GASPDB_CELL_COLUMNS_MAX)
		return 0;
	t->maker.last = t->any && t->last >= 0 ? t->last : -1;
	n = gaspdb_leaf_fill(&t->leaf, &t->maker, rows, n);
	if (n) {
		t->any = true;
		t->written = t->last = t->maker.last;
	}
	return n;
}

/* --- cells ---------------------------------------------------------------- */

/* The rowid of a cell, after the record's length. */
static int64_t rowid_of(const uint8_t *cell)
{
	const uint8_t *end = cell + 18; /* bound of both varints */

	return (int64_t)gaspdb_page_varint(gaspdb_page_varint(cell, end).after,
					   end)
		.value;
}

/* --- appending ------------------------------------------------------------ */

/* Accept a rowid that is larger than the last one. */
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
	size_t i = 0;

	assert(!t->key);
	for (;;) {
		const int64_t *row;

		i += fill_leaf(t, rows + i * t->columns, n - i);
		row = rows + i * t->columns;
		/* The leaf is full, or the row is of an unusual shape. */
		if (i == n || !take_rowid(t, row[0]))
			return i;
		make_as_values(t, row);
		i++;
	}
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

void gaspdb_pages_append_leaf(struct gaspdb_page_table *t, const uint8_t *leaf)
{
	if (t->keyed) {
		gaspdb_keyed_add_leaf(t->keyed, leaf);
		return;
	}
	if (t->leaf.cells)
		next_leaf(t);
	gaspdb_leaf_copy(&t->leaf, leaf, t->pages->page_bytes);
	t->any = true;
	t->written = t->last = rowid_of(t->leaf.bytes + t->leaf.top);
}

void gaspdb_pages_thread(struct gaspdb_pages *p)
{
	gaspdb_output_thread(p->output);
}

/* --- tables --------------------------------------------------------------- */

struct gaspdb_page_table *gaspdb_pages_table(struct gaspdb_pages *p,
					     uint32_t root,
					     const struct gaspdb_columns *holds,
					     int key)
{
	struct gaspdb_page_table *t = gaspdb_mem_alloc(sizeof *t);
	const unsigned columns = holds->n;

	t->pages = p;
	t->root = root;
	t->holds = *holds;
	t->columns = columns;
	t->key = key;
	gaspdb_leaf_empty(&t->leaf, gaspdb_mem_alloc(p->page_bytes), p->usable);
	if (columns <= GASPDB_CELL_COLUMNS_MAX)
		gaspdb_row_maker_init(&t->maker, columns, false, 0, NULL);
	t->next = p->tables;
	p->tables = t;
	return t;
}

struct gaspdb_page_table *gaspdb_pages_keyed(struct gaspdb_pages *p,
					     uint32_t root,
					     const struct gaspdb_columns *holds)
{
	struct gaspdb_page_table *t = gaspdb_pages_table(p, root, holds, -1);

	t->keyed = gaspdb_keyed_new(p, root, &t->holds);
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
	if (p->wrong.status) {
		*err = p->wrong;
		return p->wrong.status;
	}
	return gaspdb_output_status(p->output, err);
}

/* SQLite uses the header's number of pages if the two change counters agree. */
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
		free(t->leaf.bytes);
		free(t);
	}
	free(p->path);
	free(p);
}
