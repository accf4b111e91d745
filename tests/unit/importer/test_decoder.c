/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decoders of compressed files: whole, concatenated, truncated and damaged. */
/* Long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "importer/input/decoder.h"
#include "tests/unit/util_archive.h"

/* More than two blocks of bzip2, of incompressible bytes. */
enum { SIZE = 2000000, ROOM = 2 * SIZE + SIZE / 10 };

/* Bytes that a decoder may hold back before a truncation: none, or one block of
   the format (zstd's documentation: 128 KiB; bzip2's: 900,000 bytes). */
static const struct {
	const char *file, *name;
	size_t block;
} formats[] = {
	{ "a.gasplog.gz", "gzip", 1000 },
	{ "a.gasplog.xz", "xz", 1000 },
	{ "a.gasplog.bz2", "bzip2", 900000 },
	{ "a.gasplog.zst", "zstd", 131072 },
	{ "a.gasplog.lzma", "lzma", 1000 },
	{ "a.gasplog.lz", "lzip", 1000 },
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static uint8_t plain[SIZE], decoded[2 * ROOM];

/* A compressed file, read in pieces. */
struct source {
	uint8_t bytes[ROOM];
	size_t n, at, piece;
};

static struct source source;

static long more(void *user, uint8_t *to, size_t n)
{
	struct source *s = user;

	n = n < s->piece ? n : s->piece;
	n = n < s->n - s->at ? n : s->n - s->at;
	memcpy(to, s->bytes + s->at, n);
	s->at += n;
	return (long)n;
}

/* Returns the number of decoded bytes; why: the error. */
static size_t decode(size_t piece, char why[100])
{
	const size_t head = source.n < 10 ? source.n : 10;
	struct gaspdb_decoder *d;
	const char *wrong;
	size_t n = 0, got;

	source.at = head;
	source.piece = piece;
	d = gaspdb_decoder_new(source.bytes, head, more, &source);
	assert_non_null(d);
	while ((got = gaspdb_decoder_read(d, decoded + n, 60000, &wrong))) {
		n += got;
		assert_true(n + 60000 <= sizeof decoded);
	}
	snprintf(why, 100, "%s", wrong ? wrong : "");
	assert_true(gaspdb_decoder_offset(d) <= source.n);
	gaspdb_decoder_free(d);
	return n;
}

static void pack(const char *name)
{
	FILE *f;

	archive_pack(name, plain, SIZE);
	f = fopen(name, "rb");
	assert_non_null(f);
	source.n = fread(source.bytes, 1, sizeof source.bytes, f);
	assert_true(feof(f) && source.n > SIZE / 2);
	fclose(f);
}

static int set_up(void **state)
{
	static char folder[] = "/tmp/gaspdb-decoder-XXXXXX";
	uint64_t x = 1;

	for (size_t i = 0; i < SIZE; i++) {
		x = x * UINT64_C(6364136223846793005) + 1;
		plain[i] = (uint8_t)(x >> 56);
	}
	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	*state = folder;
	return 0;
}

static int tear_down(void **state)
{
	for (int i = 0; i < N_FORMATS; i++)
		unlink(formats[i].file);
	return rmdir(*state);
}

static void whole_files(void **state)
{
	char why[100];

	(void)state;
	for (int i = 0; i < N_FORMATS; i++) {
		const size_t n = (pack(formats[i].file), source.n);

		assert_int_equal(decode(65536, why), SIZE);
		assert_string_equal(why, "");
		assert_memory_equal(decoded, plain, SIZE);
		/* One after another, in odd pieces */
		assert_true(n <= ROOM / 2);
		memcpy(source.bytes + n, source.bytes, n);
		source.n = 2 * n;
		assert_int_equal(decode(4099, why), 2 * SIZE);
		assert_string_equal(why, "");
		assert_memory_equal(decoded + SIZE, plain, SIZE);
	}
}

static void cut_files(void **state)
{
	char expected[100], why[100];

	(void)state;
	for (int i = 0; i < N_FORMATS; i++) {
		snprintf(expected, sizeof expected, "the %s data is cut",
			 formats[i].name);
		pack(formats[i].file);
		for (size_t n = source.n - 20; n > 10; n -= n / 3 + 1) {
			size_t got;

			source.n = n;
			got = decode(65536, why);
			assert_string_equal(why, expected);
			/* Incompressible data may grow by two percent. */
			assert_true(got + formats[i].block + n / 50 >= n ||
				    n < formats[i].block);
			assert_true(got <= SIZE);
			assert_memory_equal(decoded, plain, got);
		}
	}
}

static void damaged_files(void **state)
{
	char expected[100], why[100];

	(void)state;
	for (int i = 0; i < N_FORMATS; i++) {
		size_t got, kept;

		snprintf(expected, sizeof expected, "the %s data is damaged",
			 formats[i].name);
		pack(formats[i].file);
		/* So much that it hits what a format says of a block */
		memset(source.bytes + SIZE / 2, 0x5a, 200000);
		got = decode(65536, why);
		assert_string_equal(why, expected);
		assert_true(got + formats[i].block >= SIZE / 2 - SIZE / 100);
		/* The damaged block is decoded before its checksum is
		   checked. */
		kept = SIZE / 2 - SIZE / 100 - formats[i].block;
		assert_memory_equal(decoded, plain, kept);
	}
}

static void other_files(void **state)
{
	(void)state;
	assert_null(gaspdb_decoder_new((const uint8_t *)"GASPLOG", 7, more,
				       &source));
	assert_null(
		gaspdb_decoder_new((const uint8_t *)"\x1f", 1, more, &source));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_files),
		cmocka_unit_test(cut_files),
		cmocka_unit_test(damaged_files),
		cmocka_unit_test(other_files),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
