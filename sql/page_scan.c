/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Down the tree from its root, children from left to right.  Nothing that a
 * page says is believed before it is seen to lie in the page.
 */
#include "sql/page_scan.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEVELS_MAX 20

enum { PAGE_INTERIOR = 5, PAGE_LEAF = 13 };

struct scan {
	int fd;
	size_t page_bytes, usable;
	unsigned columns;
	gaspdb_row_fn fn;
	void *user;
	uint8_t *pages[LEVELS_MAX]; /* one a level */
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
		  { 6, 0 },	    { 8, 0 }, { 0, 0 }, { 0, 0 }, { 0, 1 } };

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

/* false: not a row of integers, or not whole. */
static inline bool get_row(const struct scan *s, const uint8_t *at,
			   const uint8_t *end, int64_t *values)
{
	const uint64_t bytes = get_varint(&at, end);
	const int64_t rowid = (int64_t)get_varint(&at, end);
	const uint8_t *types, *body;

	if (bytes > (uint64_t)(end - at) || bytes < s->columns + 1 ||
	    at[0] != s->columns + 1)
		return false;
	end = at + bytes;
	types = at + 1;
	body = types + s->columns;
	for (unsigned i = 0; i < s->columns; i++) {
		const uint8_t type = types[i];
		unsigned n;

		if (type > 9 || type == 7)
			return false;
		n = serials[type].bytes;
		if (body + n > end)
			return false;
		values[i] = n ? get_int(body, n) : serials[type].value;
		body += n;
	}
	values[0] = rowid;
	return true;
}

/* false: no more are wanted, or s->bad. */
static bool scan_leaf(struct scan *s, const uint8_t *page)
{
	const unsigned cells = get_be(page + 3, 2);
	int64_t values[GASPDB_SCAN_COLUMNS_MAX];

	s->bad = 8 + 2 * (size_t)cells > s->usable;
	for (unsigned i = 0; i < cells && !s->bad; i++) {
		const size_t at = get_be(page + 8 + 2 * i, 2);

		s->bad = at < 8 || at >= s->usable ||
			 !get_row(s, page + at, page + s->usable, values);
		if (s->bad || !s->fn(s->user, values))
			return false;
	}
	return !s->bad;
}

/* --- pages ---------------------------------------------------------------- */

static bool read_page(struct scan *s, uint8_t *page, uint32_t number)
{
	size_t done = 0;

	while (number > 0 && done < s->page_bytes) {
		ssize_t n = pread(s->fd, page + done, s->page_bytes - done,
				  (off_t)(number - 1) * (off_t)s->page_bytes +
					  (off_t)done);

		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return number > 0;
}

static bool scan_page(struct scan *s, uint32_t number, unsigned level);

/* The i-th child of an interior page; after the cells comes the last. */
static bool scan_children(struct scan *s, const uint8_t *page, unsigned level)
{
	const unsigned cells = get_be(page + 3, 2);

	s->bad = 12 + 2 * (size_t)cells > s->usable;
	for (unsigned i = 0; i <= cells && !s->bad; i++) {
		size_t at = i < cells ? get_be(page + 12 + 2 * i, 2) : 8;

		s->bad = at < 8 || at + 4 > s->usable;
		if (s->bad || !scan_page(s, get_be(page + at, 4), level + 1))
			return false;
	}
	return !s->bad;
}

static bool scan_page(struct scan *s, uint32_t number, unsigned level)
{
	if (level < LEVELS_MAX && !s->pages[level])
		s->pages[level] = malloc(s->page_bytes);
	if (level == LEVELS_MAX || !s->pages[level] ||
	    !read_page(s, s->pages[level], number)) {
		s->bad = true;
		return false;
	}
	if (s->pages[level][0] == PAGE_LEAF)
		return scan_leaf(s, s->pages[level]);
	if (s->pages[level][0] == PAGE_INTERIOR)
		return scan_children(s, s->pages[level], level);
	s->bad = true;
	return false;
}

/* --- the file ------------------------------------------------------------- */

static bool read_header(struct scan *s)
{
	uint8_t h[100];

	if (pread(s->fd, h, sizeof h, 0) != sizeof h ||
	    memcmp(h, "SQLite format 3", 16) || h[18] != 1)
		return false;
	s->page_bytes = get_be(h + 16, 2) == 1 ? 65536 : get_be(h + 16, 2);
	s->usable = s->page_bytes - h[20];
	return s->page_bytes >= 512 && s->usable >= 480;
}

/* 0: there is none. */
static uint32_t root_of(sqlite3 *db, const char *table)
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

int gaspdb_page_scan_allow(sqlite3 *db)
{
	return sqlite3_create_function(db, "gaspdb_page_scan_allowed", 0,
				       SQLITE_UTF8, NULL, allowed, NULL, NULL);
}

static bool is_allowed(sqlite3 *db)
{
	sqlite3_stmt *stmt = NULL;
	const int rc = sqlite3_prepare_v2(
		db, "SELECT gaspdb_page_scan_allowed()", -1, &stmt, NULL);

	sqlite3_finalize(stmt);
	return rc == SQLITE_OK;
}

bool gaspdb_page_scan(sqlite3 *db, const char *table, unsigned columns,
		      gaspdb_row_fn fn, void *user, bool *bad)
{
	const char *path = sqlite3_db_filename(db, "main");
	struct scan s = { .columns = columns, .fn = fn, .user = user };
	uint32_t root;
	bool ready;

	*bad = false;
	if (!path || columns > GASPDB_SCAN_COLUMNS_MAX || !is_allowed(db))
		return false;
	root = root_of(db, table);
	if (!root)
		return false;
	s.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (s.fd < 0)
		return false;
	ready = read_header(&s);
	if (ready) {
		scan_page(&s, root, 0);
		*bad = s.bad;
	}
	for (int i = 0; i < LEVELS_MAX; i++)
		free(s.pages[i]);
	close(s.fd);
	return ready;
}
