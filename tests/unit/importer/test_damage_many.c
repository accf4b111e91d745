/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Thousands of damaged logs, without a database: exactly the intact blocks are
 * found, and inspection reports the same losses as import.
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
#include "tests/unit/util_damage.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"
#include "tests/unit/util_random.h"

#ifdef __SANITIZE_ADDRESS__
#define ROUNDS	10000 /* of each kind of damage */
#define IMPORTS 400
#else
#define ROUNDS	3000
#define IMPORTS 100
#endif

#define N_BLOCKS 12 /* the first has the definitions */

static struct log *good;
static size_t begin[N_BLOCKS + 1]; /* of each block; the log's end */
static int events[N_BLOCKS];
static size_t event_end[1000];
static int n_events;
static char *run;

static uint64_t random_state = 88172645463325252u;

static size_t below(size_t n)
{
	return random_next(&random_state) % n;
}

static int set_up(void **state)
{
	unsigned mark, put;
	uint64_t t = 0;

	(void)state;
	good = log_rank(0, 1);
	mark = log_plain(good, "mark", "user", "none", 1);
	put = log_site(
		good,
		log_op(good, "put", "put", "communication", "bytes:z to:p", ""),
		"a.c", 2);
	begin[0] = 64;
	for (int i = 0; i < N_BLOCKS; i++) {
		for (int k = 0; k < 3 + i % 4; k++, t += 7) {
			if (k % 2)
				log_atomic(good, t, mark, NONE);
			else
				log_atomic(good, t, put, ARGS(300, 0x7fff0000));
			event_end[n_events++] = good->n;
			events[i]++;
		}
		if (i + 1 < N_BLOCKS) {
			log_block(good, t);
			begin[i + 1] = good->block;
		}
	}
	log_close(good);
	begin[N_BLOCKS] = good->n;
	run = run_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	log_free(good);
	run_remove(run);
	return 0;
}

/* Inspects a run of one log. */
static void inspect(struct gaspdb_inspection *s, const unsigned char *bytes,
		    size_t n)
{
	struct gaspdb_input_options options = { .path = run };
	struct gaspdb_error err;

	run_add_bytes(run, "node-100-0.gasplog", bytes, n);
	if (gaspdb_inspect(s, &options, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(s->n_threads, 1);
}

static void assert_found(const unsigned char *bytes, size_t n, int expected,
			 bool whole)
{
	struct gaspdb_inspection s;

	inspect(&s, bytes, n);
	assert_int_equal(s.threads[0].events, expected);
	assert_int_equal(s.threads[0].whole, whole);
	assert_int_equal(s.n_defects > 0, !whole);
	gaspdb_inspection_free(&s);
}

static unsigned char *copy(void)
{
	unsigned char *bytes = malloc(2 * good->n);

	assert_non_null(bytes);
	memcpy(bytes, good->bytes, good->n);
	return bytes;
}

/* One or two flipped bits in some blocks: these are lost, all others are
   read. */
static void flipped_bits(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned char *bytes = copy();
		int expected = n_events;
		bool hit[N_BLOCKS] = { false };

		for (size_t i = 0; i <= below(4); i++) {
			/* An intact block follows. Up to 7 last bytes are
			   padding, and the checksum proves its seal. */
			size_t k = 1 + below(N_BLOCKS - 2);
			size_t at = below(begin[k + 1] - begin[k] - 7);

			if (hit[k] || at == 5)
				continue;
			hit[k] = true;
			expected -= events[k];
			bytes[begin[k] + at] ^= (unsigned char)(1 << below(8));
		}
		assert_found(bytes, good->n, expected, expected == n_events);
		free(bytes);
	}
}

/* A wrong seal: the checksum proves the block. */
static void broken_seals(void **state)
{
	(void)state;
	for (size_t k = 1; k < N_BLOCKS; k++) {
		unsigned char *bytes = copy();

		bytes[begin[k] + 5] = 0;
		assert_found(bytes, good->n, n_events, true);
		/* Killed just before the last one got its checksum */
		memset(bytes + begin[N_BLOCKS - 1] + 12, 0, 4);
		assert_found(bytes, good->n, n_events, false);
		free(bytes);
	}
}

/* A flipped bit in the last block: with a wrong length, the file's end is
   right. */
static void flipped_last(void **state)
{
	const size_t k = N_BLOCKS - 1;

	(void)state;
	for (size_t at = 0; at < begin[k + 1] - begin[k]; at++) {
		const bool length = at >= 8 && at < 12;
		unsigned char *bytes = copy();

		if (at == 5) {
			free(bytes);
			continue;
		}
		/* A length beyond the limit of a block is ignored. */
		bytes[begin[k] + at] ^= length && at < 10 ? 1 << 7 : 1 << 5;
		if (!length || at >= 10)
			assert_found(bytes, good->n, n_events - events[k],
				     false);
		else if (at == 9)
			assert_found(bytes, good->n, n_events, false);
		free(bytes);
	}
}

/* A flipped bit in the last block but one, before a damaged last one. */
static void wrong_length_before_damage(void **state)
{
	const size_t k = N_BLOCKS - 2;
	unsigned char *bytes = copy();

	(void)state;
	bytes[begin[k] + 9] ^= 1;
	bytes[begin[k + 1] + 60] ^= 1;
	assert_found(bytes, good->n, n_events - events[k + 1], false);
	free(bytes);
}

static void cuts(void **state)
{
	(void)state;
	for (size_t n = begin[1]; n < good->n; n++) {
		int expected = 0;

		while (expected < n_events && event_end[expected] <= n)
			expected++;
		assert_found(good->bytes, n, expected, false);
	}
	assert_found(good->bytes, good->n, n_events, true);
}

/* Blocks in any order after the first: all are found. */
static void shuffled_blocks(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned char *bytes = copy(), *to = bytes + begin[1];
		size_t order[N_BLOCKS], swaps = 1 + below(3);

		for (size_t i = 0; i < N_BLOCKS; i++)
			order[i] = i;
		for (; swaps; swaps--) {
			size_t a = 1 + below(N_BLOCKS - 1),
			       b = 1 + below(N_BLOCKS - 1), x = order[a];

			order[a] = order[b];
			order[b] = x;
		}
		bool same = true;
		for (size_t i = 1; i < N_BLOCKS; i++) {
			size_t k = order[i], n = begin[k + 1] - begin[k];

			same = same && k == i;
			memcpy(to, good->bytes + begin[k], n);
			memset(to + n, 0, (8 - n % 8) % 8);
			to += (n + 7) / 8 * 8;
		}
		if (same)
			assert_found(bytes, good->n, n_events, true);
		else
			assert_found(bytes, (size_t)(to - bytes), n_events,
				     false);
		free(bytes);
	}
}

/* A repeated block, next to the first or later; a missing block. */
static void repeated_blocks(void **state)
{
	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned char *bytes = copy();
		size_t k = 1 + below(N_BLOCKS - 2);
		size_t at = k + 1 + below(N_BLOCKS - 1 - k);
		size_t n = begin[k + 1] - begin[k];

		memcpy(bytes + begin[at], good->bytes + begin[k], n);
		memcpy(bytes + begin[at] + n, good->bytes + begin[at],
		       good->n - begin[at]);
		assert_found(bytes, good->n + n, n_events, false);
		memcpy(bytes + begin[k], good->bytes + begin[k + 1],
		       good->n - begin[k + 1]);
		assert_found(bytes, good->n - n, n_events - events[k], false);
		free(bytes);
	}
}

/* --- inspection and import ------------------------------------------------ */

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Losses found by inspection, in the form of the query below. */
static char *losses(const struct gaspdb_inspection *s)
{
	char **line = calloc(s->n_defects + 1, sizeof *line);
	char *all = strdup("");

	for (size_t i = 0; i < s->n_defects; i++) {
		const struct gaspdb_inspection_defect *d = &s->defects[i];
		char thread[24] = "-", offset[24] = "-";

		if (d->thread != GASPDB_NULL)
			snprintf(thread, sizeof thread, "%d", (int)d->thread);
		if (d->file)
			snprintf(offset, sizeof offset, "%d", (int)d->offset);
		assert_true(asprintf(&line[i], "%s|%s|%s|%s|%d|%s\n",
				     gaspdb_quality[d->kind].kind, thread,
				     d->file ? d->file : "-", offset,
				     (int)d->count,
				     d->detail ? d->detail : "-") > 0);
	}
	qsort(line, s->n_defects, sizeof *line, by_text);
	for (size_t i = 0; i < s->n_defects; i++) {
		all = realloc(all, strlen(all) + strlen(line[i]) + 1);
		strcat(all, line[i]);
		free(line[i]);
	}
	free(line);
	return all;
}

static void compare_with_import(int round)
{
	struct gaspdb_input_options options = { .path = run };
	struct gaspdb_import_result result;
	struct gaspdb_inspection s;
	struct gaspdb_error err;
	enum gaspdb_status status = gaspdb_inspect(&s, &options, &err);
	sqlite3 *db = run_import(run, &result, &err);
	char *inspected = losses(&s);

	if (db) {
		assert_int_equal(status, GASPDB_OK);
		assert_int_equal(result.threads, s.n_threads);
		assert_int_equal(result.losses, s.n_defects);
		if (strcmp(inspected,
			   db_rows(db,
				   "SELECT kind, thread_id, file, offset, "
				   "count, detail FROM quality "
				   "WHERE severity = 'loss' ORDER BY kind || "
				   "'|' || coalesce(thread_id, '-') || '|' || "
				   "coalesce(file, '-') || '|' || "
				   "coalesce(offset, '-') || '|' || count || "
				   "'|' || coalesce(detail, '-')")))
			fail_msg("round %d:\n%s", round, inspected);
	}
	free(inspected);
	gaspdb_inspection_free(&s);
	db_close(db);
}

static void same_as_import(void **state)
{
	struct log *l[3] = { damage_rich_log(0), damage_rich_log(1),
			     damage_rich_log(2) };

	(void)state;
	for (int round = 0; round < IMPORTS; round++) {
		for (int rank = 0; rank < 3; rank++) {
			char name[40];
			unsigned char *bytes = malloc(l[rank]->n);
			size_t n = l[rank]->n;

			memcpy(bytes, l[rank]->bytes, n);
			snprintf(name, sizeof name, "node-%d-0.gasplog",
				 100 + rank);
			for (size_t i = below(4); i > 0; i--)
				bytes[below(n)] ^=
					(unsigned char)(1 << below(8));
			if (round % 2)
				damage_reseal(bytes, n);
			run_add_bytes(run, name, bytes,
				      below(4) ? n : below(n));
			free(bytes);
		}
		compare_with_import(round);
	}
	for (int rank = 0; rank < 3; rank++)
		log_free(l[rank]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flipped_bits),
		cmocka_unit_test(broken_seals),
		cmocka_unit_test(flipped_last),
		cmocka_unit_test(wrong_length_before_damage),
		cmocka_unit_test(cuts),
		cmocka_unit_test(shuffled_blocks),
		cmocka_unit_test(repeated_blocks),
		cmocka_unit_test(same_as_import),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
