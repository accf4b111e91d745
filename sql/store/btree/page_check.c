/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Check of the record headers in a page against the table's columns. */
#include "sql/store/btree/page_check.h"

#include <stdio.h>
#include <string.h>

#include "sql/store/btree/page_parts.h"
#include "sql/store/btree/page_record.h"

/* --- columns -------------------------------------------------------------- */

static uint8_t class_of_type(const char *type)
{
	static const struct {
		const char *type;
		uint8_t holds;
	} classes[] = {
		{ "INTEGER", GASPDB_HOLDS_INTEGER },
		{ "INT", GASPDB_HOLDS_INTEGER },
		/* SQLite stores whole numbers in REAL columns as integers. */
		{ "REAL", GASPDB_HOLDS_REAL | GASPDB_HOLDS_INTEGER },
		{ "TEXT", GASPDB_HOLDS_TEXT },
		{ "BLOB", GASPDB_HOLDS_BLOB },
	};

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (!strcmp(type, classes[i].type))
			return classes[i].holds;
	return GASPDB_HOLDS_ANY & ~GASPDB_HOLDS_NULL;
}

static uint8_t holds(sqlite3_stmt *stmt)
{
	const uint8_t own =
		class_of_type((const char *)sqlite3_column_text(stmt, 0));

	return sqlite3_column_int(stmt, 1) ? own : own | GASPDB_HOLDS_NULL;
}

bool gaspdb_columns_of(sqlite3 *db, const char *table, bool keyed,
		       struct gaspdb_columns *to)
{
	static const char sql[] = "SELECT type, \"notnull\", pk FROM "
				  "pragma_table_info(?1) ORDER BY cid";
	sqlite3_stmt *stmt = NULL;

	memset(to, 0, sizeof *to);
	snprintf(to->table, sizeof to->table, "%s", table);
	if (!sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
		sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW &&
	       to->n < GASPDB_ROW_COLUMNS_MAX)
		to->holds[to->n++] = !keyed && sqlite3_column_int(stmt, 2)
					     ? GASPDB_HOLDS_NULL
					     : holds(stmt);
	sqlite3_finalize(stmt);
	return to->n > 0;
}

struct gaspdb_columns gaspdb_columns_any(unsigned n)
{
	struct gaspdb_columns columns = { .n = n };

	memset(columns.holds, GASPDB_HOLDS_ANY, sizeof columns.holds);
	return columns;
}

/* --- rows ----------------------------------------------------------------- */

/* Class by serial type, below 12. */
static const uint8_t classes[GASPDB_SERIAL_BLOB] = { GASPDB_HOLDS_NULL,
						     GASPDB_HOLDS_INTEGER,
						     GASPDB_HOLDS_INTEGER,
						     GASPDB_HOLDS_INTEGER,
						     GASPDB_HOLDS_INTEGER,
						     GASPDB_HOLDS_INTEGER,
						     GASPDB_HOLDS_INTEGER,
						     GASPDB_HOLDS_REAL,
						     GASPDB_HOLDS_INTEGER,
						     GASPDB_HOLDS_INTEGER,
						     0,
						     0 };

static inline unsigned class_of(uint64_t serial)
{
	if (serial < GASPDB_SERIAL_BLOB)
		return classes[serial];
	return serial & 1 ? GASPDB_HOLDS_TEXT : GASPDB_HOLDS_BLOB;
}

/* The first wrong column. Serial types may be varints of several bytes. */
static int find_wrong(const struct gaspdb_columns *c, const uint8_t *header,
		      const uint8_t *end)
{
	const struct gaspdb_varint length = gaspdb_page_varint(header, end);
	const uint8_t *at = length.after;

	for (unsigned i = 0; i < c->n; i++) {
		const struct gaspdb_varint type = gaspdb_page_varint(at, end);

		if (at >= end || !(class_of(type.value) & c->holds[i]))
			return (int)i;
		at = type.after;
	}
	return (uint64_t)(at - header) == length.value ? -1 : (int)c->n;
}

/* Is a header right? The fast path covers serial types of one byte. */
static inline bool is_right(const struct gaspdb_columns *c,
			    const uint8_t *header, const uint8_t *end)
{
	unsigned wrong = 0;

	if (end - header <= (ptrdiff_t)c->n || header[0] != c->n + 1)
		return false;
	for (unsigned i = 0; i < c->n; i++) {
		const unsigned type = header[1 + i];

		wrong |= (type & 0x80) |
			 (unsigned)!(class_of(type) & c->holds[i]);
	}
	return !wrong;
}

/* A cache of valid headers: the rows of a page have few different ones. Headers
   longer than WORDS words are not cached. */
enum { WORDS = 3, SHAPES_BITS = 5 };

struct seen {
	uint64_t mask[WORDS]; /* the bytes of a header; all 0: no cache */
	uint64_t header[1 << SHAPES_BITS][WORDS];
};

static void init_seen(struct seen *s, unsigned columns)
{
	memset(s, 0, sizeof *s);
	if (columns + 1 <= sizeof s->mask)
		memset(s->mask, 0xff, columns + 1);
}

/* The check of a row: without loops, with n_words known at compile time. */
#define CHECKS static inline __attribute__((always_inline))

/* The cache slot of a header and the key in words; NULL: not cacheable. */
CHECKS uint64_t *place_of(struct seen *s, const uint8_t *header,
			  const uint8_t *end, unsigned n_words,
			  uint64_t words[WORDS])
{
	static const uint64_t factors[WORDS] = { 0x9e3779b97f4a7c15u,
						 0xc2b2ae3d27d4eb4fu,
						 0x165667b19e3779f9u };
	uint64_t hash = 0;

	if (!s->mask[0] || end - header < (ptrdiff_t)sizeof s->mask)
		return NULL;
	memcpy(words, header, n_words * sizeof *words);
	for (unsigned i = 0; i < n_words; i++) {
		words[i] &= s->mask[i];
		hash += words[i] * factors[i];
	}
	return s->header[hash >> (64 - SHAPES_BITS)];
}

CHECKS bool is_same(const uint64_t *a, const uint64_t *b, unsigned n_words)
{
	uint64_t other = 0;

	for (unsigned i = 0; i < n_words; i++)
		other |= a[i] ^ b[i];
	return !other;
}

/* The first wrong column; -1: none. */
CHECKS int check_header(const struct gaspdb_columns *c, struct seen *s,
			const uint8_t *header, const uint8_t *end,
			unsigned n_words)
{
	uint64_t words[WORDS];
	uint64_t *place = place_of(s, header, end, n_words, words);

	if (place && is_same(place, words, n_words))
		return -1;
	if (!is_right(c, header, end))
		return find_wrong(c, header, end);
	if (place)
		memcpy(place, words, n_words * sizeof *words);
	return -1;
}

CHECKS int check_rows(const struct gaspdb_columns *c, const uint8_t *page,
		      size_t usable, uint8_t type, unsigned n_words)
{
	const bool above = type == GASPDB_PAGE_INDEX_INTERIOR;
	const uint8_t *const end = page + usable;
	const uint8_t *slot = page + (above ? 12 : 8);
	const unsigned n = gaspdb_page_be(page + 3, 2);
	struct seen seen;
	int wrong;

	init_seen(&seen, c->n);
	for (unsigned i = 0; i < n; i++, slot += 2) {
		const uint8_t *at = page + gaspdb_page_be(slot, 2);

		at = gaspdb_page_varint(at + (above ? 4 : 0), end).after;
		if (type == GASPDB_PAGE_LEAF)
			at = gaspdb_page_varint(at, end).after;
		wrong = check_header(c, &seen, at, end, n_words);
		if (wrong >= 0)
			return wrong;
	}
	return -1;
}

int gaspdb_page_check(const struct gaspdb_columns *c, const uint8_t *page,
		      size_t usable, uint8_t type)
{
	/* Bytes of a header: its length, and a type a column. */
	if (c->n + 1 <= sizeof(uint64_t))
		return check_rows(c, page, usable, type, 1);
	if (c->n + 1 <= 2 * sizeof(uint64_t))
		return check_rows(c, page, usable, type, 2);
	return check_rows(c, page, usable, type, WORDS);
}
