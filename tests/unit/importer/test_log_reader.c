/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log reader: intact blocks are read, damaged ones are skipped and
   reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "collector/log/crc32c.h"
#include "importer/log/reader.h"
#include "tests/unit/util_log.h"

static char *run;
static struct gaspdb_reader *rd;

static int set_up(void **state)
{
	(void)state;
	run = run_new();
	rd = calloc(1, sizeof *rd);
	return rd ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	run_remove(run);
	free(rd);
	return 0;
}

static enum gaspdb_status open_bytes(const void *bytes, size_t n,
				     struct gaspdb_error *err)
{
	char path[300];

	memset(err, 0, sizeof *err);
	snprintf(path, sizeof path, "%s/log", run);
	run_add_bytes(run, "log", bytes, n);
	return gaspdb_reader_open(rd, path, NULL, err);
}

/* A log of three blocks, the k-th with k + 1 ATOMIC events at times 10 k ... */
static struct log *three_blocks(void)
{
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);

	log_atomic(l, 0, mark, NONE);
	log_block(l, 10);
	log_atomic(l, 10, mark, NONE);
	log_atomic(l, 11, mark, NONE);
	log_block(l, 20);
	log_atomic(l, 20, mark, NONE);
	log_atomic(l, 21, mark, NONE);
	log_atomic(l, 22, mark, NONE);
	log_close(l);
	return l;
}

/*
 * Blocks of a log as text: [number events] for a block, !offset for damage, and
 * a full stop if the log is whole.
 */
static const char *walk(const void *bytes, size_t n)
{
	static char text[1 << 16];
	struct gaspdb_record rec;
	struct gaspdb_error err;
	enum gaspdb_status status;
	size_t used = 0;
	int events;

	text[0] = 0;
	if (open_bytes(bytes, n, &err))
		return strcat(strcat(text, "cannot: "), err.msg);
	while ((status = gaspdb_reader_block(rd, &err)) != GASPDB_EOF) {
		assert_true(status == GASPDB_OK || status == GASPDB_DAMAGED);
		assert_true(used < sizeof text - 100);
		if (status == GASPDB_DAMAGED) {
			used += (size_t)sprintf(text + used, "!%d ",
						(int)err.offset);
			continue;
		}
		for (events = 0;
		     !(status = gaspdb_reader_record(rd, &rec, &err));)
			events += rec.phase != GASPDB_PHASE_OTHER;
		used += (size_t)sprintf(text + used, "[%d %d]",
					(int)rd->block.number, events);
		if (status == GASPDB_DAMAGED)
			used += (size_t)sprintf(text + used, "!%d",
						(int)err.offset);
		used += (size_t)sprintf(text + used, " ");
	}
	gaspdb_reader_close(rd);
	return strcat(text, rd->whole ? "." : "");
}

/* Offset of the k-th block. */
static size_t block_at(const struct log *l, int k)
{
	size_t at = 64;

	for (; k > 0; k--) {
		at += 48 + (l->bytes[at + 8] | (size_t)l->bytes[at + 9] << 8);
		at = (at + 7) / 8 * 8;
	}
	return at;
}

static const char *expect(const char *fmt, ...)
{
	static char text[1000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return text;
}

/* --- what is good ----------------------------------------------------------
 */

static void whole_log(void **state)
{
	struct log *l = three_blocks();
	struct gaspdb_error err;

	(void)state;
	assert_string_equal(walk(l->bytes, l->n), "[0 1] [1 2] [2 3] .");
	assert_int_equal(open_bytes(l->bytes, l->n, &err), GASPDB_OK);
	assert_int_equal(rd->header.run, LOG_RUN);
	assert_int_equal(rd->header.start_real_ns, LOG_REAL);
	assert_int_equal(rd->header.ticks_hz, 1000000000);
	assert_int_equal(rd->header.pid, 100);
	assert_int_equal(rd->header.clock, GASPDB_CLOCK_MONOTONIC);
	assert_int_equal(gaspdb_reader_block(rd, &err), GASPDB_OK);
	assert_int_equal(rd->block.ticks, LOG_BASE);
	assert_int_equal(rd->block.monotonic_ns, LOG_BASE);
	assert_int_equal(rd->block.uncertain_ns, 20);
	gaspdb_reader_close(rd);
	log_free(l);
}

/* The check value of CRC-32C in catalogues of CRCs. */
static void checksum(void **state)
{
	uint32_t crc;

	(void)state;
	assert_int_equal(gaspdb_crc32c(0, "123456789", 9), 0xe3069283);
	crc = gaspdb_crc32c(0, "1234", 4);
	assert_int_equal(gaspdb_crc32c(crc, "56789", 5), 0xe3069283);
	assert_int_equal(gaspdb_crc32c(0, "", 0), 0);
}

static void varints(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		bool good, ran_out;
		uint64_t value;
	} cases[] = {
		{ "\0", 1, true, false, 0 },
		{ "\177", 1, true, false, 127 },
		{ "\200\1", 2, true, false, 128 },
		{ "\200\0", 2, true, false, 0 },
		{ "\377\377\377\377\377\377\377\377\377\1", 10, true, false,
		  UINT64_MAX },
		{ "\377\377\377\377\377\377\377\377\377\2", 10, false, false,
		  0 },
		{ "\200\200\200\200\200\200\200\200\200\200\0", 11, false,
		  false, 0 },
		{ "\200\200", 2, false, true, 0 },
		{ "", 0, false, true, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const uint8_t *p = (const uint8_t *)cases[i].bytes;
		struct gaspdb_bytes b = { p, p + cases[i].n, false };
		uint64_t value = 0;

		assert_int_equal(gaspdb_get_varint(&b, &value), cases[i].good);
		assert_int_equal(b.ran_out, cases[i].ran_out);
		assert_int_equal(value, cases[i].value);
	}
	assert_int_equal(gaspdb_unzigzag(0), 0);
	assert_int_equal(gaspdb_unzigzag(1), -1);
	assert_int_equal(gaspdb_unzigzag(2), 1);
	assert_true(gaspdb_unzigzag(UINT64_MAX) == INT64_MIN);
}

/* Offsets of the log's CLOCK records; skip: with all others passed over. */
static size_t find_clocks(const struct log *l, bool skip, uint64_t *offset)
{
	const uint64_t clock = (uint64_t)1 << GASPDB_RECORD_CLOCK;
	struct gaspdb_record rec;
	struct gaspdb_error err;
	size_t n = 0, n_records = 0;

	assert_int_equal(open_bytes(l->bytes, l->n, &err), GASPDB_OK);
	while (!gaspdb_reader_block(rd, &err))
		for (;; n_records++) {
			if (skip)
				gaspdb_reader_skip(rd, ~clock, true);
			if (gaspdb_reader_record(rd, &rec, &err))
				break;
			if (rec.phase == GASPDB_PHASE_OTHER &&
			    rec.kind == GASPDB_RECORD_CLOCK)
				offset[n++] = rec.offset;
		}
	gaspdb_reader_close(rd);
	assert_true(!skip || n_records < n + 100);
	return n;
}

/* Records passed over between two clocks, with numbers of all lengths. */
static void passed_over(void **state)
{
	static uint64_t all[3000], found[3000];
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);
	uint64_t seed = 1;
	size_t n;

	(void)state;
	for (uint64_t t = 0; t < 2000; t++) {
		int64_t values[12];

		for (int i = 0; i < 12; i++) {
			seed = seed * 6364136223846793005u +
			       1442695040888963407u;
			values[i] = (int64_t)(seed >> (8 + seed % 56));
		}
		log_start(l, 1000 * t + seed % 900, mark, values, seed % 13);
		if (seed % 3 == 0)
			log_clock(l, 1000 * t + 900, t, t, 1);
		if (seed % 5 == 0)
			log_meta(l, "key", "value");
		if (t % 500 == 499)
			log_block(l, 1000 * t + 950);
	}
	log_close(l);
	n = find_clocks(l, false, all);
	assert_true(n > 500 && n < 3000);
	assert_int_equal(find_clocks(l, true, found), n);
	assert_memory_equal(found, all, n * sizeof *all);
	log_free(l);
}

/* A killed log: whole records of the open block, then zeros. */
static void killed_log(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);

	(void)state;
	log_atomic(l, 0, mark, NONE);
	log_block(l, 10);
	log_atomic(l, 10, mark, NONE);
	log_kill(l, 0);
	assert_string_equal(walk(l->bytes, l->n), "[0 1] [1 1] ");
	log_free(l);

	l = log_rank(0, 1);
	mark = log_plain(l, "mark", "user", "none", 1);
	log_atomic(l, 0, mark, NONE);
	log_kill(l, 200000);
	assert_string_equal(walk(l->bytes, l->n), "[0 1] ");
	/* A partial record at the end is no damage. */
	memset(l->bytes + (block_at(l, 1)), 'x', 500);
	assert_string_equal(walk(l->bytes, l->n), "[0 1] ");
	log_free(l);
}

/* A block of an unknown type is passed over. */
static void unknown_type(void **state)
{
	struct log *l = three_blocks();
	size_t at = block_at(l, 1);
	uint32_t crc;

	(void)state;
	l->bytes[at + 4] = 9;
	memset(l->bytes + at + 12, 0, 4);
	crc = gaspdb_crc32c(0, l->bytes + at, 48u + l->bytes[at + 8]);
	for (int i = 0; i < 4; i++)
		l->bytes[at + 12 + i] = (unsigned char)(crc >> 8 * i);
	assert_string_equal(walk(l->bytes, l->n), "[0 1] [2 3] .");
	log_free(l);
}

/* --- what is not -----------------------------------------------------------
 */

static void not_logs(void **state)
{
	struct log *l = three_blocks();

	(void)state;
	assert_string_equal(walk("", 0), ""); /* being created */
	assert_string_equal(walk("Not a gaspdb log", 16),
			    "cannot: not a gaspdb log");
	assert_string_equal(walk("SQLite format 3", 16),
			    "cannot: an SQLite file and no run: gaspdb report, "
			    "analyze and shell take an imported one");
	assert_string_equal(walk(l->bytes, 63),
			    "cannot: the file ends in its header");
	l->bytes[8] = 3; /* major version */
	for (int i = 0; i < 4; i++)
		l->bytes[60 + i] =
			(unsigned char)(gaspdb_crc32c(0, l->bytes, 60) >>
					8 * i);
	assert_string_equal(walk(l->bytes, l->n),
			    "cannot: log format 3 is not known, only 2");
	log_free(l);
}

static void damaged_file_header(void **state)
{
	struct log *l = three_blocks();

	(void)state;
	l->bytes[17] ^= 1;
	assert_string_equal(walk(l->bytes, l->n), "[0 1] [1 2] [2 3] .");
	assert_true(rd->header.damaged);
	log_free(l);
}

/* A flipped bit in the middle block: that block alone is lost. */
static void damaged_block(void **state)
{
	struct log *l = three_blocks();
	size_t from = block_at(l, 1), to = block_at(l, 2);
	size_t end = from + 48 + l->bytes[from + 8];
	const char *skipped = expect("[0 1] !%d [2 3] .", (int)from);

	(void)state;
	for (size_t at = from; at < end; at++) {
		for (int bit = 0; bit < 8; bit++) {
			l->bytes[at] ^= (unsigned char)(1 << bit);
			/* The checksum proves its seal. */
			if (at == from + 5 && bit == 0)
				assert_string_equal(walk(l->bytes, l->n),
						    "[0 1] [1 2] [2 3] .");
			else
				assert_string_equal(walk(l->bytes, l->n),
						    skipped);
			l->bytes[at] ^= (unsigned char)(1 << bit);
		}
	}
	memset(l->bytes + from, 0, to - from); /* a hole */
	assert_string_equal(walk(l->bytes, l->n), skipped);
	log_free(l);
}

/* A block without a checksum: it is read, and reported as such. */
static void unsealed_block(void **state)
{
	struct log *l = three_blocks();
	size_t at = block_at(l, 1);

	(void)state;
	memset(l->bytes + at + 12, 0, 4);
	assert_string_equal(walk(l->bytes, l->n),
			    expect("[0 1] [1 2] !%d [2 3] .", (int)at));
	log_free(l);
}

static void damaged_ends(void **state)
{
	struct log *l = three_blocks();
	size_t at = block_at(l, 2);

	(void)state;
	l->bytes[at + 50] ^= 1;
	assert_string_equal(walk(l->bytes, l->n),
			    expect("[0 1] [1 2] !%d ", (int)at));
	l->bytes[at + 50] ^= 1;
	l->bytes[64 + 60] ^= 1;
	assert_string_equal(walk(l->bytes, l->n), "!64 [1 2] [2 3] .");
	log_free(l);

	l = three_blocks();
	at = l->n;
	log_raw(l, "garbage, and not a little of it: more than a header has",
		55);
	assert_string_equal(
		walk(l->bytes, l->n),
		expect("[0 1] [1 2] [2 3] !%d .", (int)(at + 7) / 8 * 8));
	log_free(l);
}

/* Missing and repeated blocks. */
static void missing_and_double(void **state)
{
	struct log *l = three_blocks();
	size_t one = block_at(l, 1), two = block_at(l, 2), n = l->n - two;
	unsigned char *other = malloc(2 * l->n);

	(void)state;
	memcpy(other, l->bytes, one);
	memcpy(other + one, l->bytes + two, n);
	assert_string_equal(walk(other, one + n),
			    expect("[0 1] !%d [2 3] .", (int)one));
	memcpy(other, l->bytes, two);
	memcpy(other + two, l->bytes + one, l->n - one);
	assert_string_equal(walk(other, two + l->n - one),
			    expect("[0 1] [1 2] !%d [2 3] .", (int)two));
	free(other);
	log_free(l);
}

/* A malformed record ends its block, not the log. */
static void malformed_record(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);
	size_t at;

	(void)state;
	log_atomic(l, 0, mark, NONE);
	at = l->n;
	log_raw(l, "\2\1\200\200\200\200\200\200\200\200\200\200\0", 13);
	log_atomic(l, 5, mark, NONE);
	log_block(l, 10);
	log_atomic(l, 10, mark, NONE);
	log_close(l);
	assert_string_equal(walk(l->bytes, l->n),
			    expect("[0 1]!%d [1 1] .", (int)at));
	log_free(l);
}

/* The first event of a block cannot refer to the site of the one before. */
static void site_of_no_event(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);
	const unsigned char again[2] = { 2 | 4, 0 };
	int at;

	(void)state;
	log_atomic(l, 5, mark, NONE);
	log_raw(l, again, sizeof again);
	log_block(l, 10);
	at = (int)l->n;
	log_raw(l, again, sizeof again);
	log_close(l);
	assert_string_equal(walk(l->bytes, l->n),
			    expect("[0 2] [1 0]!%d .", at));
	log_free(l);
}

/* False block headers: more of them than fit a window, inside blocks. */
static void false_headers(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);
	unsigned char record[64] = { 63 << 2 | 3, 61 };

	(void)state;
	memcpy(record + 10, "GBLK\1\1\60\0\10\0\0\0", 12);
	for (int k = 0; k < 40; k++) {
		for (int i = 0; i < 900; i++)
			log_raw(l, record, 63);
		log_atomic(l, 10 * (uint64_t)k, mark, NONE);
		log_block(l, 10 * (uint64_t)k + 10);
	}
	log_close(l);
	l->bytes[block_at(l, 20) + 1000] ^= 4;
	walk(l->bytes, l->n);
	assert_true(rd->whole);
	assert_int_equal(rd->block.number, 40);
	log_free(l);
}

/* Truncation after any byte: all whole records before it are read. */
static void every_prefix(void **state)
{
	struct log *l = log_rank(0, 1);
	unsigned mark = log_plain(l, "mark", "user", "none", 1);
	size_t ends[40], n_ends = 0;

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		for (unsigned i = 0; i < 10; i++) {
			log_atomic(l, 300 * k + 20 * i, mark, NONE);
			ends[n_ends++] = l->n;
		}
		if (k < 2)
			log_block(l, 300 * k + 300);
	}
	log_close(l);
	for (size_t n = 64; n <= l->n; n++) {
		const char *text = walk(l->bytes, n);
		size_t before = 0, got = 0;
		int number, events;

		while (before < n_ends && ends[before] <= n)
			before++;
		assert_null(strchr(text, '!'));
		for (; *text == '['; text = strchr(text, ']') + 2) {
			assert_int_equal(
				sscanf(text, "[%d %d]", &number, &events), 2);
			got += (size_t)events;
		}
		assert_int_equal(got, before);
		assert_int_equal(rd->whole, n == l->n);
	}
	log_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_log),
		cmocka_unit_test(checksum),
		cmocka_unit_test(varints),
		cmocka_unit_test(passed_over),
		cmocka_unit_test(killed_log),
		cmocka_unit_test(unknown_type),
		cmocka_unit_test(not_logs),
		cmocka_unit_test(damaged_file_header),
		cmocka_unit_test(damaged_block),
		cmocka_unit_test(unsealed_block),
		cmocka_unit_test(damaged_ends),
		cmocka_unit_test(missing_and_double),
		cmocka_unit_test(malformed_record),
		cmocka_unit_test(site_of_no_event),
		cmocka_unit_test(false_headers),
		cmocka_unit_test(every_prefix),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
