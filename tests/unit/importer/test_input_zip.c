/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zip files whose list, headers or data are wrong: what stands in them is
   found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_input.h"

enum { MAX_ZIP = 1 << 20 };

/* --- the list --------------------------------------------------------------
 */

/* Other bytes in a zip file, at from the n-th place with that signature. */
static void change_zip(const char *path, const char *signature, int n,
		       size_t from, const char *bytes, size_t n_bytes)
{
	static char whole[MAX_ZIP];
	FILE *f = fopen(path, "r+");
	size_t size = fread(whole, 1, sizeof whole, f);
	char *at = whole;

	while (at && n--)
		at = memmem(at + 1, size - (size_t)(at + 1 - whole), signature,
			    4);
	assert_non_null(at);
	assert_int_equal(fseek(f, at - whole + (long)from, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, n_bytes, f), n_bytes);
	fclose(f);
}

#define ZIP_ENTRY "PK\3\4"
#define ZIP_LIST  "PK\1\2" /* of an entry, in the list at the end */
#define ZIP_END	  "PK\5\6"
#define LIST_DAMAGED                                              \
	"the list at its end is damaged: entries are looked for " \
	"from its beginning"

/* Bytes of a zip file's list are wrong, or differ from it: what its entries
   have is there. */
static void bad_zip_list(void **state)
{
	static const struct {
		const char *signature;
		size_t from;
		const char *bytes, *told;
		int logs;
	} cases[] = {
		/* the first log's sum and size */
		{ ZIP_LIST, 16, "1234", "entry %.gasplog_: ZIP bad CRC: %", 3 },
		{ ZIP_LIST, 20, "12", "entry % compressed data is wrong size %",
		  3 },
		{ ZIP_LIST, 0, "X", LIST_DAMAGED, 3 },
		{ ZIP_LIST, 42, "\5\5", LIST_DAMAGED, 3 },
		{ ZIP_END, 12, "1", LIST_DAMAGED, 3 },
		{ ZIP_END, 10, "\6", LIST_DAMAGED, 3 },
		/* the second log's name, and its beginning */
		{ ZIP_ENTRY, 30 + 19, "X",
		  "the list at its end names 5 entries, 3 of them logs; "
		  "found were 5 and 2",
		  2 },
		{ ZIP_ENTRY, 0, "X", LIST_DAMAGED, 2 },
	};
	const char *path = input_path("list.zip");
	struct gaspdb_import_result result;
	struct gaspdb_error err;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *told = cases[i].told;
		sqlite3 *db;

		input_add_run(archive_begin(path), "r/");
		archive_end();
		change_zip(path, cases[i].signature, 1, cases[i].from,
			   cases[i].bytes, strlen(cases[i].bytes));
		db = input_import(path, NULL, &result, &err);
		assert_non_null(db);
		assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
				 cases[i].logs * INPUT_CALLS);
		assert_string_equal(
			db_rows(db,
				"SELECT detail LIKE '%s' FROM quality "
				"WHERE kind = 'damaged archive'",
				told ? told : ""),
			told ? "1\n" : "");
		db_close(db);
	}
}

/* The comment behind the list may hold anything; nothing is wrong. */
static void zip_comment(void **state)
{
	static const char *const comments[] = {
		ZIP_END, (ZIP_END "12345678901234567890"), ("of a run " ZIP_END)
	};
	enum { SHORT = 100, LONG = 65500 };
	const char *path = input_path("comment.zip");
	const unsigned lengths[] = { SHORT, LONG };

	(void)state;
	for (size_t i = 0; i < 2 * sizeof comments / sizeof *comments; i++) {
		const char *comment = comments[i / 2];
		const unsigned n = lengths[i % 2];
		const char length[] = { (char)(n & 255), (char)(n >> 8) };
		struct gaspdb_import_result result;
		struct gaspdb_error err;
		sqlite3 *db;
		FILE *f;

		input_add_run(archive_begin(path), "r/");
		archive_end();
		change_zip(path, ZIP_END, 1, 20, length, sizeof length);
		f = fopen(path, "a");
		for (unsigned k = 0; k < n; k++)
			putc(comment[k % strlen(comment)], f);
		fclose(f);
		db = input_import(path, NULL, &result, &err);
		assert_non_null(db);
		assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
				 INPUT_LOGS * INPUT_CALLS);
		assert_string_equal(db_rows(db, "SELECT * FROM quality"), "");
		db_close(db);
	}
}

/* --- data ------------------------------------------------------------------
 */

static uint8_t whole[MAX_ZIP];

static size_t read_zip(const char *path)
{
	FILE *f = fopen(path, "r");
	size_t n = fread(whole, 1, sizeof whole, f);

	fclose(f);
	assert_true(n < sizeof whole);
	return n;
}

/* What is in whole without n bytes at at. */
static void write_without(const char *path, size_t size, size_t at, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(whole, 1, at, f), at);
	assert_int_equal(fwrite(whole + at + n, 1, size - at - n, f),
			 size - at - n);
	fclose(f);
}

/* Where the n-th of those signatures stands. */
static size_t place(size_t size, const char *signature, int n)
{
	size_t from = 0;

	for (; n >= 0; n--) {
		const uint8_t *at =
			memmem(whole + from, size - from, signature, 4);

		assert_non_null(at);
		from = (size_t)(at - whole) + 1;
	}
	return from - 1;
}

static void assert_others(const char *path, const char *label)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(path, NULL, &result, &err);

	if (!db)
		fail_msg("%s: %s", label, err.msg);
	for (int rank = 0; rank < INPUT_LOGS; rank += 2)
		assert_int_equal(
			db_int(db,
			       "SELECT count(*) FROM event JOIN thread ON "
			       "thread.id = thread_id WHERE rank = %d",
			       rank),
			INPUT_CALLS);
	assert_true(db_int(db, "SELECT count(*) FROM quality "
			       "WHERE kind = 'damaged archive'") > 0);
	db_close(db);
}

/* Bytes of the second log are missing, wherever: those beside it are whole,
   with the list or without. */
static void missing_bytes(void **state)
{
	static const char *const names[] = { "some.zip", "stored.zip" };
	enum { MISSING = 10, STEP = 23 };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *path = input_path(names[i]);
		size_t size, first, second, list;
		char label[100];

		input_add_run(archive_begin(path), "r/");
		archive_end();
		size = read_zip(path);
		first = place(size, ZIP_ENTRY, 1) + 30 +
			strlen("r/node-101-0.gasplog");
		second = place(size, ZIP_ENTRY, 2);
		list = place(size, ZIP_LIST, 0);
		for (; first + MISSING < second; first += STEP)
			for (int listed = 0; listed < 2; listed++) {
				write_without(path, listed ? size : list, first,
					      MISSING);
				snprintf(label, sizeof label,
					 "%s, without %d bytes at %zu",
					 names[i], MISSING, first);
				assert_others(path, label);
			}
	}
}

/* How much comes of deflated data up to its damage. */
static size_t inflated(size_t at, size_t n)
{
	static uint8_t out[MAX_ZIP];
	z_stream z = { .next_in = whole + at,
		       .avail_in = (uInt)n,
		       .next_out = out,
		       .avail_out = sizeof out };

	assert_int_equal(inflateInit2(&z, -MAX_WBITS), Z_OK);
	assert_int_equal(inflate(&z, Z_SYNC_FLUSH), Z_OK);
	inflateEnd(&z);
	return z.total_out;
}

/* The one log is damaged, and has so many events at least. */
static void assert_before(const char *path, int expected)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(path, NULL, &result, &err);

	if (!db)
		fail_msg("%s", err.msg);
	assert_true(db_int(db, "SELECT count(*) FROM event") >= expected);
	assert_true(db_int(db, "SELECT count(*) FROM quality "
			       "WHERE kind = 'damaged archive' AND detail "
			       "LIKE 'entry ''r/a.gasplog'': %%'") > 0);
	db_close(db);
}

enum { BLOCKS = 40, CALLS = 50 };

/* A file with one log; the end of each of its blocks.  Returns its size. */
static size_t make_large(const char *path, size_t *end)
{
	struct log *l = log_rank(0, 1);
	unsigned put = log_op(l, "put", "put", "communication", "peer:i", "");

	put = log_site(l, put, "a.c", 1);
	for (unsigned i = 0, t = 0; i < BLOCKS; i++) {
		for (unsigned k = 0; k < CALLS; k++, t += 9) {
			log_start(l, t, put, ARGS(t * 2654435761u % 1000003));
			log_end(l, t + t % 7, put, NONE);
		}
		log_block(l, t);
		end[i] = l->n;
	}
	log_close(l);
	archive_add(archive_begin(path), "r/a.gasplog", l->bytes, l->n);
	archive_end();
	log_free(l);
	return read_zip(path);
}

/* How many calls of the log stand before a place in the file. */
static int calls_before(size_t size, size_t at, const size_t *end)
{
	size_t data = place(size, ZIP_ENTRY, 0);
	int calls = 0;

	data += 30 + whole[data + 26] + whole[data + 28]; /* name, extra */
	at = inflated(data, at - data);
	for (int i = 0; i < BLOCKS; i++)
		calls += end[i] <= at ? CALLS : 0;
	return calls;
}

/* Of an entry that is damaged all that stands before is read. */
static void damaged_data(void **state)
{
	enum { BEFORE = 2000, MISSING = 300 };
	const char *path = input_path("large.zip");
	size_t end[BLOCKS], size = make_large(path, end);
	const size_t at = place(size, ZIP_LIST, 0) - BEFORE;
	const int expected = calls_before(size, at, end);

	(void)state;
	assert_true(expected > BLOCKS / 2 * CALLS);
	write_without(path, size, at, MISSING);
	assert_before(path, expected);
}

/* And if its list is good, wherever the damage is: libarchive gives nothing of
   256 KiB before it, and goes on as if nothing were. */
static void damaged_data_listed(void **state)
{
	enum { MISSING = 300, PLACES = 10 };
	const char *path = input_path("listed.zip");
	size_t end[BLOCKS], size = make_large(path, end);
	const size_t list = place(size, ZIP_LIST, 0);
	uint8_t good[MISSING];

	(void)state;
	for (unsigned k = 1; k < PLACES; k++) {
		const size_t at = list * k / PLACES;
		const int expected = calls_before(size, at, end);

		memcpy(good, whole + at, MISSING);
		for (unsigned i = 0; i < MISSING; i++)
			whole[at + i] = (uint8_t)((i + k) * k * 40503 >> 7);
		write_without(path, size, 0, 0);
		memcpy(whole + at, good, MISSING);
		assert_before(path, expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_zip_list),
		cmocka_unit_test(zip_comment),
		cmocka_unit_test(missing_bytes),
		cmocka_unit_test(damaged_data),
		cmocka_unit_test(damaged_data_listed),
	};

	return cmocka_run_group_tests(tests, input_set_up, input_tear_down);
}
