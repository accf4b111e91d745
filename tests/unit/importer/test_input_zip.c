/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damaged zip files: list, headers, data. The damage is reported, and all that
   libarchive reads before it is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_input.h"

enum { MAX_ZIP = 1 << 20 };

/* --- the list --------------------------------------------------------------
 */

/* Overwrites bytes of a zip file, at an offset from the n-th place with a
   signature. */
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
#define ZIP_LIST  "PK\1\2" /* of an entry in the central directory */
#define ZIP_END	  "PK\5\6"

/* Asserts that the first logs of the run are whole, and damage is reported in
   the file; or that no log can be read, with an error that has the file and the
   place. */
static void assert_damaged(const char *path, int logs, const char *label)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(path, NULL, &result, &err);

	if (!db && logs)
		fail_msg("%s: %s", label, err.msg);
	if (!db) {
		assert_non_null(strstr(err.msg, ".zip' holds no logs that can "
						"be read: "));
		assert_non_null(strstr(err.msg, ", at byte "));
		return;
	}
	for (int rank = 0; rank < logs; rank++)
		assert_int_equal(
			db_int(db,
			       "SELECT count(*) FROM event JOIN thread ON "
			       "thread.id = thread_id WHERE rank = %d",
			       rank),
			INPUT_CALLS);
	if (db_int(db, "SELECT count(*) FROM quality WHERE offset > 0 AND "
		       "kind = 'damaged archive' AND file LIKE '%%.zip'") == 0)
		fail_msg("%s: nothing is reported", label);
	db_close(db);
}

/* Damage of the central directory, or of an entry's header. */
static void bad_zip_list(void **state)
{
	static const struct {
		const char *signature;
		size_t from;
		const char *bytes;
		int logs;
	} cases[] = {
		/* checksum and size of the first log */
		{ ZIP_LIST, 16, "1234", 3 },
		{ ZIP_LIST, 20, "12", 3 },
		{ ZIP_LIST, 0, "X", 0 },
		{ ZIP_LIST, 42, "\5\5", 0 },
		{ ZIP_END, 10, "\6", 3 },
		{ ZIP_ENTRY, 0, "X", 0 },
	};
	const char *path = input_path("list.zip");
	char label[20];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		input_add_run(archive_begin(path), "r/");
		archive_end();
		change_zip(path, cases[i].signature, 1, cases[i].from,
			   cases[i].bytes, strlen(cases[i].bytes));
		snprintf(label, sizeof label, "case %zu", i);
		assert_damaged(path, cases[i].logs, label);
	}
}

/* A comment behind the central directory with any bytes: no damage. */
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

/* Writes the file without n bytes at an offset. */
static void write_without(const char *path, size_t size, size_t at, size_t n)
{
	FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(whole, 1, at, f), at);
	assert_int_equal(fwrite(whole + at + n, 1, size - at - n, f),
			 size - at - n);
	fclose(f);
}

/* Offset of the n-th such signature. */
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

/* Missing bytes in the second log, with and without the central directory,
   whose offsets are wrong then: the first log is whole. */
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
				assert_damaged(path, !listed, label);
			}
	}
}

/* Changed bytes in the second log: the first one is whole. */
static void damaged_data(void **state)
{
	enum { WRONG = 40 };
	const char *path = input_path("garbage.zip");
	size_t size, first, second;
	uint8_t good[WRONG];
	char label[50];

	(void)state;
	input_add_run(archive_begin(path), "r/");
	archive_end();
	size = read_zip(path);
	first = place(size, ZIP_ENTRY, 1) + 30 + strlen("r/node-101-0.gasplog");
	second = place(size, ZIP_ENTRY, 2);
	for (size_t at = first + WRONG; at + 2 * WRONG < second; at += WRONG) {
		memcpy(good, whole + at, WRONG);
		for (unsigned i = 0; i < WRONG; i++)
			whole[at + i] = (uint8_t)((i + at) * at * 40503 >> 7);
		write_without(path, size, 0, 0);
		memcpy(whole + at, good, WRONG);
		snprintf(label, sizeof label, "other bytes at %zu", at);
		assert_damaged(path, 1, label);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_zip_list),
		cmocka_unit_test(zip_comment),
		cmocka_unit_test(missing_bytes),
		cmocka_unit_test(damaged_data),
	};

	return cmocka_run_group_tests(tests, input_set_up, input_tear_down);
}
