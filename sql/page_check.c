/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The headers of a page's records, against the table's columns. */
#include "sql/page_check.h"

#include <string.h>

#include "sql/page_parts.h"
#include "sql/page_record.h"

/* --- columns -------------------------------------------------------------- */

static uint8_t class_of_type(const char *type)
{
	static const struct {
		const char *type;
		uint8_t holds;
	} classes[] = {
		{ "INTEGER", GASPDB_HOLDS_INTEGER },
		{ "INT", GASPDB_HOLDS_INTEGER },
		/* SQLite stores whole numbers there as integers. */
		{ "REAL", GASPDB_HOLDS_REAL | GASPDB_HOLDS_INTEGER },
		{ "TEXT", GASPDB_HOLDS_TEXT },
		{ "BLOB", GASPDB_HOLDS_BLOB },
	};

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (!strcmp(type, classes[i].type))
			return classes[i].holds;
	return GASPDB_HOLDS_ANY & ~GASPDB_HOLDS_NULL;
}

/* type, not null, part of the primary key, strict, without rowid, as
   gaspdb_columns_of() asks for them. */
static uint8_t holds(sqlite3_stmt *stmt, bool *rowid)
{
	const char *type = (const char *)sqlite3_column_text(stmt, 0);
	const bool strict = sqlite3_column_int(stmt, 3);
	const uint8_t own =
		strict ? class_of_type(type)
		       : (uint8_t)(GASPDB_HOLDS_ANY & ~GASPDB_HOLDS_NULL);

	*rowid = sqlite3_column_int(stmt, 2) && !sqlite3_column_int(stmt, 4) &&
		 !strcmp(type, "INTEGER");
	return sqlite3_column_int(stmt, 1) ? own : own | GASPDB_HOLDS_NULL;
}

bool gaspdb_columns_of(sqlite3 *db, const char *table,
		       struct gaspdb_columns *to)
{
	static const char sql[] =
		"SELECT c.type, c.\"notnull\", c.pk, t.strict, t.wr "
		"FROM pragma_table_list(?1) t, pragma_table_info(?1) c "
		"WHERE t.schema = 'main' ORDER BY c.cid";
	sqlite3_stmt *stmt = NULL;
	unsigned key = 0, n_keys = 0;
	bool is_rowid, any = false;

	to->n = 0;
	strncpy(to->table, table, sizeof to->table - 1);
	to->table[sizeof to->table - 1] = 0;
	if (!sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
		sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
	while (stmt && sqlite3_step(stmt) == SQLITE_ROW &&
	       to->n < GASPDB_ROW_COLUMNS_MAX) {
		n_keys += sqlite3_column_int(stmt, 2) > 0;
		to->holds[to->n] = holds(stmt, &is_rowid);
		if (is_rowid)
			key = to->n;
		any |= is_rowid;
		to->n++;
	}
	sqlite3_finalize(stmt);
	if (any && n_keys == 1)
		to->holds[key] = GASPDB_HOLDS_NULL;
	return to->n > 0;
}

struct gaspdb_columns gaspdb_columns_any(unsigned n)
{
	struct gaspdb_columns columns = { .n = n };

	memset(columns.holds, GASPDB_HOLDS_ANY, sizeof columns.holds);
	return columns;
}

/* --- rows ----------------------------------------------------------------- */

/* By serial type, of those below 12. */
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

/* Column by column, of types that may be long. */
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

/* Most have types of a byte each. */
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

int gaspdb_page_check(const struct gaspdb_columns *c, const uint8_t *page,
		      size_t usable, uint8_t type)
{
	const bool above = type == GASPDB_PAGE_INDEX_INTERIOR;
	const uint8_t *const end = page + usable;
	const uint8_t *slot = page + (above ? 12 : 8);
	const unsigned n = gaspdb_page_be(page + 3, 2);

	for (unsigned i = 0; i < n; i++, slot += 2) {
		const uint8_t *at = page + gaspdb_page_be(slot, 2);

		at = gaspdb_page_varint(at + (above ? 4 : 0), end).after;
		if (type == GASPDB_PAGE_LEAF)
			at = gaspdb_page_varint(at, end).after;
		if (!is_right(c, at, end)) {
			const int wrong = find_wrong(c, at, end);

			if (wrong >= 0)
				return wrong;
		}
	}
	return -1;
}
