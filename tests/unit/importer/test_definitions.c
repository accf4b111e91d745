/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions of logs: the largest ids, very many of them, and contradictory
 * ones. Memory is proportional to the definitions.
 * Long.
 */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "importer/inspect/inspect.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

enum { STRING = 1, OPERATION, SITE, SITE_PC };

#define LARGEST GASPDB_IDS_MAX

/* --- records of any id ---------------------------------------------------- */

/* Begins another block if a record may not fit: blocks are at most 64 KiB. */
static void make_room(struct log *l)
{
	if (l->n - l->block > 65000)
		log_block(l, l->last - LOG_BASE);
}

static void string(struct log *l, uint64_t id, const char *text)
{
	make_room(l);
	log_define_string(l, id, text);
}

static void operation(struct log *l, uint64_t id, const char *name,
		      const char *start)
{
	make_room(l);
	log_define_operation(
		l, id,
		&(struct log_operation){ .symbol = "SYMBOL",
					 .name = name,
					 .model = "MPI",
					 .type = "put",
					 .category = "communication",
					 .start = start,
					 .end = "" });
}

static void site(struct log *l, uint64_t id, uint64_t op, uint64_t file,
		 uint64_t line)
{
	make_room(l);
	log_define_site(l, id, op, file, line, 0);
}

static void site_pc(struct log *l, uint64_t id, uint64_t op, uint64_t address)
{
	make_room(l);
	log_define_site_pc(l, id, op, address, 0);
}

static void event(struct log *l, uint64_t at)
{
	make_room(l);
	log_atomic_next(l, at);
}

/* --- memory --------------------------------------------------------------- */

static long status_kib(const char *key)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[200];
	long kib = 0;

	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, key, strlen(key)))
			kib = strtol(line + strlen(key), NULL, 10);
	if (f)
		fclose(f);
	return kib;
}

/* Resets the peak of memory, and returns it in KiB. Memory freed before is
   given back, because reused memory would not count. */
static long memory_now(void)
{
	FILE *f = fopen("/proc/self/clear_refs", "w");

	malloc_trim(0);
	if (f) {
		fputs("5", f); /* the peak becomes the present size */
		fclose(f);
	}
	return status_kib("VmHWM:");
}

static void assert_took(long since, long most_kib)
{
#ifdef __SANITIZE_ADDRESS__
	(void)since; /* sanitizers take memory of their own */
	(void)most_kib;
#else
	const long took = status_kib("VmHWM:") - since;

	if (took > most_kib)
		fail_msg("%ld KiB, of %ld at most", took, most_kib);
#endif
}

/* Asserts the number of losses that inspection finds, and the first of them. */
static void assert_inspected(const char *run, size_t n_losses, const char *kind,
			     uint64_t count)
{
	struct gaspdb_input_options options = { .path = run };
	struct gaspdb_inspection inspection;
	struct gaspdb_error err;

	assert_int_equal(gaspdb_inspect(&inspection, &options, &err),
			 GASPDB_OK);
	assert_int_equal(inspection.n_defects, n_losses);
	if (n_losses) {
		assert_string_equal(
			gaspdb_quality[inspection.defects[0].kind].kind, kind);
		assert_int_equal(inspection.defects[0].count, count);
		assert_non_null(inspection.defects[0].file);
	}
	gaspdb_inspection_free(&inspection);
}

/* --- large ids ------------------------------------------------------------ */

static const char events_of[] =
	"SELECT o.name, s.file, s.line FROM event e JOIN source s ON s.id = "
	"e.source_id JOIN operation o ON o.id = s.operation_id ORDER BY e.id";
static const char losses[] =
	"SELECT kind, count, offset > 64, file FROM quality WHERE severity = "
	"'loss' ORDER BY kind";

/* The largest ids, in two logs: the second one's definitions are compared with
   the first one's. */
static void test_large_ids(void **state)
{
	char *run = run_new();
	const long before = memory_now();
	sqlite3 *db;

	(void)state;
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);

		string(l, LARGEST, "far.c");
		operation(l, LARGEST, rank ? "other" : "call", "");
		site(l, LARGEST, LARGEST, LARGEST, 7);
		site_pc(l, LARGEST - 1, LARGEST, 1);
		string(l, LARGEST, "far.c");
		event(l, LARGEST);
		event(l, LARGEST);
		site(l, LARGEST - 2, 1, LARGEST, 8);
		event(l, LARGEST - 2); /* no operation 1: lost */
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_took(before, 48 << 10);
	assert_string_equal(db_rows(db, events_of),
			    "call|far.c|7\ncall|far.c|7\n"
			    "other|far.c|7\nother|far.c|7\n");
	assert_string_equal(db_rows(db, losses),
			    "undefined site|1|1|node-100-0.gasplog\n"
			    "undefined site|1|1|node-101-0.gasplog\n");
	sqlite3_close(db);
	memory_now();
	assert_inspected(run, 2, "undefined site", 1);
	assert_took(before, 48 << 10);
	run_remove(run);
}

/* An id beyond the arrays when it is defined, and within them later. */
static void test_ids_reached(void **state)
{
	struct log *l = log_rank(0, 1);
	sqlite3 *db;

	(void)state;
	string(l, 9000, "far.c");
	operation(l, 9000, "far", "");
	site(l, 9000, 9000, 9000, 5);
	for (uint64_t id = 1; id < 9000; id++) {
		string(l, id, "near.c");
		operation(l, id, "near", "");
		site(l, id, id, id, 6);
	}
	for (uint64_t id = 8998; id < 9003; id++) {
		string(l, id, id == 9000 ? "far.c" : "near.c");
		operation(l, id, id == 9000 ? "far" : "near", "");
		site(l, id, id, id, id == 9000 ? 5 : 6);
		event(l, id);
	}
	string(l, 9000, ""); /* the first holds */
	operation(l, 9000, "near", "");
	site(l, 9000, 1, 1, 1);
	event(l, 9000);
	site(l, 9003, 9000, 9000, 9);
	event(l, 9003);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, events_of),
			    "near|near.c|6\nnear|near.c|6\nfar|far.c|5\n"
			    "near|near.c|6\nnear|near.c|6\nfar|far.c|5\n"
			    "far|far.c|9\n");
	assert_string_equal(
		db_rows(db, losses),
		"contradictory definition|3|1|node-100-0.gasplog\n");
	sqlite3_close(db);
}

/* Ids out of range. */
static void test_too_large(void **state)
{
	char *run = run_new();
	struct log *l = log_rank(0, 1);
	sqlite3 *db;

	(void)state;
	operation(l, 1, "call", "");
	site(l, 1, 1, 0, 0);
	string(l, LARGEST + 1, "a.c");
	string(l, UINT64_C(1) << 32 | 1, "a.c");
	string(l, 0, "a.c");
	site(l, 2, LARGEST + 1, 0, 0);
	event(l, 1);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT kind, sum(count) FROM quality WHERE "
			    "severity = 'loss' GROUP BY kind"),
		"damaged block|4\n");
	sqlite3_close(db);
	assert_inspected(run, 4, "damaged block", 1);
	run_remove(run);
}

/* --- very many ------------------------------------------------------------ */

enum { MANY = 1000000, BYTES_EACH = 560 };

static void define_many(struct log *l, unsigned kind)
{
	char text[20];

	for (uint64_t id = 2; id <= MANY; id++) {
		snprintf(text, sizeof text, "text %u", (unsigned)id);
		if (kind == STRING)
			string(l, id, text);
		else if (kind == OPERATION)
			operation(l, id, text, "bytes:u");
		else if (kind == SITE)
			site(l, id, 1, 1, id);
		else
			site_pc(l, id, 1, id);
	}
}

static void test_very_many(void **state)
{
	(void)state;
	for (unsigned kind = STRING; kind <= SITE_PC; kind++) {
		struct log *l = log_rank(0, 1);
		char *run = run_new();
		sqlite3 *db;
		long before;

		string(l, 1, "a.c");
		operation(l, 1, "call", "");
		site(l, 1, 1, 1, 1);
		define_many(l, kind);
		event(l, 1);
		log_close(l);
		run_add(run, l);
		before = memory_now();
		db = run_open(run);
		assert_took(before, MANY / 1024 * BYTES_EACH);
		assert_int_equal(db_int(db, "SELECT count(*) FROM quality "
					    "WHERE severity = 'loss'"),
				 0);
		assert_string_equal(db_rows(db, events_of), "call|a.c|1\n");
		sqlite3_close(db);
		run_remove(run);
	}
}

/* Memory for the sums of very many lines with calls. */
static void test_very_many_called(void **state)
{
	enum { LINES = 100000, BYTES_LINE = 4900 };
	struct log *l = log_rank(0, 1);
	char *run = run_new(), text[20];
	sqlite3 *db;
	long before;

	(void)state;
	for (uint64_t id = 1; id <= LINES; id++) {
		snprintf(text, sizeof text, "text %u", (unsigned)id);
		string(l, id, text);
		operation(l, id, text, "");
		site(l, id, id, id, id);
		event(l, id);
	}
	log_close(l);
	run_add(run, l);
	before = memory_now();
	db = run_open(run);
	assert_took(before, LINES / 1024 * BYTES_LINE);
	assert_int_equal(db_int(db, "SELECT count(*) FROM profile"), LINES);
	sqlite3_close(db);
	run_remove(run);
}

/* --- contradictions ------------------------------------------------------- */

/* Contradicts the definition of id 1. */
static void contradict(struct log *l, unsigned kind)
{
	if (kind == STRING)
		string(l, 1, "b.c");
	else if (kind == OPERATION)
		operation(l, 1, "call", "bytes:u");
	else if (kind == SITE)
		site(l, 1, 1, 1, 2);
	else
		site_pc(l, 1, 1, 2);
}

static struct log *log_of_call(void)
{
	struct log *l = log_rank(0, 1);

	string(l, 1, "a.c");
	operation(l, 1, "call", "");
	site(l, 1, 1, 1, 1);
	site_pc(l, 2, 1, 2);
	return l;
}

/* Contradictory definitions: one row for each log, by inspection as well. */
static void test_contradictions(void **state)
{
	(void)state;
	for (unsigned kind = STRING; kind <= SITE_PC; kind++) {
		char *run = run_new(), expected[100];
		struct log *l = log_of_call();
		size_t first;
		sqlite3 *db;

		event(l, 1);
		first = l->n;
		contradict(l, kind);
		contradict(l, kind);
		event(l, 1);
		log_close(l);
		run_add(run, l);
		db = run_open(run);
		assert_string_equal(db_rows(db, events_of),
				    "call|a.c|1\ncall|a.c|1\n");
		snprintf(expected, sizeof expected,
			 "contradictory definition|2|%zu|node-100-0.gasplog\n",
			 first);
		assert_string_equal(
			db_rows(db, "SELECT kind, count, offset, file FROM "
				    "quality WHERE severity = 'loss'"),
			expected);
		assert_int_equal(db_int(db, "SELECT complete FROM thread"), 0);
		sqlite3_close(db);
		assert_inspected(run, 1, "contradictory definition", 2);
		run_remove(run);
	}
}

/* Contradictory teams and segments: the first definition holds. A team that
   gets a name is no contradiction. */
static void test_others_contradicted(void **state)
{
	struct log *l = log_rank(0, 1);
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	operation(l, 1, "call", "object:p team:u");
	site(l, 1, 1, 0, 0);
	log_team(l, 1, 0, 0, 0, 1, "world", "", 0);
	log_team(l, 1, 0, 0, 0, 1, "world", "named", 0);
	log_segment(l, 1, 1000, 100, "heap", "first");
	log_segment(l, 1, 1000, 100, "heap", "first");
	log_team(l, 1, 0, 1, 0, 1, "split", "other", 0);
	log_segment(l, 1, 5000, 100, "heap", "second");
	log_raw(l, (unsigned char[]){ 2 | 2 << 3, 1, 1, 0xe0, 0x0f, 1 }, 6);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT kind, count FROM quality WHERE "
					"severity = 'loss'"),
			    "contradictory definition|2\n");
	assert_string_equal(db_rows(db, "SELECT kind, name FROM team"),
			    "world|named\n");
	assert_string_equal(db_rows(db, "SELECT g.name, e.object & 1023 FROM "
					"event e JOIN segment g ON g.id = "
					"e.object >> 40"),
			    "first|8\n");
	sqlite3_close(db);
	assert_inspected(run, 1, "contradictory definition", 2);
	run_remove(run);
}

/* Repeated definitions, with invalid UTF-8, or in another order, and those that
   refer to strings lost by damage: no contradictions. */
static void test_no_contradiction(void **state)
{
	struct log *l = log_of_call();
	char *run = run_new();
	size_t block;
	sqlite3 *db;

	(void)state;
	site(l, 3, 3, 3, 3);
	string(l, 3, "\377\376.c");
	operation(l, 3, "\377", "");
	log_block(l, 1);
	site(l, 3, 3, 3, 3);
	string(l, 3, "\377\376.c");
	operation(l, 3, "\377", "");
	event(l, 3);
	log_block(l, 2);
	block = l->block;
	event(l, 1);
	log_block(l, 3);
	contradict(l, STRING);
	contradict(l, SITE);
	event(l, 1);
	log_close(l);
	l->bytes[block + 49] ^= 1;
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT kind FROM quality WHERE "
					"severity = 'loss'"),
			    "damaged block\n");
	assert_string_equal(db_rows(db, "SELECT s.line FROM event e JOIN "
					"source s ON s.id = e.source_id"),
			    "-\n1\n");
	sqlite3_close(db);
	assert_inspected(run, 1, "damaged block", 1);
	run_remove(run);
}

/* A log with site 1 at line 1 of a.py in a function; NULL: none. */
static struct log *log_in_function(int rank, const char *function)
{
	struct log *l = log_rank(rank, 4);

	string(l, 1, "a.py");
	operation(l, 1, "call", "");
	if (function) {
		string(l, 2, function);
		log_define_site(l, 1, 1, 1, 1, 2);
	} else {
		site(l, 1, 1, 1, 1);
	}
	event(l, 1);
	log_close(l);
	return l;
}

/* Functions of sites: part of the source, independent in each log. */
static void test_functions(void **state)
{
	static const char *const functions[] = { "A.f", "A.f", "B.f", NULL };
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (int i = 0; i < 4; i++)
		run_add(run, log_in_function(i, functions[i]));
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT s.file, s.line, s.function, count(*) FROM "
			    "event e JOIN source s ON s.id = e.source_id "
			    "GROUP BY s.id ORDER BY s.function"),
		"a.py|1|-|1\na.py|1|A.f|2\na.py|1|B.f|1\n");
	sqlite3_close(db);
	run_remove(run);
}

/* A site with a second function is contradictory. */
static void test_functions_contradicted(void **state)
{
	struct log *l = log_rank(0, 1);
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	string(l, 1, "a.py");
	string(l, 2, "f");
	string(l, 3, "g");
	operation(l, 1, "call", "");
	log_define_site(l, 1, 1, 1, 1, 2);
	event(l, 1);
	log_define_site(l, 1, 1, 1, 1, 3);
	event(l, 1);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(db_rows(db, "SELECT s.function FROM event e JOIN "
					"source s ON s.id = e.source_id"),
			    "f\nf\n");
	assert_inspected(run, 1, "contradictory definition", 1);
	sqlite3_close(db);
	run_remove(run);
}

/* Very many modules: the latest are known. */
static void test_many_modules(void **state)
{
	enum { MODULES = 10000 };
	struct log *l = log_rank(0, 1);
	char name[20];
	sqlite3 *db;

	(void)state;
	operation(l, 1, "call", "");
	for (unsigned i = 1; i <= MODULES; i++) {
		make_room(l);
		snprintf(name, sizeof name, "/none/%u", i);
		log_module(l, 4096 * i, 4096 * (i + 1), 4096 * i, "", 0, name);
	}
	for (unsigned i = 1; i <= 3; i++) {
		site_pc(l, i, 1, 4096 * (MODULES + 1 - i) + 17);
		event(l, i);
	}
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT s.module, s.offset FROM event "
					"e JOIN source s ON s.id = "
					"e.source_id ORDER BY e.id"),
			    "/none/10000|16\n/none/9999|16\n/none/9998|16\n");
	sqlite3_close(db);
}

/* Time going backwards after LEFT, which advances time: by inspection as
   well. */
static void test_backwards_after_left(void **state)
{
	struct log *l = log_of_call();
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	event(l, 1);
	log_numbers(l, 40, 1, (uint64_t[]){ LOG_BASE + 1000 });
	event(l, 1);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(db_rows(db, losses),
			    "time going backwards|1|1|node-100-0.gasplog\n");
	sqlite3_close(db);
	assert_inspected(run, 1, "time going backwards", 1);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_large_ids),
		cmocka_unit_test(test_ids_reached),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_others_contradicted),
		cmocka_unit_test(test_no_contradiction),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_functions_contradicted),
		cmocka_unit_test(test_many_modules),
		cmocka_unit_test(test_backwards_after_left),
		cmocka_unit_test(test_very_many),
		cmocka_unit_test(test_very_many_called),
	};

	return cmocka_run_group_tests_name("definitions", tests, NULL, NULL);
}
