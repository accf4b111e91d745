/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A database of the schema's tables, written as it is: a header, and for each
 * table a page without rows.  What SQLite must be told besides are the rows of
 * sqlite_schema, which follow by inserts (sql/views.c): each CREATE TABLE would
 * be parsed twice, and compiled.
 */
#include <string.h>

#include "sql/page_file.h"
#include "sql/page_parts.h"
#include "sql/sql.h"
#include "sql/statements.h"

enum { PAGE_BYTES = GASPDB_PAGE_BYTES, HEADER_BYTES = 100 };

/* Both kinds: no cells, whose content begins at the page's end. */
static void put_leaf(uint8_t *leaf, uint8_t kind)
{
	leaf[0] = kind;
	gaspdb_put_be(leaf + 5, PAGE_BYTES, 2);
}

/* Of a table without rowid the page is one of an index. */
static uint8_t leaf_of(const char *statement)
{
	static const char keyed[] = "WITHOUT ROWID";
	const size_t n = strlen(statement);

	return n >= strlen(keyed) &&
			       !strcmp(statement + n - strlen(keyed), keyed)
		       ? GASPDB_PAGE_INDEX_LEAF
		       : GASPDB_PAGE_LEAF;
}

static bool write_page(int fd, uint32_t number, const uint8_t *page)
{
	return gaspdb_write_at(fd, page, PAGE_BYTES,
			       (off_t)(number - 1) * PAGE_BYTES);
}

/* Page 1: the header, and sqlite_schema without rows. */
static bool write_first(int fd, uint32_t n_pages)
{
	static const struct {
		uint8_t at, bytes;
		uint32_t value;
	} fields[] = {
		{ 16, 2, PAGE_BYTES },
		{ 18, 2, 0x0101 },   /* no WAL */
		{ 21, 3, 0x402020 }, /* fractions of a page: always these */
		{ 24, 4, 1 },	     /* changes */
		{ 40, 4, 1 },	     /* of the schema */
		{ 44, 4, 4 },	     /* its format */
		{ 56, 4, SQLITE_UTF8 },
		{ 60, 4, GASPDB_SCHEMA_VERSION },
		{ 68, 4, GASPDB_APPLICATION_ID },
		{ 92, 4, 1 }, /* n_pages holds for that many changes */
		{ 96, 4, SQLITE_VERSION_NUMBER },
	};
	uint8_t page[PAGE_BYTES] = "SQLite format 3";

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		gaspdb_put_be(page + fields[i].at, fields[i].value,
			      fields[i].bytes);
	gaspdb_put_be(page + 28, n_pages, 4);
	put_leaf(page + HEADER_BYTES, GASPDB_PAGE_LEAF);
	return write_page(fd, 1, page);
}

bool gaspdb_tables_write(int fd)
{
	uint8_t page[PAGE_BYTES] = { 0 };
	const char *text = gaspdb_schema;
	uint32_t last = GASPDB_FIRST_ROOT - 1;
	bool fine = true;
	char *table;

	while (fine && gaspdb_next_statement(&text, &table)) {
		fine = table;
		if (fine)
			put_leaf(page, leaf_of(table));
		fine = fine && write_page(fd, ++last, page);
		sqlite3_free(table);
	}
	return fine && write_first(fd, last);
}
