/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forms of input: the database is the same for all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_input.h"

/* Dump of all rows of all tables, but for the run's path. */
static char *dump(sqlite3 *db)
{
	char *names = strdup(db_rows(
		db, "SELECT name FROM sqlite_schema WHERE type = 'table'"));
	char *all = strdup(""), *rest = names, *name;

	while ((name = strsep(&rest, "\n")) && *name) {
		const char *rows = db_rows(
			db, "SELECT * FROM %s %s", name,
			strcmp(name, "meta") ? ""
					     : "WHERE key NOT IN ("
					       "'run_name', 'run_directory')");
		char *more = NULL;

		assert_true(asprintf(&more, "%s%s:\n%s", all, name, rows) > 0);
		free(all);
		all = more;
	}
	free(names);
	return all;
}

static char *dump_of(const char *path, const char *name)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(path, name, &result, &err);
	char *all;

	if (!db)
		fail_msg("%s: %s", path, err.msg);
	assert_int_equal(result.losses, 0);
	all = dump(db);
	db_close(db);
	return all;
}

/* Dump of the run read from a directory. */
static char *reference(void)
{
	char *run = run_new(), *all;

	for (int rank = 0; rank < INPUT_LOGS; rank++)
		run_add_bytes(run, input_log_name(rank),
			      input_logs[rank]->bytes, input_logs[rank]->n);
	run_add_bytes(run, "lines.tsv", input_lines, strlen(input_lines));
	all = dump_of(run, NULL);
	/* The reference has the rows that the test relies on. */
	assert_non_null(strstr(all, "b.c|7|f"));
	run_remove(run);
	return all;
}

static void assert_same(const char *path, const char *name,
			const char *expected)
{
	char *got = dump_of(path, name);

	if (strcmp(got, expected))
		fail_msg("%s: not as the directory:\n%s", path, got);
	free(got);
}

/* --- forms ---------------------------------------------------------------- */

static void every_format(void **state)
{
	static const char *const names[] = {
		"r.tar",      "r.tar.gz",  "r.tar.xz", "r.tar.zst",
		"r.tar.bz2",  "r.tar.lz4", "r.zip",    "stored.zip",
		"r.tar.lzma", "r.tar.lz",  "r.7z",     "r.cpio",
		"r.cpio.gz"
	};
	static const char *const prefixes[] = { "", "run/", "./run/",
						"/a/../b/run/" };
	char *expected = reference();

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes;
		     k++) {
			const char *path = input_path(names[i]);

			input_add_run(archive_begin(path), prefixes[k]);
			archive_end();
			assert_same(path, NULL, expected);
			assert_int_equal(unlink(path), 0);
		}
	free(expected);
}

/* File names in capitals, as of old file systems and tools. */
static void capitals(void **state)
{
	char *run = run_new(), *expected = reference(), *got;

	(void)state;
	for (int rank = 0; rank < INPUT_LOGS; rank++) {
		char name[40];

		snprintf(name, sizeof name, "NODE-10%d-0.GASPLOG", rank);
		run_add_bytes(run, name, input_logs[rank]->bytes,
			      input_logs[rank]->n);
	}
	run_add_bytes(run, "LINES.TSV", input_lines, strlen(input_lines));
	got = dump_of(run, NULL);
	/* They have the names of the files. */
	assert_int_equal(strcasecmp(got, expected), 0);
	run_remove(run);
	free(got);
	free(expected);
}

/* Redirects standard input to a file, or to a pipe with its bytes. */
static void feed(const char *path, bool through_pipe)
{
	static char bytes[1 << 16]; /* the capacity of a pipe */
	FILE *f = fopen(path, "r");
	size_t n;
	int fds[2];

	assert_non_null(f);
	if (through_pipe) {
		n = fread(bytes, 1, sizeof bytes, f);
		assert_true(n < sizeof bytes);
		assert_int_equal(pipe(fds), 0);
		assert_int_equal(write(fds[1], bytes, n), (ssize_t)n);
		close(fds[1]);
		assert_int_equal(dup2(fds[0], 0), 0);
		close(fds[0]);
	} else {
		assert_int_equal(dup2(fileno(f), 0), 0);
	}
	fclose(f);
}

static void standard_input(void **state)
{
	static const char *const names[] = { "i.tar", "i.tar.gz", "i.tar.zst",
					     "i.zip", "i.7z",	  "i.cpio" };
	char *expected = reference();
	int old = dup(0);

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (int pipe = 0; pipe < 2; pipe++) {
			const char *path = input_path(names[i]);

			input_add_run(archive_begin(path), "run/");
			archive_end();
			feed(path, pipe);
			assert_same("-", NULL, expected);
			assert_int_equal(unlink(path), 0);
		}
	dup2(old, 0);
	close(old);
	free(expected);
}

/* A single log: plain, packed, in a directory, from a pipe. */
static void single_log(void **state)
{
	static const char *const suffixes[] = { "",	".gz",	 ".xz", ".zst",
						".bz2", ".lzma", ".lz" };
	struct log *l = log_rank(0, 1);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	char *run = run_new(), *expected = NULL;
	int old = dup(0);

	(void)state;
	log_call(l, 0, 5, put);
	log_close(l);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		char name[100], path[300];

		snprintf(name, sizeof name, "node-100-0.gasplog%s",
			 suffixes[i]);
		snprintf(path, sizeof path, "%s/%s", run, name);
		archive_pack(path, l->bytes, l->n);
		if (!expected)
			expected = dump_of(path, NULL);
		assert_same(path, NULL, expected);
		assert_same(run, NULL, expected);
		feed(path, true);
		free(dump_of("-", NULL)); /* another name of the log */
		assert_int_equal(unlink(path), 0);
	}
	dup2(old, 0);
	close(old);
	log_free(l);
	free(expected);
	run_remove(run);
}

/* A packed log in an archive, and one in a directory beside plain ones. */
static void packed_within(void **state)
{
	char *expected = reference(), *run = run_new(), path[300];
	unsigned char packed[4096];
	struct archive_file *a;
	size_t n;
	FILE *f;

	(void)state;
	snprintf(path, sizeof path, "%s/%s.gz", run, input_log_name(1));
	archive_pack(path, input_logs[1]->bytes, input_logs[1]->n);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(packed, 1, sizeof packed, f);
	fclose(f);
	run_add_bytes(run, input_log_name(0), input_logs[0]->bytes,
		      input_logs[0]->n);
	run_add_bytes(run, input_log_name(2), input_logs[2]->bytes,
		      input_logs[2]->n);
	run_add_bytes(run, "lines.tsv", input_lines, strlen(input_lines));
	assert_same(run, NULL, expected);

	a = archive_begin(input_path("within.tar.xz"));
	archive_add(a, "r/lines.tsv", input_lines, strlen(input_lines));
	archive_add(a, "r/node-100-0.gasplog", input_logs[0]->bytes,
		    input_logs[0]->n);
	archive_add(a, "r/node-101-0.gasplog.gz", packed, n);
	archive_add(a, "r/node-102-0.gasplog", input_logs[2]->bytes,
		    input_logs[2]->n);
	archive_end();
	assert_same(input_path("within.tar.xz"), NULL, expected);
	run_remove(run);
	free(expected);
}

/* Asserts that the second of three logs in a folder cannot be read, with the
   reason. */
static void assert_second(const char *run, const char *expected)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = input_import(run, NULL, &result, &err);

	assert_non_null(db);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 2 * INPUT_CALLS);
	assert_string_equal(
		db_rows(db,
			"SELECT detail FROM quality "
			"WHERE kind = 'unreadable log' AND file = '%s'",
			input_log_name(1)),
		expected);
	db_close(db);
}

/* Packed files without the suffix, and of an unsupported format. */
static void other_endings(void **state)
{
	static const char *const packed[][2] = {
		{ ".gz", "gzip" },   { ".xz", "xz" },	  { ".zst", "zstd" },
		{ ".bz2", "bzip2" }, { ".lzma", "lzma" }, { ".lz", "lzip" },
		{ ".lz4", "lz4" },
	};
	static const char compressed[] = "\x1f\x9d\x90 and so on";
	char *run = run_new(), path[300], name[300], expected[200];

	(void)state;
	for (int rank = 0; rank < INPUT_LOGS; rank += 2)
		run_add_bytes(run, input_log_name(rank),
			      input_logs[rank]->bytes, input_logs[rank]->n);
	snprintf(name, sizeof name, "%s/%s", run, input_log_name(1));
	for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
		snprintf(path, sizeof path, "%s%s", name, packed[i][0]);
		archive_pack(path, input_logs[1]->bytes, input_logs[1]->n);
		assert_int_equal(rename(path, name), 0);
		snprintf(expected, sizeof expected,
			 "not a log but %s data: decompress it, or let its "
			 "name end as %s's do\n",
			 packed[i][1], packed[i][1]);
		assert_second(run, expected);
	}
	assert_int_equal(unlink(name), 0);
	snprintf(name, sizeof name, "%s.Z", input_log_name(1));
	run_add_bytes(run, name, compressed, sizeof compressed);
	assert_second(run, "compressed by compress, which is not read here: "
			   "decompress it first\n");
	run_remove(run);
}

/* --- several runs --------------------------------------------------------- */

static void several_runs(void **state)
{
	char *expected = reference();
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	const char *path = input_path("several.tar");
	struct archive_file *a = archive_begin(path);
	struct log *l = log_rank(0, 4); /* three missing threads */

	(void)state;
	log_call(l, 0, 1, log_plain(l, "f", "function", "computation", 1));
	log_close(l);
	input_add_run(a, "x/two/");
	archive_add(a, "x/one/node-9-0.gasplog", l->bytes, l->n);
	archive_end();
	assert_null(input_import(path, NULL, &result, &err));
	assert_string_equal(err.msg, "'several.tar' holds 2 runs: choose one "
				     "by --run=NAME");
	assert_int_equal(result.runs.n, 2);
	assert_string_equal(result.runs.run[0].name, "x/one");
	assert_int_equal(result.runs.run[0].logs, 1);
	assert_int_equal(result.runs.run[0].threads, 4);
	assert_int_equal(result.runs.run[0].start_real_ns, LOG_REAL);
	assert_string_equal(result.runs.run[1].name, "x/two");
	assert_int_equal(result.runs.run[1].logs, INPUT_LOGS);
	assert_int_equal(result.runs.run[1].threads, INPUT_LOGS);
	gaspdb_run_list_free(&result.runs);
	assert_same(path, "x/two", expected);
	assert_same(path, "two/", expected);
	assert_null(input_import(path, "wo", &result, &err));
	assert_string_equal(err.msg, "'several.tar' holds no run 'wo'");
	gaspdb_run_list_free(&result.runs);
	log_free(l);
	free(expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format),
		cmocka_unit_test(capitals),
		cmocka_unit_test(standard_input),
		cmocka_unit_test(single_log),
		cmocka_unit_test(packed_within),
		cmocka_unit_test(other_endings),
		cmocka_unit_test(several_runs),
	};

	return cmocka_run_group_tests(tests, input_set_up, input_tear_down);
}
