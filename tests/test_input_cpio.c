/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cpio files with a header that is wrong: what it tells is lost, no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util_db.h"
#include "util_input.h"

#define MAX_CPIO 65536

static char whole[MAX_CPIO];
static size_t whole_bytes;

/* Where the n-th header stands. */
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

static void write_file(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_int_equal(fwrite(whole, 1, whole_bytes, f), whole_bytes);
	fclose(f);
}

/* All logs but that of a rank are whole, and why that one is not is told. */
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
			       "kind = 'damaged archive'") > 0);
	db_close(db);
}

/* A size or a length leads into another entry, or beyond the end. */
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
	FILE *f;

	(void)state;
	input_add_run(archive_begin(path), "r/");
	whole_bytes = archive_end();
	f = fopen(path, "r");
	assert_int_equal(fread(whole, 1, sizeof whole, f), whole_bytes);
	fclose(f);
	for (int rank = 0; rank < INPUT_LOGS; rank++) {
		for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
			char *at = header(rank) + wrong[i].field, good[8];

			memcpy(good, at, sizeof good);
			memcpy(at, wrong[i].digits, sizeof good);
			write_file(path);
			assert_others(path, rank);
			memcpy(at, good, sizeof good);
		}
	}
}

/* Each header leads beyond the end: each is read to there, which is limited. */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_header),
		cmocka_unit_test(bad_headers),
	};

	return cmocka_run_group_tests(tests, input_set_up, input_tear_down);
}
