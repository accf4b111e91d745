/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables written as pages beside the same written by SQLite's inserts: every
 * row alike, and integrity_check finds nothing.  Tables, with rowid and
 * without, rows, page sizes and the place of the lock byte come from a seeded
 * generator.
 * Long.
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

#include "sql/store/btree/page_writer.h"

#define TABLES_MAX  4
#define COLUMNS_MAX 20

static char folder[] = "/tmp/test_pages-XXXXXX";
static char ours[64], theirs[64];

/* --- the generator -------------------------------------------------------- */

static uint64_t seed;

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

/* One of all widths, near their limits too. */
static int64_t draw_int(void)
{
	const int64_t v = (int64_t)(draw() >> below(64));
	const int64_t near = (int64_t)(((uint64_t)1 << below(63)) - below(3));

	switch (below(4)) {
	case 0:
		return near;
	case 1:
		return -near;
	case 2:
		return (int64_t)below(3);
	default:
		return v == GASPDB_NULL ? 0 : v;
	}
}

static uint8_t text[1 << 18];

/* Most are short; some are around a page, some take many pages. */
static size_t draw_length(size_t page)
{
	switch (below(40)) {
	case 0:
		return below(sizeof text);
	case 1:
	case 2:
		return below(4 * page);
	case 3:
		return page - 60 + below(60);
	default:
		return below(30);
	}
}

static struct gaspdb_value draw_value(char type, size_t page)
{
	static const double reals[] = {
		0, 1, -1, 0.5, 1e300, -1e-300, 1 / 3.0, 4503599627370496.0
	};

	if (type == '?')
		type = "nirtb"[below(5)];
	if (below(8) == 0)
		type = 'n';
	switch (type) {
	case 'i':
		return gaspdb_int(draw_int());
	case 'r':
		return gaspdb_real(below(9) ? reals[below(8)]
					    : (double)draw_int());
	case 't':
	case 'b': {
		const size_t n = draw_length(page);
		const size_t at = below(sizeof text - n);

		return (struct gaspdb_value){ .is = type == 't'
							    ? GASPDB_IS_TEXT
							    : GASPDB_IS_BLOB,
					      .blob = text + at,
					      .n = n };
	}
	default:
		return gaspdb_int(GASPDB_NULL);
	}
}

/* --- a database ----------------------------------------------------------- */

struct table {
	int columns, key; /* -1: none */
	bool keyed;	  /* WITHOUT ROWID; its key has the name */
	char types[COLUMNS_MAX + 1];
	int64_t last;
	sqlite3_stmt *insert;
	struct gaspdb_page_table *pages;
};

struct shape {
	int page, reserved, tables, rows;
	int64_t free_pages;
	uint64_t lock_byte;
	bool ints;
	struct table table[TABLES_MAX];
};

static void must(sqlite3 *db, int code)
{
	if (code != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
}

static void draw_shape(struct shape *s)
{
	for (int i = 0; i < s->tables; i++) {
		struct table *t = &s->table[i];

		t->columns = 1 + (int)below(COLUMNS_MAX);
		t->key = below(2) ? (int)below((uint64_t)t->columns) : -1;
		t->keyed = below(3) == 0;
		if (t->keyed || (s->ints && t->key > 0))
			t->key = 0;
		for (int c = 0; c < t->columns; c++)
			t->types[c] =
				c == t->key || s->ints
					? 'i'
					: "irtb?"[below(t->keyed ? 4 : 5)];
		t->last = below(2) ? 0 : -(int64_t)below(1000);
	}
}

/* STRICT, with the schema of a table for each. */
static sqlite3 *create(const char *path, const struct shape *s)
{
	sqlite3 *db = NULL;
	char sql[2048];
	int reserved = s->reserved;

	unlink(path);
	must(db, sqlite3_open(path, &db));
	sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
	snprintf(sql, sizeof sql,
		 "PRAGMA page_size = %d; PRAGMA journal_mode = OFF;"
		 "PRAGMA synchronous = OFF; PRAGMA user_version = 7;",
		 s->page);
	must(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
	for (int i = 0; i < s->tables; i++) {
		const struct table *t = &s->table[i];
		int n = sprintf(sql, "CREATE TABLE t%d(%s", i,
				!t->keyed	 ? ""
				: t->columns > 1 ? "rowid INTEGER PRIMARY KEY, "
						 : "rowid INTEGER PRIMARY KEY");

		for (int c = t->keyed; c < t->columns; c++)
			n += sprintf(sql + n, "%sc%d %s",
				     c > t->keyed ? ", " : "", c,
				     c == t->key ? "INTEGER PRIMARY KEY"
				     : t->types[c] == 'i' ? "INTEGER"
				     : t->types[c] == 'r' ? "REAL"
				     : t->types[c] == 't' ? "TEXT"
				     : t->types[c] == 'b' ? "BLOB"
							  : "ANY");
		sprintf(sql + n, ") STRICT%s",
			t->keyed ? ", WITHOUT ROWID" : "");
		must(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
	}
	/* A table of SQLite's own between them, and a page of the freelist. */
	must(db, sqlite3_exec(db,
			      "CREATE TABLE small(a); CREATE TABLE gone(a);"
			      "INSERT INTO small VALUES(zeroblob(3000));"
			      "INSERT INTO gone VALUES(zeroblob(30000));"
			      "DROP TABLE gone",
			      NULL, NULL, NULL));
	return db;
}

static int64_t number(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;
	int64_t v;

	must(db, sqlite3_prepare_v2(db, sql, -1, &stmt, NULL));
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	v = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	return v;
}

static uint32_t root_of(sqlite3 *db, int table)
{
	char sql[100];

	sprintf(sql, "SELECT rootpage FROM sqlite_schema WHERE name = 't%d'",
		table);
	return (uint32_t)number(db, sql);
}

/* --- rows ----------------------------------------------------------------- */

static void insert(sqlite3 *db, struct table *t, int64_t rowid,
		   const struct gaspdb_value *values)
{
	for (int c = 0; c < t->columns; c++) {
		const struct gaspdb_value *v = &values[c];

		switch (c == t->key ? GASPDB_IS_NULL : v->is) {
		case GASPDB_IS_NULL:
			sqlite3_bind_null(t->insert, c + 2);
			break;
		case GASPDB_IS_INT:
			sqlite3_bind_int64(t->insert, c + 2, v->i);
			break;
		case GASPDB_IS_REAL:
			sqlite3_bind_double(t->insert, c + 2, v->real);
			break;
		case GASPDB_IS_TEXT:
			sqlite3_bind_text(t->insert, c + 2, v->text, (int)v->n,
					  SQLITE_STATIC);
			break;
		case GASPDB_IS_BLOB:
			sqlite3_bind_blob(t->insert, c + 2, v->blob, (int)v->n,
					  SQLITE_STATIC);
		}
	}
	sqlite3_bind_int64(t->insert, 1, rowid);
	if (sqlite3_step(t->insert) != SQLITE_DONE)
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_reset(t->insert);
}

static void prepare_inserts(sqlite3 *db, struct shape *s)
{
	for (int i = 0; i < s->tables; i++) {
		struct table *t = &s->table[i];
		char sql[1024];
		int n = sprintf(sql, "INSERT INTO t%d(rowid", i);

		for (int c = 0; c < t->columns; c++)
			if (c != t->key)
				n += sprintf(sql + n, ", c%d", c);
		n += sprintf(sql + n, ") VALUES(?1");
		for (int c = 0; c < t->columns; c++)
			if (c != t->key)
				n += sprintf(sql + n, ", ?%d", c + 2);
		sprintf(sql + n, ")");
		must(db, sqlite3_prepare_v2(db, sql, -1, &t->insert, NULL));
	}
}

static void append_ints(struct table *t, int64_t rowid,
			const struct gaspdb_value *values)
{
	int64_t ints[COLUMNS_MAX];

	for (int c = 0; c < t->columns; c++)
		ints[c] = values[c].is == GASPDB_IS_NULL ? GASPDB_NULL
							 : values[c].i;
	if (t->keyed) {
		gaspdb_pages_append_row(t->pages, ints, NULL);
		return;
	}
	ints[0] = rowid;
	assert_int_equal(gaspdb_pages_append_rows(t->pages, ints, 1), 1);
}

/* Which rows of integers there are other ways for. */
static bool can_be_ints(const struct shape *s, const struct table *t)
{
	if (!s->ints)
		return false;
	return t->keyed ? s->page >= 4096 &&
				  t->columns <= GASPDB_CELL_COLUMNS_MAX
			: t->key == 0;
}

/* A row into both, in a table drawn by lot. */
static void write_row(sqlite3 *db, struct shape *s)
{
	struct table *t = &s->table[below((uint64_t)s->tables)];
	struct gaspdb_value values[COLUMNS_MAX];

	t->last += 1 + (below(10) ? 0 : (int64_t)below(1000));
	if (below(2000) == 0) /* to the widest ones */
		t->last += (int64_t)1 << (20 + below(30));
	for (int c = 0; c < t->columns; c++)
		values[c] = draw_value(t->types[c], (size_t)s->page);
	if (t->keyed)
		values[0] = gaspdb_int(t->last);
	insert(db, t, t->last, values);
	if (can_be_ints(s, t) && below(2)) {
		append_ints(t, t->last, values);
		return;
	}
	assert_true(gaspdb_pages_append(t->pages, t->last, values));
	/* The same again, and one before it, is refused. */
	if (below(100) == 0) {
		assert_false(gaspdb_pages_append(t->pages, t->last, values));
		assert_false(
			gaspdb_pages_append(t->pages, t->last - 1, values));
	}
}

/* --- comparing ------------------------------------------------------------ */

static void check_integrity(sqlite3 *db)
{
	sqlite3_stmt *stmt;

	must(db,
	     sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &stmt, NULL));
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(stmt, 0), "ok");
	sqlite3_finalize(stmt);
}

static void compare_column(sqlite3_stmt *a, sqlite3_stmt *b, int c)
{
	const int n = sqlite3_column_bytes(a, c);

	assert_int_equal(sqlite3_column_type(a, c), sqlite3_column_type(b, c));
	if (sqlite3_column_type(a, c) == SQLITE_INTEGER)
		assert_true(sqlite3_column_int64(a, c) ==
			    sqlite3_column_int64(b, c));
	else if (sqlite3_column_type(a, c) == SQLITE_FLOAT)
		assert_true(sqlite3_column_double(a, c) ==
			    sqlite3_column_double(b, c));
	assert_int_equal(n, sqlite3_column_bytes(b, c));
	if (n > 0)
		assert_memory_equal(sqlite3_column_blob(a, c),
				    sqlite3_column_blob(b, c), n);
}

static int64_t compare_table(sqlite3 *x, sqlite3 *y, const char *sql)
{
	sqlite3_stmt *a, *b;
	int64_t rows = 0;

	must(x, sqlite3_prepare_v2(x, sql, -1, &a, NULL));
	must(y, sqlite3_prepare_v2(y, sql, -1, &b, NULL));
	for (; sqlite3_step(a) == SQLITE_ROW; rows++) {
		assert_int_equal(sqlite3_step(b), SQLITE_ROW);
		for (int c = 0; c < sqlite3_column_count(a); c++)
			compare_column(a, b, c);
	}
	assert_int_equal(sqlite3_step(b), SQLITE_DONE);
	sqlite3_finalize(a);
	sqlite3_finalize(b);
	return rows;
}

/* A row by its id is found as in the oracle; so are those at a range's end. */
static void compare_lookups(sqlite3 *x, sqlite3 *y, const struct shape *s)
{
	char sql[200];

	for (int i = 0; i < s->tables; i++)
		for (int k = 0; k < 20; k++) {
			const int64_t at = (int64_t)below(
				(uint64_t)(s->table[i].last > 0
						   ? s->table[i].last
						   : 0) +
				1);

			sprintf(sql,
				"SELECT rowid, * FROM t%d WHERE rowid >= %lld "
				"LIMIT 1",
				i, (long long)at);
			compare_table(x, y, sql);
			sprintf(sql,
				"SELECT rowid, * FROM t%d WHERE rowid < %lld "
				"ORDER BY rowid DESC LIMIT 1",
				i, (long long)at);
			compare_table(x, y, sql);
		}
}

/* What SQLite does with the file afterwards. */
static void use(const char *path, const struct shape *s)
{
	sqlite3 *db = NULL;
	char sql[100];

	must(db, sqlite3_open(path, &db));
	for (int i = 0; i < s->tables; i++) {
		sprintf(sql, "DELETE FROM t%d WHERE rowid %% 3 = 0", i);
		must(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
		sprintf(sql,
			"INSERT INTO t%d(rowid) SELECT coalesce(max(rowid), 0)"
			" + 1 FROM t%d",
			i, i);
		must(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
	}
	check_integrity(db);
	sqlite3_close(db);
}

static void compare(const struct shape *s)
{
	sqlite3 *x = NULL, *y = NULL;
	char sql[100];

	must(x, sqlite3_open_v2(ours, &x, SQLITE_OPEN_READONLY, NULL));
	must(y, sqlite3_open_v2(theirs, &y, SQLITE_OPEN_READONLY, NULL));
	check_integrity(x);
	for (int i = 0; i < s->tables; i++) {
		sprintf(sql, "SELECT rowid, * FROM t%d ORDER BY rowid", i);
		compare_table(x, y, sql);
	}
	compare_lookups(x, y, s);
	compare_table(x, y, "SELECT * FROM small");
	compare_table(x, y, "PRAGMA schema_version");
	/* Made with these; SQLite has used the oracle's. */
	assert_int_equal(number(x, "PRAGMA freelist_count"), s->free_pages);
	compare_table(x, y, "PRAGMA user_version");
	sqlite3_close(x);
	sqlite3_close(y);
}

/* The page of the lock byte, if the file has it, is as it was: nothing. */
static int lock_pages;

static void check_lock_page(const struct shape *s)
{
	static uint8_t page[65536];
	FILE *f = fopen(ours, "r");

	assert_non_null(f);
	if (s->lock_byte &&
	    !fseek(f,
		   (long)(s->lock_byte / (uint64_t)s->page * (uint64_t)s->page),
		   SEEK_SET) &&
	    fread(page, (size_t)s->page, 1, f) == 1) {
		lock_pages++;
		for (int i = 0; i < s->page; i++)
			assert_int_equal(page[i], 0);
	}
	fclose(f);
}

static void try(struct shape *s)
{
	struct gaspdb_error err = { 0 };
	struct gaspdb_pages *pages;
	const int usual = sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, 0);
	sqlite3 *db;

	draw_shape(s);
	if (s->lock_byte)
		sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE,
				     (unsigned)s->lock_byte);
	db = create(ours, s);
	s->free_pages = number(db, "PRAGMA freelist_count");
	sqlite3_close(db);
	db = create(theirs, s);
	must(db, sqlite3_exec(db, "BEGIN", NULL, NULL, NULL));
	prepare_inserts(db, s);
	assert_int_equal(gaspdb_pages_open(&pages, ours, s->lock_byte, &err),
			 GASPDB_OK);
	for (int i = 0; i < s->tables; i++) {
		struct table *t = &s->table[i];
		const struct gaspdb_columns columns =
			gaspdb_columns_any((unsigned)t->columns);

		t->pages = t->keyed ? gaspdb_pages_keyed(pages, root_of(db, i),
							 &columns)
				    : gaspdb_pages_table(pages, root_of(db, i),
							 &columns, t->key);
	}
	for (int i = 0; i < s->rows; i++)
		write_row(db, s);
	assert_int_equal(gaspdb_pages_finish(pages, &err), GASPDB_OK);
	gaspdb_pages_close(pages);
	must(db, sqlite3_exec(db, "COMMIT", NULL, NULL, NULL));
	for (int i = 0; i < s->tables; i++)
		sqlite3_finalize(s->table[i].insert);
	sqlite3_close(db);
	compare(s);
	check_lock_page(s);
	use(ours, s);
	sqlite3_test_control(SQLITE_TESTCTRL_PENDING_BYTE, (unsigned)usual);
}

/* --- tests ---------------------------------------------------------------- */

static void seed_with(uint64_t n)
{
	print_message("# seed %llu\n", (unsigned long long)n);
	seed = n * 0x9e3779b97f4a7c15u + 1;
}

static void random_tables(void **state)
{
	(void)state;
	for (uint64_t n = 1; n <= 40; n++) {
		struct shape s = { 0 };

		seed_with(n);
		s.page = 512 << (n % 8);
		s.reserved = below(3) ? 0 : (int)below(33);
		s.tables = 1 + (int)below(TABLES_MAX);
		s.rows = (int)below(n % 4 ? 500 : 4000);
		/* Soon after the schema, where it is passed on the way. */
		s.lock_byte = below(2) ? 0
				       : (uint64_t)s.page * (150 + below(200)) +
						 below(64);
		try(&s);
	}
	assert_in_range(lock_pages, 10, 40);
}

static void random_integers(void **state)
{
	(void)state;
	for (uint64_t n = 1; n <= 16; n++) {
		struct shape s = { .ints = true };

		seed_with(1000 + n);
		s.page = 512 << (n % 8);
		s.tables = 1 + (int)below(TABLES_MAX);
		/* Trees of one level to five. */
		s.rows = n % 8 == 0 ? 100000 : 5000;
		s.lock_byte =
			below(2) ? 0 : (uint64_t)s.page * (150 + below(200));
		try(&s);
	}
}

/* Around the number of rows at which another page, and another level, come. */
static void few_rows(void **state)
{
	(void)state;
	for (int rows = 0; rows < 40; rows++) {
		struct shape s = { .page = 512, .tables = 1, .ints = true };

		seed_with(2000);
		s.rows = rows;
		try(&s);
		s.rows = 1500 + 10 * rows;
		seed_with(2000);
		try(&s);
	}
}

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(ours, sizeof ours, "%s/pages.db", folder);
	snprintf(theirs, sizeof theirs, "%s/inserts.db", folder);
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (uint8_t)("abcdefghijklmnopqrstuvwxyz"[i % 26]);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	unlink(ours);
	unlink(theirs);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_tables),
		cmocka_unit_test(random_integers),
		cmocka_unit_test(few_rows),
	};

	return cmocka_run_group_tests_name("pages", tests, set_up, tear_down);
}
