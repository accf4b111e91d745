/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a run comes in, the database is the same; hostile archives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "util_archive.h"
#include "util_db.h"
#include "util_log.h"

#define N_LOGS	3
#define N_CALLS 5 /* of each log */

/* --- a run ---------------------------------------------------------------- */

static struct log *logs[N_LOGS];
static size_t events_end[N_LOGS][N_CALLS]; /* the byte after each START */
static const char lines[] = "01020304\t2f\tf\tb.c\t7\t0\n";
static char *folder;

static void make_log(int rank)
{
	struct log *l = log_rank(rank, N_LOGS);
	unsigned put = log_site_pc(
		l, log_op(l, "put", "put", "communication", "peer:i", ""),
		0x4030);

	log_module(l, 0x4000, 0x5000, 0x4000, "\1\2\3\4", 4, "/nonexistent");
	for (uint64_t i = 0; i < N_CALLS; i++) {
		log_start(l, 10 * i, put, ARGS((rank + 1) % N_LOGS));
		events_end[rank][i] = l->n;
		log_end(l, 10 * i + 5, put, NONE);
	}
	log_close(l);
	logs[rank] = l;
}

static int set_up(void **state)
{
	(void)state;
	for (int rank = 0; rank < N_LOGS; rank++)
		make_log(rank);
	folder = run_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (int rank = 0; rank < N_LOGS; rank++) {
		free(logs[rank]->bytes);
		free(logs[rank]);
	}
	run_remove(folder);
	return 0;
}

static const char *log_name(int rank)
{
	static char name[N_LOGS][40];

	snprintf(name[rank], sizeof name[rank], "node-%d-0.gasplog",
		 100 + rank);
	return name[rank];
}

static const char *path_of(const char *name)
{
	static char path[400];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* prefix is "" or ends with a slash. */
static void add_run(struct archive_file *a, const char *prefix)
{
	char name[300];

	for (int rank = 0; rank < N_LOGS; rank++) {
		snprintf(name, sizeof name, "%s%s", prefix, log_name(rank));
		archive_add(a, name, logs[rank]->bytes, logs[rank]->n);
	}
	snprintf(name, sizeof name, "%slines.tsv", prefix);
	archive_add(a, name, lines, sizeof lines - 1);
	snprintf(name, sizeof name, "%sother.txt", prefix);
	archive_add(a, name, "no log", 6);
}

static sqlite3 *import(const char *path, const char *name,
		       struct gaspdb_import_result *result,
		       struct gaspdb_error *err)
{
	char output[400];
	struct gaspdb_import_options options = {
		.run = path, .name = name, .output = output, .force = true
	};
	sqlite3 *db = NULL;

	snprintf(output, sizeof output, "%s/db.sqlite", folder);
	memset(err, 0, sizeof *err);
	if (gaspdb_import(&options, result, err))
		return NULL;
	assert_int_equal(
		sqlite3_open_v2(output, &db, SQLITE_OPEN_READONLY, NULL),
		SQLITE_OK);
	return db;
}

/* All rows of all tables, but for where the run came from. */
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
	sqlite3 *db = import(path, name, &result, &err);
	char *all;

	if (!db)
		fail_msg("%s: %s", path, err.msg);
	assert_int_equal(result.losses, 0);
	all = dump(db);
	db_close(db);
	return all;
}

/* The dump of the run as a directory. */
static char *reference(void)
{
	char *run = run_new(), *all;

	for (int rank = 0; rank < N_LOGS; rank++)
		run_add_bytes(run, log_name(rank), logs[rank]->bytes,
			      logs[rank]->n);
	run_add_bytes(run, "lines.tsv", lines, sizeof lines - 1);
	all = dump_of(run, NULL);
	/* What the test relies on is in it. */
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
	static const char *const names[] = { "r.tar",	  "r.tar.gz",
					     "r.tar.xz",  "r.tar.zst",
					     "r.tar.bz2", "r.tar.lz4",
					     "r.zip",	  "stored.zip" };
	static const char *const prefixes[] = { "", "run/", "./run/",
						"/a/../b/run/" };
	char *expected = reference();

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes;
		     k++) {
			const char *path = path_of(names[i]);

			add_run(archive_begin(path), prefixes[k]);
			archive_end();
			assert_same(path, NULL, expected);
			assert_int_equal(unlink(path), 0);
		}
	free(expected);
}

/* Standard input becomes a file, or a pipe that has its bytes. */
static void feed(const char *path, bool through_pipe)
{
	static char bytes[1 << 16]; /* as much as a pipe holds */
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
					     "i.zip" };
	char *expected = reference();
	int old = dup(0);

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		for (int pipe = 0; pipe < 2; pipe++) {
			const char *path = path_of(names[i]);

			add_run(archive_begin(path), "run/");
			archive_end();
			feed(path, pipe);
			assert_same("-", NULL, expected);
			assert_int_equal(unlink(path), 0);
		}
	dup2(old, 0);
	close(old);
	free(expected);
}

/* One log: plain, packed, in a directory, from a pipe. */
static void single_log(void **state)
{
	static const char *const suffixes[] = { "", ".gz", ".xz", ".zst",
						".bz2" };
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
		free(dump_of("-", NULL)); /* the log's name is another */
		assert_int_equal(unlink(path), 0);
	}
	dup2(old, 0);
	close(old);
	free(l->bytes);
	free(l);
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
	snprintf(path, sizeof path, "%s/%s.gz", run, log_name(1));
	archive_pack(path, logs[1]->bytes, logs[1]->n);
	f = fopen(path, "r");
	assert_non_null(f);
	n = fread(packed, 1, sizeof packed, f);
	fclose(f);
	run_add_bytes(run, log_name(0), logs[0]->bytes, logs[0]->n);
	run_add_bytes(run, log_name(2), logs[2]->bytes, logs[2]->n);
	run_add_bytes(run, "lines.tsv", lines, sizeof lines - 1);
	assert_same(run, NULL, expected);

	a = archive_begin(path_of("within.tar.xz"));
	archive_add(a, "r/lines.tsv", lines, sizeof lines - 1);
	archive_add(a, "r/node-100-0.gasplog", logs[0]->bytes, logs[0]->n);
	archive_add(a, "r/node-101-0.gasplog.gz", packed, n);
	archive_add(a, "r/node-102-0.gasplog", logs[2]->bytes, logs[2]->n);
	archive_end();
	assert_same(path_of("within.tar.xz"), NULL, expected);
	run_remove(run);
	free(expected);
}

/* --- several runs --------------------------------------------------------- */

static void several_runs(void **state)
{
	char *expected = reference();
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	const char *path = path_of("several.tar");
	struct archive_file *a = archive_begin(path);
	struct log *l = log_rank(0, 4); /* three of its threads are missing */

	(void)state;
	log_call(l, 0, 1, log_plain(l, "f", "function", "computation", 1));
	log_close(l);
	add_run(a, "x/two/");
	archive_add(a, "x/one/node-9-0.gasplog", l->bytes, l->n);
	archive_end();
	assert_null(import(path, NULL, &result, &err));
	assert_string_equal(err.msg, "'several.tar' holds 2 runs: choose one "
				     "by --run=NAME");
	assert_int_equal(result.runs.n, 2);
	assert_string_equal(result.runs.run[0].name, "x/one");
	assert_int_equal(result.runs.run[0].logs, 1);
	assert_int_equal(result.runs.run[0].threads, 4);
	assert_int_equal(result.runs.run[0].start_real_ns, LOG_REAL);
	assert_string_equal(result.runs.run[1].name, "x/two");
	assert_int_equal(result.runs.run[1].logs, N_LOGS);
	assert_int_equal(result.runs.run[1].threads, N_LOGS);
	gaspdb_run_list_free(&result.runs);
	assert_same(path, "x/two", expected);
	assert_same(path, "two/", expected);
	assert_null(import(path, "wo", &result, &err));
	assert_string_equal(err.msg, "'several.tar' holds no run 'wo'");
	gaspdb_run_list_free(&result.runs);
	free(l->bytes);
	free(l);
	free(expected);
}

/* --- cuts ----------------------------------------------------------------- */

/* Events that begin before a cut of the uncompressed archive. */
static int events_before(size_t cut)
{
	size_t at = 0;
	int n = 0;

	for (int rank = 0; rank < N_LOGS; rank++) {
		at += 512; /* the entry's header */
		for (int i = 0; i < N_CALLS; i++)
			n += at + events_end[rank][i] <= cut;
		at += (logs[rank]->n + 511) / 512 * 512;
	}
	return n;
}

static void cut_archive(void **state)
{
	const char *path = path_of("cut.tar");
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db;
	size_t n;

	(void)state;
	add_run(archive_begin(path), "r/");
	n = archive_end();
	while (n >= 40) {
		int expected = events_before(n -= 40);

		assert_int_equal(truncate(path, (off_t)n), 0);
		db = import(path, NULL, &result, &err);
		if (!expected) {
			assert_null(db);
			assert_non_null(strstr(err.msg, "cut.tar"));
			continue;
		}
		assert_non_null(db);
		assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
				 expected);
		/* Where an entry ends, only the missing log shows the cut. */
		if (expected < N_LOGS * N_CALLS)
			assert_true(result.losses > 0);
		assert_string_equal(db_rows(db, "SELECT rank FROM thread "
						"WHERE rank IS NOT NULL"),
				    "0\n1\n2\n");
		db_close(db);
	}
}

/* Cut anywhere, whatever could be decoded is there; it only grows. */
static void cut_packed_archive(void **state)
{
	static const char *const names[] = { "cut.tar.gz", "cut.tar.xz" };
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db;

	(void)state;
	for (int i = 0; i < 2; i++) {
		const char *path = path_of(names[i]);
		int last = N_LOGS * N_CALLS, most = 0;
		size_t n;

		add_run(archive_begin(path), "r/");
		for (n = archive_end() - 1; n > 6; n -= 7) {
			int events = 0;

			assert_int_equal(truncate(path, (off_t)n), 0);
			db = import(path, NULL, &result, &err);
			if (db)
				events = (int)db_int(
					db, "SELECT count(*) FROM event");
			assert_true(events <= last);
			if (events < N_LOGS * N_CALLS)
				assert_true(!db || result.losses > 0);
			most = most > events ? most : events;
			last = events;
			db_close(db);
		}
		assert_int_equal(most, N_LOGS * N_CALLS);
		assert_int_equal(last, 0);
	}
}

/* --- hostile archives ----------------------------------------------------- */

static void assert_rows(const char *path, const char *rows)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = import(path, NULL, &result, &err);

	if (!db)
		fail_msg("%s", err.msg);
	assert_string_equal(db_rows(db, "SELECT kind, file, detail FROM quality"
					" WHERE severity = 'loss'"),
			    rows);
	assert_int_equal(db_int(db, "SELECT count(*) FROM thread"), N_LOGS);
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"),
			 N_LOGS * N_CALLS);
	db_close(db);
}

static void hostile_members(void **state)
{
	const char *path = path_of("hostile.tar");
	struct archive_file *a = archive_begin(path);
	char name[6000];

	(void)state;
	add_run(a, "r/");
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
	add_run(a, "r/");
	archive_add(a, "r/node-100-0.gasplog", logs[0]->bytes, logs[0]->n);
	archive_add_link(a, "r/z.gasplog", AE_IFREG, "r/node-101-0.gasplog");
	archive_add(a, "r/empty.gasplog", "", 0);
	archive_add(a, "r/text.gasplog", "text", 4);
	memset(name, 'n', sizeof name);
	strcpy(name + 5000, "/node-101-0.gasplog");
	archive_add(a, name, logs[1]->bytes, logs[1]->n);
	archive_end();
	memset(name, 'n', 300);
	name[300] = 0;
	{
		char rows[2000];

		snprintf(rows, sizeof rows,
			 "skipped entry|hostile.tar|entry '%.300s': its name is "
			 "too long\n"
			 "unreadable log|empty.gasplog|the file is empty\n"
			 "unreadable log|text.gasplog|not a gaspdb log\n"
			 "duplicate log|node-100-0.gasplog|a copy of "
			 "'node-100-0.gasplog', which was read\n"
			 "duplicate log|node-101-0.gasplog|a copy of "
			 "'z.gasplog', which was read\n",
			 name);
		assert_rows(path, rows);
	}
}

static void encrypted_zip(void **state)
{
	const char *path = path_of("encrypted.zip");
	struct gaspdb_import_result result;
	struct gaspdb_error err;

	(void)state;
	add_run(archive_begin(path), "r/");
	archive_end();
	assert_null(import(path, NULL, &result, &err));
	assert_non_null(strstr(err.msg, "holds no logs that can be read: it "
					"is encrypted"));
}

/* 64 MiB of one letter after a log's header, in some KiB. */
static void bomb(void **state)
{
	static const char *const names[] = { "bomb.tar.gz", "bomb.tar.xz",
					     "bomb.tar.zst", "bomb.zip",
					     "bomb.gasplog.bz2" };
	const size_t n = (size_t)64 << 20;
	unsigned char *bytes = malloc(n);

	(void)state;
	memset(bytes, 'A', n);
	memcpy(bytes, logs[0]->bytes, 64);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *path = path_of(names[i]);
		char output[400];
		struct gaspdb_import_options options = { .run = path,
							 .output = output,
							 .force = true,
							 .unpack_max = 1
								       << 20 };
		struct gaspdb_import_result result;
		struct gaspdb_error err = { 0 };

		if (strstr(path, ".gasplog")) {
			archive_pack(path, bytes, n);
		} else {
			archive_add(archive_begin(path), "r/a.gasplog", bytes,
				    n);
			archive_end();
		}
		snprintf(output, sizeof output, "%s/bomb.db", folder);
		assert_int_equal(gaspdb_import(&options, &result, &err),
				 GASPDB_FAILED);
		assert_non_null(strstr(err.msg, names[i]));
		assert_non_null(strstr(err.msg, "unpacks to more than 1048576 "
						"bytes"));
		assert_int_equal(access(output, F_OK), -1);
		assert_int_equal(unlink(path), 0);
	}
	free(bytes);
}

/* A flipped bit anywhere: the import ends, and invents nothing. */
static void flipped_archive(void **state)
{
	static const char *const names[] = { "f.tar", "f.tar.gz", "f.tar.zst",
					     "f.zip" };
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	uint64_t x = 1;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *path = path_of(names[i]);
		size_t n;

		add_run(archive_begin(path), "r/");
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
			sqlite3 *db = import(path, NULL, &result, &err);

			gaspdb_run_list_free(&result.runs);
			if (db)
				assert_true(db_int(db, "SELECT count(*) FROM "
						       "event") <=
					    N_LOGS * N_CALLS);
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
		cmocka_unit_test(every_format),
		cmocka_unit_test(standard_input),
		cmocka_unit_test(single_log),
		cmocka_unit_test(packed_within),
		cmocka_unit_test(several_runs),
		cmocka_unit_test(cut_archive),
		cmocka_unit_test(cut_packed_archive),
		cmocka_unit_test(hostile_members),
		cmocka_unit_test(encrypted_zip),
		cmocka_unit_test(bomb),
		cmocka_unit_test(flipped_archive),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
