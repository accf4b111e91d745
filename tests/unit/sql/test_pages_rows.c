/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows read from pages: by shape the same as column by column, whatever the
 * bytes are; and of tables that SQLite wrote the same as SQLite reads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "sql/store/btree/page_leaf.h"
#include "sql/store/btree/page_reader.h"
#include "sql/store/btree/page_row.h"
#include "sql/store/btree/page_shapes.h"
#include "sql/store/table.h"

static uint64_t seed = 11;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1du;
}

static uint64_t below(uint64_t n)
{
	return (draw() >> 11) % n;
}

/* --- bytes of any kind ---------------------------------------------------- */

#ifdef GASPDB_SHAPES

enum { CELL_MAX = 400, COLUMNS_MAX = 28 };

static uint8_t draw_type(void)
{
	switch (below(12)) {
	case 0:
		return (uint8_t)below(256);
	case 1:
		return (uint8_t)(7 + below(6));
	case 2:
		return (uint8_t)(13 + 2 * below(20));
	default:
		return (uint8_t) "\0\1\2\3\4\5\6\10\11\1\2\3"[below(12)];
	}
}

/* A cell that is mostly in order, its columns of types that may be those of
   the cell before; its bytes. */
static size_t draw_cell(uint8_t *to, const struct gaspdb_record_format *format,
			const uint8_t *types)
{
	uint64_t bytes = format->columns + 1;
	size_t at;

	for (unsigned i = 0; i < format->columns; i++)
		bytes += types[i] >= 12
				 ? (uint64_t)(types[i] - 12) / 2
				 : (uint64_t) "\0\1\2\3\4\6\10\10\0\0\0\0"
					   [types[i]];
	if (below(10) == 0)
		bytes += below(9) - 4;
	if (below(50) == 0)
		bytes = draw() >> below(64);
	at = gaspdb_put_varint(to, bytes);
	at += gaspdb_put_varint(to + at, draw() >> below(64));
	to[at++] = (uint8_t)(format->columns + (below(20) ? 1 : below(4)));
	memcpy(to + at, types, format->columns);
	for (at += format->columns; at < CELL_MAX; at++)
		to[at] = (uint8_t)draw();
	bytes += 20;
	return below(10) && bytes < CELL_MAX ? bytes : below(CELL_MAX);
}

/* The cell at the end of its page, with the slack and nothing behind it. */
GASPDB_AVX2 static void compare_cell(struct gaspdb_shapes *shapes,
				     const struct gaspdb_record_format *format,
				     const uint8_t *cell, size_t bytes)
{
	uint8_t *page = malloc(8 + bytes + GASPDB_PAGE_SLACK);
	int64_t ours[COLUMNS_MAX + 1], theirs[COLUMNS_MAX + 1];
	const uint8_t *at = page + 8, *end = at + bytes;
	const unsigned n = 1 + (unsigned)below(format->columns);
	bool found;

	assert_non_null(page);
	memset(page, 0xff, 8 + bytes + GASPDB_PAGE_SLACK);
	memcpy(page + 8, cell, bytes);
	memset(ours, 0x55, sizeof ours);
	memset(theirs, 0x55, sizeof theirs);
	found = gaspdb_page_row(format, at, end, n, theirs);
	assert_int_equal(gaspdb_shapes_row(shapes, format, at, end, n, ours),
			 found);
	if (found)
		assert_memory_equal(ours, theirs, sizeof ours);
	free(page);
}

static void test_bytes(void **state)
{
	(void)state;
	for (int round = 0; round < 400; round++) {
		struct gaspdb_record_format format = {
			1 + (unsigned)below(COLUMNS_MAX), 512
		};
		struct gaspdb_shapes *shapes =
			gaspdb_shapes_new(format.columns);
		uint8_t types[COLUMNS_MAX], cell[CELL_MAX + 40];

		if (!shapes)
			continue;
		for (unsigned i = 0; i < format.columns; i++)
			types[i] = draw_type();
		for (int k = 0; k < 1000; k++) {
			/* Some thousand shapes, in which some come again. */
			if (below(2))
				types[below(format.columns)] = draw_type();
			compare_cell(shapes, &format, cell,
				     draw_cell(cell, &format, types));
		}
		free(shapes);
	}
}

static void test_too_many_columns(void **state)
{
	(void)state;
	assert_null(gaspdb_shapes_new(GASPDB_SHAPE_COLUMNS_MAX + 1));
	assert_null(gaspdb_shapes_new(GASPDB_TABLE_COLUMNS_MAX));
}

#endif

/* --- tables --------------------------------------------------------------- */

static void must(sqlite3 *db, int code)
{
	if (code != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
}

/* Nothing follows what goes on in other pages. */
static void bind_any(sqlite3_stmt *stmt, int at, bool last)
{
	static char text[20000];
	const int64_t v = (int64_t)(draw() >> below(64));

	switch (below(16)) {
	case 0:
		memset(text, 'x', sizeof text);
		text[0] = (char)('a' + below(26));
		sqlite3_bind_text(
			stmt, at, text,
			(int)below(last && below(4) == 0 ? sizeof text : 30),
			SQLITE_TRANSIENT);
		break;
	case 1:
		if (below(4) == 0)
			sqlite3_bind_double(stmt, at, (double)v / 3);
		break;
	case 2:
		sqlite3_bind_null(stmt, at);
		break;
	case 3:
	case 4:
		sqlite3_bind_int64(stmt, at, (int64_t)below(2));
		break;
	default:
		sqlite3_bind_int64(stmt, at, below(3) ? v : -v);
	}
}

/* A table t of so many columns, the first its key. */
static void fill(sqlite3 *db, unsigned columns, int rows)
{
	char sql[1024], values[256] = "?1";
	int n = sprintf(sql, "CREATE TABLE t(c0 INTEGER PRIMARY KEY");
	sqlite3_stmt *stmt;

	for (unsigned i = 1; i < columns; i++) {
		n += sprintf(sql + n, ", c%u", i);
		sprintf(values + strlen(values), ", ?%u", i + 1);
	}
	strcpy(sql + n, ")");
	must(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
	sprintf(sql, "INSERT INTO t VALUES(%s)", values);
	must(db, sqlite3_prepare_v2(db, sql, -1, &stmt, NULL));
	for (int64_t i = 0, id = -50; i < rows; i++) {
		id += 1 + (below(50) ? 0 : (int64_t)below(1000));
		sqlite3_bind_int64(stmt, 1, id);
		for (unsigned c = 1; c < columns; c++)
			bind_any(stmt, (int)c + 1, c == columns - 1);
		assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
		sqlite3_reset(stmt);
		sqlite3_clear_bindings(stmt);
	}
	sqlite3_finalize(stmt);
}

static int64_t expected(sqlite3_stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_NULL:
		return INT64_MIN;
	case SQLITE_TEXT:
		return gaspdb_word_n(
			(const char *)sqlite3_column_text(stmt, column),
			(uint64_t)sqlite3_column_bytes(stmt, column));
	default:
		return sqlite3_column_int64(stmt, column);
	}
}

static struct gaspdb_page_reader *open_reader(sqlite3 *db, unsigned columns)
{
	struct gaspdb_page_reader *r =
		gaspdb_page_reader_open(db, "t", columns, NULL, NULL);

	assert_non_null(r);
	return r;
}

/* One of them, of which the first columns are read. */
static void compare_single(struct gaspdb_page_reader *single,
			   const int64_t *values, unsigned columns)
{
	const unsigned n = 1 + (unsigned)below(columns);
	int64_t row[GASPDB_TABLE_COLUMNS_MAX + 1];
	size_t got;

	row[n] = 99;
	assert_true(gaspdb_page_reader_read(single, values[0], values[0] + 1, n,
					    1, row, &got));
	assert_int_equal(got, 1);
	assert_memory_equal(row, values, n * sizeof *row);
	assert_int_equal(row[n], 99);
}

/* Rows in order, so many at a time, and each alone. */
static void compare_table(sqlite3 *db, unsigned columns, int rows)
{
	struct gaspdb_page_reader *all = open_reader(db, columns);
	struct gaspdb_page_reader *single = open_reader(db, columns);
	int64_t block[16 * GASPDB_TABLE_COLUMNS_MAX], from = INT64_MIN;
	sqlite3_stmt *stmt;
	size_t got = 16;

	must(db, sqlite3_prepare_v2(db, "SELECT * FROM t ORDER BY c0", -1,
				    &stmt, NULL));
	while (got == 16) {
		const int64_t *row = block;

		assert_true(gaspdb_page_reader_read(
			all, from, INT64_MAX, columns, 16, block, &got));
		for (size_t i = 0; i < got; i++, row += columns) {
			assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
			for (unsigned c = 0; c < columns; c++)
				assert_int_equal(row[c],
						 expected(stmt, (int)c));
			compare_single(single, row, columns);
			from = row[0] + 1;
			rows--;
		}
	}
	assert_int_equal(sqlite3_step(stmt), SQLITE_DONE);
	assert_int_equal(rows, 0);
	sqlite3_finalize(stmt);
	gaspdb_page_reader_close(single);
	gaspdb_page_reader_close(all);
}

static void test_tables(void **state)
{
	(void)state;
	for (unsigned columns = 1; columns <= GASPDB_TABLE_COLUMNS_MAX;
	     columns++) {
		char path[] = "/tmp/test_pages_rows-XXXXXX";
		sqlite3 *db = NULL;

		close(mkstemp(path));
		must(db, sqlite3_open(path, &db));
		must(db, gaspdb_pages_allow(db));
		must(db, sqlite3_exec(db,
				      "PRAGMA page_size = 8192;"
				      "PRAGMA journal_mode = OFF; BEGIN",
				      NULL, NULL, NULL));
		fill(db, columns, 3000);
		must(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
		compare_table(db, columns, 3000);
		sqlite3_close(db);
		unlink(path);
	}
}

/* --- cells ---------------------------------------------------------------- */

static void is_cell(const int64_t *values, unsigned n, bool keyed,
		    unsigned text_column, const char *text,
		    const uint8_t *expected, unsigned n_expected)
{
	const struct gaspdb_cell_text texts[] = {
		{ text_column, text ? (unsigned)strlen(text) : 0, text }
	};
	uint8_t cell[GASPDB_CELL_MAX];

	assert_int_equal(
		gaspdb_row_cell(cell, values, n, keyed, texts, text != NULL),
		n_expected);
	assert_memory_equal(cell, expected, n_expected);
}

#define CELL(...)                         \
	(const uint8_t[]){ __VA_ARGS__ }, \
		(unsigned)sizeof((const uint8_t[]){ __VA_ARGS__ })

/* As the file format has it: length, rowid, header, values. */
static void cells_by_hand(void **state)
{
	const int64_t values[] = { 300, GASPDB_NULL, 0, 1, -1, 40000 };

	(void)state;
	/* Types: 2 and 3 are integers of 16 and 24 bits, 0 is NULL, 8 and 9 are
	   0 and 1, 17 a text of two bytes. */
	is_cell(values, 6, true, 6, NULL,
		CELL(13, 7, 2, 0, 8, 9, 1, 3, 1, 44, 255, 0, 156, 64));
	/* The rowid, 300 in two bytes of seven bits, is NULL in the record. */
	is_cell(values, 6, false, 6, NULL,
		CELL(11, 130, 44, 7, 0, 0, 8, 9, 1, 3, 255, 0, 156, 64));
	is_cell(values, 3, true, 1, "ab",
		CELL(8, 4, 2, 17, 8, 1, 44, 'a', 'b'));
	is_cell(values, 2, true, 1, "", CELL(5, 3, 2, 13, 1, 44));
}

/* What follows the length, and the rowid, is the record as another way makes
   it; and so long a one has a length of two bytes. */
static void cells_are_records(void **state)
{
	static const char text[] = "123456789012345678901234";
	int64_t values[GASPDB_CELL_COLUMNS_MAX];
	struct gaspdb_value row[GASPDB_CELL_COLUMNS_MAX];
	uint8_t cell[GASPDB_CELL_MAX], record[GASPDB_ROW_SHORT_MAX];
	unsigned longest = 0;

	(void)state;
	for (int times = 0; times < 20000; times++) {
		const unsigned n = 1 + (unsigned)below(GASPDB_CELL_COLUMNS_MAX);
		const unsigned at = (unsigned)below(n);
		const unsigned other = at + 1 + (unsigned)below(n - at);
		const unsigned from = (unsigned)below(sizeof text);
		const unsigned length2 = (unsigned)below(sizeof text);
		const struct gaspdb_cell_text texts[] = {
			{ at, sizeof text - 1 - from, text + from },
			{ other, length2, text }
		};
		const unsigned n_texts =
			(unsigned)below(other < n ? 3 : 2); /* so many fit */
		const unsigned shift = (unsigned)below(64);
		unsigned size, length, before;

		for (unsigned i = 0; i < n; i++) {
			values[i] = below(8) ? (int64_t)draw() >> shift
					     : GASPDB_NULL;
			row[i] = gaspdb_int(values[i]);
		}
		for (unsigned i = 0; i < n_texts; i++)
			row[texts[i].column] =
				(struct gaspdb_value){ .is = GASPDB_IS_TEXT,
						       .text = texts[i].text,
						       .n = texts[i].n };
		size = gaspdb_row_cell(cell, values, n, true, texts, n_texts);
		length = gaspdb_row_short(record, row, n, false, false);
		before = size - length;
		assert_int_equal(before, length < 128 ? 1 : 2);
		assert_int_equal(length < 128 ? cell[0]
					      : (cell[0] & 127) << 7 | cell[1],
				 length);
		assert_memory_equal(cell + before, record, length);
		longest = length > longest ? length : longest;
	}
	assert_true(longest > 128);
}

/* --- leaves --------------------------------------------------------------- */

/* Rows of so many columns as a leaf's; what each is made of another way has. */
struct leaf_rows {
	struct gaspdb_row_maker maker;
	unsigned n, text; /* columns; that of a text, or n */
	int64_t values[400 * GASPDB_CELL_COLUMNS_MAX];
};

static const char *const leaf_texts[] = { "", "abc",
					  "123456789012345678901234" };

static void draw_leaf_rows(struct leaf_rows *r, size_t n_rows)
{
	int64_t id = (int64_t)below(1000);

	for (size_t i = 0; i < n_rows; i++) {
		int64_t *row = r->values + i * r->n;

		for (unsigned c = 0; c < r->n; c++)
			row[c] = below(8) ? (int64_t)draw() >> below(64)
					  : GASPDB_NULL;
		id += 1 + (int64_t)(draw() >> (30 + below(34)));
		if (!r->maker.keyed)
			row[0] = id;
		if (r->text < r->n)
			row[r->text] = (int64_t)below(3);
	}
}

/* Returns where what it is made of begins: behind its length and its rowid. */
static const uint8_t *check_lengths(const uint8_t *cell, unsigned record,
				    const struct leaf_rows *r, int64_t id)
{
	uint8_t before[18];
	unsigned n = gaspdb_put_varint(before, record);

	if (!r->maker.keyed)
		n += gaspdb_put_varint(before + n, (uint64_t)id);
	assert_memory_equal(cell, before, n);
	return cell + n;
}

static void check_cell(const uint8_t *cell, size_t bytes,
		       const struct leaf_rows *r, const int64_t *values)
{
	struct gaspdb_value row[GASPDB_CELL_COLUMNS_MAX];
	uint8_t record[GASPDB_ROW_SHORT_MAX];
	const uint8_t *begin;
	unsigned length;

	for (unsigned c = 0; c < r->n; c++)
		row[c] = gaspdb_int(values[c]);
	if (r->text < r->n) {
		const char *text = leaf_texts[values[r->text]];

		row[r->text] = (struct gaspdb_value){ .is = GASPDB_IS_TEXT,
						      .text = text,
						      .n = strlen(text) };
	}
	length = gaspdb_row_short(record, row, r->n, !r->maker.keyed, false);
	begin = check_lengths(cell, length, r, values[0]);
	assert_int_equal(begin + length - cell, bytes);
	assert_memory_equal(begin, record, length);
}

static void check_leaf(const uint8_t *page, size_t n, const struct leaf_rows *r,
		       size_t first)
{
	size_t end = 4096;

	assert_int_equal(page[3] << 8 | page[4], n);
	for (size_t i = 0; i < n; i++) {
		const size_t at =
			(size_t)page[8 + 2 * i] << 8 | page[9 + 2 * i];

		check_cell(page + at, end - at, r,
			   r->values + (first + i) * r->n);
		end = at;
	}
	assert_true(8 + 2 * n <= end);
}

/* As many as fit, and the rest into the next. */
static void leaves_are_records(void **state)
{
	static struct leaf_rows r;
	static const unsigned often[] = { 2, 3, 10, 12, 14, 15 };

	(void)state;
	for (int times = 0; times < 600; times++) {
		const bool keyed = below(2);
		uint8_t page[4096], copied[4096];
		struct gaspdb_leaf leaf, copy;
		size_t at = 0, n;

		r.n = below(2) ? often[below(6)]
			       : 2 + (unsigned)below(GASPDB_CELL_COLUMNS_MAX -
						     1);
		r.text = below(2) ? r.n : r.n - 1 - (unsigned)below(r.n - 1);
		gaspdb_row_maker_init(&r.maker, r.n, keyed, r.text,
				      r.text < r.n ? leaf_texts : NULL);
		assert_true(gaspdb_row_fits(&r.maker, 4096));
		draw_leaf_rows(&r, 400);
		for (; at < 400; at += n) {
			gaspdb_leaf_empty(&leaf, page, 4096);
			n = gaspdb_leaf_fill(&leaf, &r.maker,
					     r.values + at * r.n, 400 - at);
			assert_true(n > 0 && leaf.cells == n);
			gaspdb_leaf_finish(&leaf, GASPDB_PAGE_LEAF);
			check_leaf(page, n, &r, at);
			gaspdb_leaf_empty(&copy, copied, 4096);
			gaspdb_leaf_copy(&copy, page, 4096);
			assert_int_equal(copy.top, leaf.top);
			assert_int_equal(copy.cells, n);
		}
		assert_int_equal(gaspdb_leaf_fill(&leaf, &r.maker, r.values, 0),
				 0);
		/* None follows itself. */
		gaspdb_leaf_empty(&leaf, page, 4096);
		if (!keyed)
			assert_int_equal(gaspdb_leaf_fill(&leaf, &r.maker,
							  r.values + 399 * r.n,
							  1),
					 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef GASPDB_SHAPES
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_too_many_columns),
#endif
		cmocka_unit_test(cells_by_hand),
		cmocka_unit_test(cells_are_records),
		cmocka_unit_test(leaves_are_records),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
