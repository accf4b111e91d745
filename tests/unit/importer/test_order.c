/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Logs of both byte orders: a big-endian log, good or damaged, gives what its
 * little-endian twin gives, in an inspection and in each table of an import.
 * Long.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "importer/inspect/inspect.h"
#include "importer/log/reader.h"
#include "tests/order/swap.h"
#include "tests/unit/util_damage.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_random.h"

#ifdef __SANITIZE_ADDRESS__
#define IMPORTS	    20
#define INSPECTIONS 200
#define EACH_BIT    7 /* of a block's header, from one to the next */
#else
#define IMPORTS	    60
#define INSPECTIONS 800
#define EACH_BIT    1
#endif

static uint64_t random_state = 88172645463325252u;

static size_t below(size_t n)
{
	return random_next(&random_state) % n;
}

/* --- one log in both orders ----------------------------------------------- */

enum { LITTLE, BIG, BOTH };

/* A log and its big-endian twin. */
struct twins {
	unsigned char *bytes[BOTH];
	size_t n;
};

static struct twins twins_of(const struct log *l)
{
	struct twins t = { .n = l->n };

	for (int order = 0; order < BOTH; order++) {
		t.bytes[order] = malloc(l->n);
		assert_non_null(t.bytes[order]);
		memcpy(t.bytes[order], l->bytes, l->n);
	}
	assert_true(swap_log(t.bytes[BIG], t.n));
	assert_memory_not_equal(t.bytes[BIG], t.bytes[LITTLE], t.n);
	return t;
}

static void twins_free(struct twins *t)
{
	free(t->bytes[LITTLE]);
	free(t->bytes[BIG]);
}

/* Flips the same bit of the same number in both. good: the log as it was. */
static void flip(struct twins *t, const struct log *good, size_t at,
		 unsigned bit)
{
	t->bytes[LITTLE][at] ^= (unsigned char)(1u << bit);
	t->bytes[BIG][swap_offset(good->bytes, good->n, at)] ^=
		(unsigned char)(1u << bit);
}

static void reseal(struct twins *t)
{
	damage_reseal(t->bytes[LITTLE], t->n);
	damage_reseal(t->bytes[BIG], t->n);
}

/* --- what is read of them ------------------------------------------------- */

static void add(char **text, const char *line)
{
	*text = realloc(*text, strlen(*text) + strlen(line) + 1);
	assert_non_null(*text);
	strcat(*text, line);
}

/* All that an inspection finds. */
static char *inspected(const char *run)
{
	struct gaspdb_input_options options = { .path = run };
	struct gaspdb_inspection s;
	struct gaspdb_error err;
	char *text = strdup(""), line[600];

	if (gaspdb_inspect(&s, &options, &err)) {
		add(&text, err.msg);
		gaspdb_inspection_free(&s);
		return text;
	}
	for (size_t i = 0; i < s.n_threads; i++) {
		snprintf(line, sizeof line, "%lld %d\n",
			 (long long)s.threads[i].events, s.threads[i].whole);
		add(&text, line);
	}
	for (size_t i = 0; i < s.n_defects; i++) {
		const struct gaspdb_inspection_defect *d = &s.defects[i];

		snprintf(line, sizeof line, "%s %lld %s %lld %lld %s\n",
			 gaspdb_quality[d->kind].kind, (long long)d->thread,
			 d->file ? d->file : "-", (long long)d->offset,
			 (long long)d->count, d->detail ? d->detail : "-");
		add(&text, line);
	}
	gaspdb_inspection_free(&s);
	return text;
}

/* Every table of an import, row by row; or why there is none. */
static char *imported(const char *run)
{
	struct gaspdb_import_result result;
	struct gaspdb_error err;
	sqlite3 *db = run_import(run, &result, &err);
	char *text = strdup(""), *names, *rest, *name;

	if (!db) {
		add(&text, err.msg);
		return text;
	}
	names = strdup(db_rows(db, "SELECT name FROM sqlite_schema WHERE "
				   "type = 'table' ORDER BY name"));
	rest = names;
	while ((name = strtok_r(rest, "\n", &rest))) {
		add(&text, name);
		add(&text, "\n");
		add(&text, db_rows(db, "SELECT * FROM \"%s\"", name));
	}
	free(names);
	db_close(db);
	return text;
}

static void assert_same(const char *what, char *little, char *big)
{
	const size_t n = strlen(little);
	size_t at = 0;

	while (at < n && little[at] == big[at])
		at++;
	if (strcmp(little, big))
		fail_msg("%s, from byte %zu:\n%.400s\nbig-endian:\n%.400s",
			 what, at, little + (at > 100 ? at - 100 : 0),
			 big + (at > 100 ? at - 100 : 0));
	free(little);
	free(big);
}

/* A run of some logs, of one order each. */
static void put(const char *run, const struct twins *t, int n, const int *order)
{
	for (int i = 0; i < n; i++) {
		char name[40];

		snprintf(name, sizeof name, "node-%d-0.gasplog", 100 + i);
		run_add_bytes(run, name, t[i].bytes[order[i]], t[i].n);
	}
}

/* --- tests ---------------------------------------------------------------- */

static const int little[3] = { LITTLE, LITTLE, LITTLE };
static const int big[3] = { BIG, BIG, BIG };
static const int mixed[3] = { LITTLE, BIG, LITTLE };

/* The fields of a big-endian header, by the reader. */
static void header(void **state)
{
	struct log *l = log_new("node", 0x01020304, 5);
	char *run = run_new(), path[300];
	static struct gaspdb_reader rd;
	struct gaspdb_error err;
	struct twins t;

	(void)state;
	log_close(l);
	t = twins_of(l);
	run_add_bytes(run, "node-1-0.gasplog", t.bytes[BIG], t.n);
	snprintf(path, sizeof path, "%s/node-1-0.gasplog", run);
	assert_int_equal(gaspdb_reader_open(&rd, path, NULL, &err), GASPDB_OK);
	assert_int_equal(rd.header.order, GASPDB_BIG_ENDIAN);
	assert_false(rd.header.damaged);
	assert_int_equal(rd.header.run, LOG_RUN);
	assert_int_equal(rd.header.pid, 0x01020304);
	assert_int_equal(rd.header.ordinal, 5);
	assert_int_equal(rd.header.start_real_ns, LOG_REAL);
	assert_int_equal(gaspdb_reader_block(&rd, &err), GASPDB_OK);
	assert_true(rd.whole);
	assert_int_equal(rd.block.ticks, LOG_BASE);
	gaspdb_reader_close(&rd);
	twins_free(&t);
	log_free(l);
	run_remove(run);
}

/* A number and a double of a log, of each order. */
static void numbers(void **state)
{
	static const uint8_t bytes[8] = { 0xc0, 0x09, 0x21, 0xfb,
					  0x54, 0x44, 0x2d, 0x18 };
	uint8_t reversed[8], set[8] = { 0 };

	(void)state;
	for (int i = 0; i < 8; i++)
		reversed[i] = bytes[7 - i];
	assert_int_equal(gaspdb_log_number(bytes, 2, GASPDB_BIG_ENDIAN),
			 0xc009);
	assert_int_equal(gaspdb_log_number(bytes, 2, GASPDB_LITTLE_ENDIAN),
			 0x09c0);
	assert_int_equal(gaspdb_log_number(bytes, 4, GASPDB_BIG_ENDIAN),
			 0xc00921fb);
	assert_true(gaspdb_log_number(reversed, 8, GASPDB_LITTLE_ENDIAN) ==
		    0xc00921fb54442d18);
	assert_true(gaspdb_log_real(bytes, GASPDB_BIG_ENDIAN) ==
		    -3.141592653589793);
	assert_true(gaspdb_log_real(reversed, GASPDB_LITTLE_ENDIAN) ==
		    -3.141592653589793);
	gaspdb_log_set_number(set, 0x0102, 4, GASPDB_BIG_ENDIAN);
	assert_memory_equal(set, "\0\0\1\2\0\0\0\0", 8);
	gaspdb_log_set_number(set, 0x0102, 4, GASPDB_LITTLE_ENDIAN);
	assert_memory_equal(set, "\2\1\0\0\0\0\0\0", 8);
}

/* Undamaged, all of one order, and of both. */
static void good_logs(void **state)
{
	char *run = run_new(), *of_little;
	struct twins t[3];
	struct log *l[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		l[i] = damage_rich_log(i);
		t[i] = twins_of(l[i]);
	}
	put(run, t, 3, little);
	of_little = imported(run);
	assert_non_null(strstr(of_little, "Isend"));
	put(run, t, 3, big);
	assert_same("big-endian", strdup(of_little), imported(run));
	put(run, t, 3, mixed);
	assert_same("mixed", of_little, imported(run));
	for (int i = 0; i < 3; i++) {
		log_free(l[i]);
		twins_free(&t[i]);
	}
	run_remove(run);
}

/* Some bits flipped, every other time with checksums made right, then cut. */
static void damage(struct twins *t, const struct log *good, bool right)
{
	for (size_t i = below(4); i > 0; i--)
		flip(t, good, below(good->n), (unsigned)below(8));
	if (right)
		reseal(t);
	if (!below(4))
		t->n = below(t->n);
}

static void compare_damaged(int rounds, char *read(const char *run))
{
	char *run = run_new(), *of_little;
	struct log *l[3];

	for (int i = 0; i < 3; i++)
		l[i] = damage_rich_log(i);
	for (int round = 0; round < rounds; round++) {
		struct twins t[3];

		for (int i = 0; i < 3; i++) {
			t[i] = twins_of(l[i]);
			damage(&t[i], l[i], round % 2);
		}
		put(run, t, 3, little);
		of_little = read(run);
		put(run, t, 3, round % 3 ? big : mixed);
		assert_same("damaged", of_little, read(run));
		for (int i = 0; i < 3; i++)
			twins_free(&t[i]);
	}
	for (int i = 0; i < 3; i++)
		log_free(l[i]);
	run_remove(run);
}

static void damaged_inspected(void **state)
{
	(void)state;
	compare_damaged(INSPECTIONS, inspected);
}

static void damaged_imported(void **state)
{
	(void)state;
	compare_damaged(IMPORTS, imported);
}

/* Compares an inspection of the twins, as runs of one log. Frees them. */
static void compare_one(const char *run, struct twins *t, const char *what)
{
	char *of_little;

	put(run, t, 1, little);
	of_little = inspected(run);
	put(run, t, 1, big);
	assert_same(what, of_little, inspected(run));
	twins_free(t);
}

/* Every bit of the file's header; and the fields that tell the order, but for
   one. */
static void file_header(void **state)
{
	static const size_t magic = 64, major = 8, size = 12;
	struct log *l = damage_rich_log(0);
	char *run = run_new();
	struct twins t;

	(void)state;
	for (size_t bit = 0; bit < 8 * (size_t)64; bit += EACH_BIT) {
		t = twins_of(l);
		flip(&t, l, bit / 8, bit % 8);
		compare_one(run, &t, "a bit of the header");
	}
	for (unsigned left = 0; left < 3; left++) {
		t = twins_of(l);
		if (left != 0)
			flip(&t, l, major, 6);
		if (left != 1)
			flip(&t, l, size, 5);
		if (left != 2)
			flip(&t, l, magic, 1);
		compare_one(run, &t, "one field left");
	}
	for (size_t n = 0; n < 64 + 48; n++) {
		t = twins_of(l);
		t.n = n;
		compare_one(run, &t, "cut");
	}
	log_free(l);
	run_remove(run);
}

/* Every bit of each block's header, of the last one, too; and the same before
   a damaged block. */
static void block_headers(void **state)
{
	struct log *l = damage_rich_log(0);
	size_t begin[10], blocks = 0;
	char *run = run_new();

	(void)state;
	for (size_t at = 0; at + 48 <= l->n; at += 8)
		if (!memcmp(l->bytes + at, "GBLK", 4))
			begin[blocks++] = at;
	assert_in_range(blocks, 3, 10);
	for (size_t i = 0; i < blocks * 48 * 8; i += EACH_BIT) {
		const size_t k = i / (48 * 8);
		struct twins t = twins_of(l);

		flip(&t, l, begin[k] + i / 8 % 48, i % 8);
		compare_one(run, &t, "a block's header");
		if (k + 1 == blocks)
			continue;
		t = twins_of(l);
		flip(&t, l, begin[k] + i / 8 % 48, i % 8);
		flip(&t, l, begin[k + 1] + 50, 0);
		compare_one(run, &t, "a block's header before damage");
		t = twins_of(l);
		flip(&t, l, begin[k] + i / 8 % 48, i % 8);
		flip(&t, l, begin[k] + 50, 0);
		flip(&t, l, begin[k + 1] + 50, 0);
		compare_one(run, &t, "a damaged block's header before damage");
	}
	log_free(l);
	run_remove(run);
}

/* A log without an end, its last block open. */
static void killed(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);
	char *run = run_new(), *of_little;
	struct twins t;

	(void)state;
	for (uint64_t i = 0; i < 9; i++) {
		log_atomic(l, i, mark, NONE);
		if (i % 3 == 2)
			log_block(l, i);
	}
	log_atomic(l, 10, mark, NONE);
	log_kill(l, 4096);
	t = twins_of(l);
	put(run, &t, 1, little);
	of_little = imported(run);
	assert_non_null(strstr(of_little, "no end block"));
	put(run, &t, 1, big);
	assert_same("killed", of_little, imported(run));
	twins_free(&t);
	log_free(l);
	run_remove(run);
}

/* Killed while the header was being written: its checksum, in part. */
static void unmade(void **state)
{
	struct log *l = log_rank(0, 1);
	char *run = run_new(), *of_little;

	(void)state;
	log_close(l);
	for (size_t n = 0; n < 4; n++) {
		struct twins t = twins_of(l);

		for (int order = 0; order < BOTH; order++)
			memset(t.bytes[order] + 60 + n, 0, t.n - 60 - n);
		put(run, &t, 1, little);
		of_little = inspected(run);
		assert_non_null(strstr(of_little, "was being made"));
		put(run, &t, 1, big);
		assert_same("unmade", of_little, inspected(run));
		twins_free(&t);
	}
	log_free(l);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(header),
		cmocka_unit_test(good_logs),
		cmocka_unit_test(file_header),
		cmocka_unit_test(block_headers),
		cmocka_unit_test(killed),
		cmocka_unit_test(unmade),
		cmocka_unit_test(damaged_inspected),
		cmocka_unit_test(damaged_imported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
