/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Truncated, damaged and malicious archives, packed logs and folders. */
/* Long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_input.h"

static void assert_rows(const char *path, const char *rows)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(path, NULL, &result, &err);

	if (!db)
		fail_msg("%s", err.msg);
	assert_string_equal(db_rows(db, "SELECT kind, file, detail FROM quality"
					" WHERE severity = 'loss'"),
			    rows);
	assert_int_equal(db_int(db, "SELECT count(*) FROM thread"), INPUT_LOGS);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 INPUT_LOGS * INPUT_CALLS);
	db_close(db);
}

/* --- cuts ----------------------------------------------------------------- */

/* Number of events that begin before a truncation of the uncompressed
   archive. */
static int events_before(size_t cut)
{
	size_t at = 0;
	int n = 0;

	for (int rank = 0; rank < INPUT_LOGS; rank++) {
		at += 512; /* the entry's header */
		for (int i = 0; i < INPUT_CALLS; i++)
			n += at + input_events_end[rank][i] <= cut;
		at += (input_logs[rank]->n + 511) / 512 * 512;
	}
	return n;
}

static void cut_archive(void **state)
{
	const char *path = input_path("cut.tar");
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	size_t n, whole;
	sqlite3 *db;

	(void)state;
	input_add_run(archive_begin(path), "r/");
	n = whole = archive_end();
	while (n >= 40) {
		int expected = events_before(n -= 40);

		assert_int_equal(truncate(path, (off_t)n), 0);
		db = input_import(path, NULL, &result, &err);
		if (!expected) {
			assert_null(db);
			assert_non_null(strstr(err.msg, "cut.tar"));
			continue;
		}
		assert_non_null(db);
		assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
				 expected);
		/* Two blocks of zeros mark the archive's end. */
		if (n < whole - 512)
			assert_true(result.losses > 0);
		assert_string_equal(db_rows(db, "SELECT rank FROM thread "
						"WHERE rank IS NOT NULL"),
				    "0\n1\n2\n");
		db_close(db);
	}
}

#define MAX_TAR 16384

/* Truncation at an entry's end: only the end mark is missing; zeros and another
   archive may follow. */
static void cut_between_entries(void **state)
{
	static const char *const names[] = { "end.gasplog.tar",
					     "end.gasplog.tar.gz" };
	const char *path = input_path("whole.tar");
	unsigned char bytes[2 * MAX_TAR] = { 0 };
	struct gaspdb_import_result result;
	size_t n, logs = 0, end;
	struct gaspdb_error err;
	FILE *f;

	(void)state;
	for (int rank = 0; rank < INPUT_LOGS; rank++)
		logs += 512 + (input_logs[rank]->n + 511) / 512 * 512;
	input_add_run(archive_begin(path), "r/");
	n = archive_end();
	end = n - 1024;
	assert_true(n < MAX_TAR);
	f = fopen(path, "r");
	assert_int_equal(fread(bytes, 1, n, f), n);
	fclose(f);
	memcpy(bytes + n + 512, bytes, n);
	for (int i = 0; i < 2; i++) {
		char expected[300];

		path = input_path(names[i]);
		archive_pack(path, bytes, end);
		snprintf(expected, sizeof expected,
			 "damaged archive|%s|it ends without an end-of-archive "
			 "mark: entries may be missing\n",
			 names[i]);
		assert_rows(path, expected);
		archive_pack(path, bytes, logs);
		assert_rows(path, expected);
		archive_pack(path, bytes, end + 512);
		assert_rows(path, "");
		archive_pack(path, bytes, n + 512);
		assert_rows(path, "");
		archive_pack(path, bytes, n + 512 + n);
		db_close(input_import(path, NULL, &result, &err));
		assert_int_equal(result.losses, INPUT_LOGS); /* copies */
		archive_pack(path, bytes, n + 512 + end);
		db_close(input_import(path, NULL, &result, &err));
		assert_int_equal(result.losses, INPUT_LOGS + 1);
	}
}

/* A damaged header: its entry is lost, those after it are not. */
static void bad_tar_header(void **state)
{
	const char *path = input_path("header.tar");
	const size_t n = (size_t)1 << 20; /* data without headers */
	unsigned char *data = malloc(n);
	struct archive_file *a = archive_begin(path);
	FILE *f;

	(void)state;
	memset(data, 'x', n);
	archive_add(a, "r/large", data, n);
	input_add_run(a, "r/");
	archive_end();
	f = fopen(path, "r+");
	putc('s', f);
	fclose(f);
	assert_rows(path, "damaged archive|header.tar|Damaged tar archive\n");
	free(data);
}

/* Truncation anywhere: all that can be decoded is there, and never less than
   before. */
static void cut_packed_archive(void **state)
{
	static const char *const names[] = { "cut.tar.gz", "cut.tar.xz" };
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = input_path(names[i]);
		int last = INPUT_LOGS * INPUT_CALLS, most = 0;
		size_t n;

		input_add_run(archive_begin(path), "r/");
		for (n = archive_end() - 1; n > 6; n -= 7) {
			int events = 0;

			assert_int_equal(truncate(path, (off_t)n), 0);
			db = input_import(path, NULL, &result, &err);
			if (db)
				events = (int)db_int(
					db, "SELECT count(*) FROM event");
			assert_true(events <= last);
			if (events < INPUT_LOGS * INPUT_CALLS)
				assert_true(!db || result.losses > 0);
			most = most > events ? most : events;
			last = events;
			db_close(db);
		}
		assert_int_equal(most, INPUT_LOGS * INPUT_CALLS);
		assert_int_equal(last, 0);
	}
}

/* --- hostile archives ----------------------------------------------------- */

static void hostile_members(void **state)
{
	const char *path = input_path("hostile.tar");
	struct archive_file *a = archive_begin(path);
	char name[6000];

	(void)state;
	input_add_run(a, "r/");
	archive_add_link(a, "r/a.gasplog", AE_IFLNK, "/etc/passwd");
	archive_add_link(a, "r/b.gasplog", AE_IFREG, "../../etc/passwd");
	archive_add_link(a, "r/c.gasplog", AE_IFCHR, NULL);
	archive_add_link(a, "r/d.gasplog", AE_IFIFO, NULL);
	archive_add_link(a, "r/e.gasplog", AE_IFDIR, NULL);
	archive_add_link(a, "r/lines.tsv", AE_IFLNK, "/etc/passwd");
	archive_end();
	assert_rows(path,
		    "skipped entry|hostile.tar|entry 'r/a.gasplog': it is a "
		    "symbolic link\n"
		    "skipped entry|hostile.tar|entry 'r/b.gasplog': it is a "
		    "link to what the archive does not hold\n"
		    "skipped entry|hostile.tar|entry 'r/c.gasplog': it is not "
		    "a regular file\n"
		    "skipped entry|hostile.tar|entry 'r/d.gasplog': it is not "
		    "a regular file\n");

	a = archive_begin(path);
	input_add_run(a, "r/");
	archive_add(a, "r/node-100-0.gasplog", input_logs[0]->bytes,
		    input_logs[0]->n);
	archive_add_link(a, "r/z.gasplog", AE_IFREG, "r/node-101-0.gasplog");
	archive_add(a, "r/empty.gasplog", "", 0);
	archive_add(a, "r/text.gasplog", "text", 4);
	memset(name, 'n', sizeof name);
	strcpy(name + 5000, "/node-101-0.gasplog");
	archive_add(a, name, input_logs[1]->bytes, input_logs[1]->n);
	archive_end();
	memset(name, 'n', 300);
	name[300] = 0;
	{
		char rows[2000];

		snprintf(
			rows, sizeof rows,
			"skipped entry|hostile.tar|entry '%.300s': its name is "
			"too long\n"
			"unreadable log|empty.gasplog|the file is empty\n"
			"unreadable log|text.gasplog|not a gaspdb log\n"
			"duplicate log|node-100-0.gasplog|a copy of "
			"'r/node-100-0.gasplog', which was read\n"
			"duplicate log|node-101-0.gasplog|a copy of "
			"'r/z.gasplog', which was read\n",
			name);
		assert_rows(path, rows);
	}
}

/* A link to a missing file: the entries after it are read. */
static void link_elsewhere(void **state)
{
	const char *path = input_path("elsewhere.tar");
	struct archive_file *a = archive_begin(path);
	struct log *l = log_rank(0, 1);
	unsigned f = log_plain(l, "f", "function", "computation", 1);
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	const int n = 120000; /* more than the limit for logs of other runs */
	sqlite3 *db;

	(void)state;
	for (int i = 0; i < n; i++) {
		if (i % 1000 == 0)
			log_block(l, 10 * (uint64_t)i);
		log_call(l, 10 * (uint64_t)i, 10 * (uint64_t)i + 5, f);
	}
	log_close(l);
	archive_add(a, "r/text.gasplog", "text", 4);
	archive_add_link(a, "other/x.gasplog", AE_IFREG, "nothing");
	archive_add(a, "r/node-100-0.gasplog", l->bytes, l->n);
	archive_end();
	db = input_import(path, NULL, &result, &err);
	assert_non_null(db);
	assert_string_equal(db_rows(db, "SELECT kind, detail FROM quality "
					"WHERE severity = 'loss'"),
			    "skipped entry|entry 'other/x.gasplog': it is a "
			    "link to what the archive does not hold\n"
			    "unreadable log|not a gaspdb log\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"), n);
	db_close(db);
	log_free(l);
}

static void encrypted_zip(void **state)
{
	const char *path = input_path("encrypted.zip");
	struct gaspdb_import_result result;
	struct gaspdb_error err;

	(void)state;
	input_add_run(archive_begin(path), "r/");
	archive_end();
	assert_null(input_import(path, NULL, &result, &err));
	assert_non_null(strstr(err.msg, "holds no logs that can be read: it "
					"is encrypted"));
}

/* A zip bomb: 64 MiB of one letter after a log's header, in some KiB. */
static void bomb(void **state)
{
	static const char *const names[] = { "bomb.tar.gz",	 "bomb.tar.xz",
					     "bomb.tar.zst",	 "bomb.zip",
					     "bomb.gasplog.bz2", "bomb.7z",
					     "bomb.cpio.lzma" };
	const size_t n = (size_t)64 << 20;
	unsigned char *bytes = malloc(n);

	(void)state;
	memset(bytes, 'A', n);
	memcpy(bytes, input_logs[0]->bytes, 64);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *path = input_path(names[i]);
		char output[400];
		struct gaspdb_make_options options = {
			.import = { .run = path, .unpack_max = 1 << 20 },
			.output = output,
			.force = true
		};
		struct gaspdb_made made;
		struct gaspdb_error err = { 0 };

		if (strstr(path, ".gasplog")) {
			archive_pack(path, bytes, n);
		} else {
			archive_add(archive_begin(path), "r/a.gasplog", bytes,
				    n);
			archive_end();
		}
		snprintf(output, sizeof output, "%s/bomb.db", input_folder);
		assert_int_equal(gaspdb_make(&options, &made, &err),
				 GASPDB_FAILED);
		assert_non_null(strstr(err.msg, names[i]));
		assert_non_null(strstr(err.msg, "unpacks to more than 1048576 "
						"bytes"));
		assert_int_equal(access(output, F_OK), -1);
		assert_int_equal(unlink(path), 0);
	}
	free(bytes);
}

/* --- packed logs ---------------------------------------------------------- */

static const struct {
	const char *name;
	size_t n; /* the bytes that are left */
} bad_logs[] = {
	{ "a.gasplog.gz", 0 },	 { "b.gasplog.gz", 5 },
	{ "c.gasplog.gz", 10 },	 { "d.gasplog.xz", 20 },
	{ "e.gasplog.zst", 40 }, { "f.gasplog.bz2", 30 },
};
#define BAD_LOGS (sizeof bad_logs / sizeof *bad_logs)
#define BAD_LOGS_QUALITY                                      \
	"unreadable log|a.gasplog.gz|the file is empty\n"     \
	"unreadable log|b.gasplog.gz|the gzip data is cut\n"  \
	"unreadable log|c.gasplog.gz|the gzip data is cut\n"  \
	"unreadable log|d.gasplog.xz|the xz data is cut\n"    \
	"unreadable log|e.gasplog.zst|the zstd data is cut\n" \
	"unreadable log|f.gasplog.bz2|the bzip2 data is cut\n"

static void add_bad_log(const char *run, struct archive_file *a, size_t i)
{
	char path[300], name[100];
	unsigned char bytes[100];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", run, bad_logs[i].name);
	if (!a) {
		archive_pack(path, input_logs[0]->bytes, input_logs[0]->n);
		assert_int_equal(truncate(path, (off_t)bad_logs[i].n), 0);
		return;
	}
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fread(bytes, 1, sizeof bytes, f), bad_logs[i].n);
	fclose(f);
	snprintf(name, sizeof name, "r/%s", bad_logs[i].name);
	archive_add(a, name, bytes, bad_logs[i].n);
}

/* A log that cannot be unpacked: the others are read. */
static void bad_packed_logs(void **state)
{
	static const char *const names[] = { "bad.tar", "bad.tar.gz" };
	char *run = run_new(), path[300];
	struct gaspdb_import_result result;
	struct gaspdb_error err;

	(void)state;
	for (size_t i = 0; i < BAD_LOGS; i++)
		add_bad_log(run, NULL, i);
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		struct archive_file *a = archive_begin(input_path(names[k]));

		for (size_t i = 0; i < BAD_LOGS; i++)
			add_bad_log(run, a, i);
		input_add_run(a, "r/");
		archive_end();
		assert_rows(input_path(names[k]), BAD_LOGS_QUALITY);
	}
	assert_null(input_import(run, NULL, &result, &err));
	assert_non_null(strstr(err.msg, "can be read: a.gasplog.gz: the file "
					"is empty"));
	for (int rank = 0; rank < INPUT_LOGS; rank++)
		run_add_bytes(run, input_log_name(rank),
			      input_logs[rank]->bytes, input_logs[rank]->n);
	assert_rows(run, BAD_LOGS_QUALITY);

	/* Entries other than files; and files beside the logs that would
	   block. */
	for (size_t i = 0; i < BAD_LOGS; i++) {
		snprintf(path, sizeof path, "%s/%s", run, bad_logs[i].name);
		assert_int_equal(unlink(path), 0);
	}
	snprintf(path, sizeof path, "%s/a.gasplog.gz", run);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(path, sizeof path, "%s/b.gasplog.gz", run);
	assert_int_equal(symlink("/dev/zero", path), 0);
	snprintf(path, sizeof path, "%s/run.txt", run);
	assert_int_equal(mkfifo(path, 0600), 0);
	snprintf(path, sizeof path, "%s/lines.tsv", run);
	assert_int_equal(symlink("/dev/zero", path), 0);
	snprintf(path, sizeof path, "%s/c.gasplog.gz", run);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_rows(run, "unreadable log|a.gasplog.gz|not a regular file\n"
			 "unreadable log|b.gasplog.gz|not a regular file\n"
			 "unreadable log|c.gasplog.gz|not a regular file\n");
	assert_int_equal(rmdir(path), 0);
	run_remove(run);
}

/* A sparse log with the largest hole: it is not read. */
static void sparse_log(void **state)
{
	char *run = run_new(), path[300];
	const off_t size = (off_t)1 << 42;
	sqlite3 *db = NULL;
	FILE *f;

	(void)state;
	for (int rank = 0; rank < INPUT_LOGS; rank++)
		run_add_bytes(run, input_log_name(rank),
			      input_logs[rank]->bytes, input_logs[rank]->n);
	/* A log without anything after its header. */
	run_add_bytes(run, "node-9-0.gasplog", input_logs[0]->bytes, 64);
	snprintf(path, sizeof path, "%s/node-9-0.gasplog", run);
	f = fopen(path, "r+");
	assert_non_null(f);
	if (ftruncate(fileno(f), size)) /* not every file system can */
		assert_int_equal(unlink(path), 0);
	else
		db = run_open(run);
	if (db)
		assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
				 INPUT_LOGS * INPUT_CALLS);
	db_close(db);
	fclose(f);
	run_remove(run);
}

/* A flipped bit anywhere: the import ends, without invented rows. */
static void flipped_archive(void **state)
{
	static const char *const names[] = { "f.tar", "f.tar.gz", "f.tar.zst",
					     "f.zip" };
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	uint64_t x = 1;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *path = input_path(names[i]);
		size_t n;

		input_add_run(archive_begin(path), "r/");
		n = archive_end();
		for (int k = 0; k < 60; k++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			size_t at = (x >> 33) % n;
			FILE *f = fopen(path, "r+");
			int c;

			assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
			c = getc(f);
			assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
			putc(c ^ 1 << (k % 8), f);
			fclose(f);
			sqlite3 *db = input_import(path, NULL, &result, &err);

			gaspdb_run_list_free(&result.runs);
			if (db)
				assert_true(db_int(db, "SELECT count(*) FROM "
						       "event") <=
					    INPUT_LOGS * INPUT_CALLS);
			else
				assert_true(strlen(err.msg) > 0);
			db_close(db);
			f = fopen(path, "r+");
			assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
			putc(c, f);
			fclose(f);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cut_archive),
		cmocka_unit_test(cut_between_entries),
		cmocka_unit_test(bad_tar_header),
		cmocka_unit_test(cut_packed_archive),
		cmocka_unit_test(hostile_members),
		cmocka_unit_test(link_elsewhere),
		cmocka_unit_test(encrypted_zip),
		cmocka_unit_test(bomb),
		cmocka_unit_test(bad_packed_logs),
		cmocka_unit_test(sparse_log),
		cmocka_unit_test(flipped_archive),
	};

	return cmocka_run_group_tests(tests, input_set_up, input_tear_down);
}
