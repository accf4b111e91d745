/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Damaged tar and cpio files: of tar files the logs behind a wrong header or
   missing bytes are found, of cpio files those before. */
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

#define MAX_BYTES 65536

static char whole[MAX_BYTES];
static size_t whole_bytes;

/* Address of the n-th header. */
static char *header(int n)
{
	char *at = whole;

	while (n--) {
		at = memmem(at + 1, whole_bytes - (size_t)(at + 1 - whole),
			    "070701", 6);
		assert_non_null(at);
	}
	return at;
}

static void make_run(const char *path)
{
	FILE *f;

	input_add_run(archive_begin(path), "r/");
	whole_bytes = archive_end();
	f = fopen(path, "r");
	assert_int_equal(fread(whole, 1, sizeof whole, f), whole_bytes);
	fclose(f);
}

static void write_file(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(whole, 1, whole_bytes, f), whole_bytes);
	fclose(f);
}

/* Asserts that all logs but that of a rank are whole, with a reason for this
   one. */
static void assert_others(const char *path, int rank)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(path, NULL, &result, &err);

	if (!db)
		fail_msg("%s", err.msg);
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM event e JOIN thread t "
				"ON t.id = e.thread_id WHERE t.rank <> %d",
				rank),
			 (INPUT_LOGS - 1) * INPUT_CALLS);
	assert_true(db_int(db, "SELECT count(*) FROM event") <=
		    INPUT_LOGS * INPUT_CALLS);
	assert_true(db_int(db, "SELECT count(*) FROM quality WHERE "
			       "kind IN ('damaged archive', "
			       "'unreadable log')") > 0);
	db_close(db);
}

/* Asserts that the logs before that of a rank are whole, and damage is
   reported; or that no log can be read. */
static void assert_before(const char *path, int rank)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(path, NULL, &result, &err);

	if (!db) {
		assert_int_equal(rank, 0);
		assert_non_null(strstr(err.msg, "header.cpio"));
		return;
	}
	assert_int_equal(db_int(db,
				"SELECT count(*) FROM event e JOIN thread t "
				"ON t.id = e.thread_id WHERE t.rank < %d",
				rank),
			 rank * INPUT_CALLS);
	assert_true(db_int(db, "SELECT count(*) FROM quality WHERE "
			       "kind IN ('damaged archive', "
			       "'unreadable log')") > 0);
	db_close(db);
}

/* A wrong size or length that leads into another entry, or beyond the end. */
static void bad_header(void **state)
{
	enum { SIZE = 54, NAME = 94 };
	static const struct {
		size_t field;
		const char *digits;
	} wrong[] = { { SIZE, "FFFFFFFF" }, { SIZE, "77777777" },
		      { SIZE, "00000600" }, { SIZE, "00000011" },
		      { SIZE, "GARBAGE!" }, { NAME, "FFFFFFFF" },
		      { NAME, "00000600" }, { NAME, "GARBAGE!" } };
	const char *path = input_path("header.cpio");

	(void)state;
	make_run(path);
	for (int rank = 0; rank < INPUT_LOGS; rank++) {
		for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
			char *at = header(rank) + wrong[i].field, good[8];

			memcpy(good, at, sizeof good);
			memcpy(at, wrong[i].digits, sizeof good);
			write_file(path);
			assert_before(path, rank);
			memcpy(at, good, sizeof good);
		}
	}
}

/* Headers that all lead beyond the end: the number of bytes read is limited. */
static void bad_headers(void **state)
{
	enum { HEADERS = 400, BYTES = 120 };
	const char *path = input_path("headers.cpio");
	struct gaspdb_import_result result;
	struct gaspdb_error err;

	(void)state;
	memset(whole, '0', sizeof whole);
	whole_bytes = HEADERS * BYTES;
	for (int i = 0; i < HEADERS; i++)
		snprintf(
			whole + i * BYTES, BYTES,
			"07070100000000000081A4%032dFFFFFFFF%032d0000000A%08da.gasplog",
			0, 0, 0);
	write_file(path);
	assert_null(input_import(path, NULL, &result, &err));
	assert_non_null(strstr(err.msg, "headers.cpio"));
}

/* --- tar ------------------------------------------------------------------ */

enum { TAR_BLOCK = 512, TAR_SIZE = 124, TAR_SUM = 148, TAR_MAGIC = 257 };

/* Offset of the n-th log's header. */
static size_t tar_header(int n)
{
	char name[50];
	const char *at;

	snprintf(name, sizeof name, "r/%s", input_log_name(n));
	at = memmem(whole, whole_bytes, name, strlen(name));
	assert_non_null(at);
	return (size_t)(at - whole);
}

static void set_sum(char *header)
{
	unsigned sum = 0;

	memset(header + TAR_SUM, ' ', 8);
	for (int i = 0; i < TAR_BLOCK; i++)
		sum += (unsigned char)header[i];
	snprintf(header + TAR_SUM, 8, "%06o", sum);
}

/* A header with a right sum and a wrong size, or the other way round. */
static void bad_tar_header(void **state)
{
	static const struct {
		const char *size;
		bool sum;
	} wrong[] = {
		{ "\377\377\377\377\377\377\377\377\377\377\377\377", true },
		{ "\200\377\377\377\377\377\377\377\377\377\377\377", true },
		{ "77777777777", true },
		{ "00000000001", true },
		{ "GARBAGE", true },
		{ "GARBAGE", false }
	};
	const char *path = input_path("header.tar");

	(void)state;
	make_run(path);
	for (int rank = 0; rank < INPUT_LOGS; rank++) {
		for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
			char *at = whole + tar_header(rank), good[TAR_BLOCK];

			memcpy(good, at, sizeof good);
			memcpy(at + TAR_SIZE, wrong[i].size,
			       strnlen(wrong[i].size, 12));
			if (wrong[i].sum)
				set_sum(at);
			write_file(path);
			assert_others(path, rank);
			memcpy(at, good, sizeof good);
		}
	}
}

/* Missing bytes: headers are no longer aligned to blocks. */
static void missing_tar_bytes(void **state)
{
	enum { STEP = 83 };
	static const size_t missing[] = { 1, 10, 700 };
	static char all[MAX_BYTES];
	const char *path = input_path("missing.tar");
	size_t n, from, to;

	(void)state;
	make_run(path);
	n = whole_bytes;
	memcpy(all, whole, n);
	from = tar_header(1) + TAR_BLOCK;
	to = tar_header(2);
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
		whole_bytes = n - missing[i];
		for (size_t at = from; at + missing[i] <= to; at += STEP) {
			memcpy(whole, all, n);
			memmove(whole + at, whole + at + missing[i],
				n - at - missing[i]);
			write_file(path);
			assert_others(path, 1);
		}
	}
}

/* A link behind damage, to an entry before it. */
static void link_behind(void **state)
{
	const char *path = input_path("link.tar");
	struct archive_file *a = archive_begin(path);
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db;
	FILE *f;
	long at;

	(void)state;
	archive_add(a, "r/a.gasplog", input_logs[0]->bytes, input_logs[0]->n);
	archive_add(a, "r/damaged", "x", 1);
	archive_add_link(a, "r/b.gasplog", AE_IFREG, "r/a.gasplog");
	archive_end();
	at = (long)(TAR_BLOCK +
		    (input_logs[0]->n + TAR_BLOCK - 1) / TAR_BLOCK * TAR_BLOCK);
	f = fopen(path, "r+");
	fseek(f, at, SEEK_SET);
	assert_int_equal(fputc('X', f), 'X');
	fclose(f);
	db = input_import(path, NULL, &result, &err);
	assert_non_null(db);
	assert_string_equal(db_rows(db, "SELECT kind, file FROM quality "
					"WHERE file IS NOT NULL ORDER BY kind"),
			    "damaged archive|link.tar\n"
			    "duplicate log|b.gasplog\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_header),
		cmocka_unit_test(bad_headers),
		cmocka_unit_test(bad_tar_header),
		cmocka_unit_test(missing_tar_bytes),
		cmocka_unit_test(link_behind),
	};

	return cmocka_run_group_tests(tests, input_set_up, input_tear_down);
}
