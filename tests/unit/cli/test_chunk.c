/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of chunks: rows of a statement, decoded by the rules of chunk.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>
#include <zlib.h>

#include "cli/html/chunk.h"

enum { BYTES_MAX = 1 << 20 };

/* A decoded chunk: its head, and its columns' bytes. */
struct chunk {
	char *head;
	uint8_t *all;
	const uint8_t *at, *end;
};

static unsigned digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, c);

	assert_non_null(at);
	assert_int_not_equal(c, 0);
	return (unsigned)(at - digits);
}

static size_t from_base64(const char *text, size_t n, uint8_t *bytes)
{
	size_t at = 0;

	assert_int_equal(n % 4, 0);
	for (; n; n -= 4, text += 4) {
		const bool two = text[3] == '=', one = text[2] == '=';
		const unsigned v = digit(text[0]) << 18 |
				   digit(text[1]) << 12 |
				   (one ? 0 : digit(text[2]) << 6) |
				   (two ? 0 : digit(text[3]));

		assert_true(n == 4 || !two);
		bytes[at++] = (uint8_t)(v >> 16);
		if (!one)
			bytes[at++] = (uint8_t)(v >> 8);
		if (!two)
			bytes[at++] = (uint8_t)v;
	}
	return at;
}

/* Unpacks the text of a script element of that name. */
static void decode(struct chunk *c, const char *html, const char *name)
{
	static const char end[] = "</script>\n";
	char begin[100];
	uint8_t *packed = malloc(strlen(html) + 4);
	uLongf n = BYTES_MAX;

	snprintf(begin, sizeof begin,
		 "<script type=\"text/plain\" data-chunk=\"%s\">", name);
	assert_memory_equal(html, begin, strlen(begin));
	html += strlen(begin);
	assert_string_equal(html + strlen(html) - strlen(end), end);
	const size_t packed_n =
		from_base64(html, strlen(html) - strlen(end), packed);
	c->all = malloc(n + 1);
	assert_int_equal(uncompress(c->all, &n, packed, packed_n), Z_OK);
	free(packed);
	c->end = c->all + n;
	c->at = memchr(c->all, '\n', n);
	c->head = NULL;
	if (!c->at)
		return;
	c->head = strndup((char *)c->all, (size_t)(c->at - c->all));
	c->at++;
}

static void free_chunk(struct chunk *c)
{
	assert_ptr_equal(c->at, c->end); /* all was looked at */
	free(c->head);
	free(c->all);
}

/* The chunk of a query's rows. */
static struct chunk rows_of(const char *sql)
{
	struct gaspdb_error err = { 0 };
	struct chunk c;
	sqlite3_stmt *stmt;
	sqlite3 *db;
	char *html;
	size_t n;
	FILE *out = open_memstream(&html, &n);

	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL),
			 SQLITE_OK);
	assert_int_equal(gaspdb_chunk_write_rows(out, "rows", stmt, &err),
			 GASPDB_OK);
	fclose(out);
	decode(&c, html, "rows");
	free(html);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return c;
}

/* --- values ----------------------------------------------------------------
 */

static void nulls_are(struct chunk *c, const char *nulls)
{
	for (; *nulls; nulls++)
		assert_int_equal(*c->at++, *nulls - '0');
}

static uint64_t take_leb128(struct chunk *c)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		assert_true(c->at < c->end && shift < 64);
		byte = *c->at++;
		v |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	return v;
}

/* The next values of a column; before: the value before them. */
static void integers_are(struct chunk *c, int64_t before, size_t n,
			 const int64_t *values)
{
	uint64_t value = (uint64_t)before;

	for (size_t i = 0; i < n; i++) {
		const uint64_t v = take_leb128(c);

		value += v >> 1 ^ (0 - (v & 1));
		assert_int_equal((int64_t)value, values[i]);
	}
}

#define INTEGERS_ARE(c, ...)                                        \
	integers_are(c, 0,                                          \
		     sizeof(int64_t[]){ __VA_ARGS__ } / sizeof(int64_t), \
		     (const int64_t[]){ __VA_ARGS__ })

static void real_is(struct chunk *c, double expected)
{
	double v;

	memcpy(&v, c->at, sizeof v);
	c->at += sizeof v;
	assert_true(v == expected);
}

/* --- tests -----------------------------------------------------------------
 */

static void integers(void **state)
{
	struct chunk c = rows_of("SELECT column1 AS n FROM (VALUES(5), (-3), "
				 "(0), (63), (-64), (1000000))");

	(void)state;
	assert_string_equal(c.head,
			    "{\"rows\":6,\"columns\":[{\"name\":\"n\",\"kind\":"
			    "\"int\",\"null\":false,\"bytes\":9}]}"); /* 1 + 1 + 1 + 1 + 2 + 3 */
	INTEGERS_ARE(&c, 5, -3, 0, 63, -64, 1000000);
	free_chunk(&c);
}

/* Also steps that do not fit in 63 bits. */
static void wide_integers(void **state)
{
	struct chunk c = rows_of(
		"SELECT column1 AS n FROM (VALUES(9007199254740993), (1), "
		"(9223372036854775807), (-9223372036854775807 - 1), "
		"(9223372036854775807), (2305843009213693953), (7))");

	(void)state;
	INTEGERS_ARE(&c, 9007199254740993, 1, INT64_MAX, INT64_MIN, INT64_MAX,
		     ((int64_t)1 << 61) + 1, 7);
	free_chunk(&c);
}

/* Before the first value a NULL is 0, then any value: that before it. */
static void nulls(void **state)
{
	struct chunk c = rows_of(
		"SELECT column1 AS n, column2 AS x, column3 AS t, column4 AS z "
		"FROM (VALUES(NULL, NULL, NULL, NULL), (NULL, 1.5, 'a', NULL), "
		"(7, NULL, NULL, NULL), (NULL, -2.0, 'b', NULL), "
		"(9, 0.0, 'a', NULL))");

	(void)state;
	assert_string_equal(
		c.head,
		"{\"rows\":5,\"columns\":["
		"{\"name\":\"n\",\"kind\":\"int\",\"null\":true,\"bytes\":10},"
		"{\"name\":\"x\",\"kind\":\"real\",\"null\":true,\"bytes\":45},"
		"{\"name\":\"t\",\"kind\":\"text\",\"null\":true,\"bytes\":10,"
		"\"texts\":[\"a\",\"b\"]},"
		"{\"name\":\"z\",\"kind\":\"int\",\"null\":true,\"bytes\":5}]"
		"}");
	nulls_are(&c, "11010");
	INTEGERS_ARE(&c, 0, 0, 7, 7, 9);
	nulls_are(&c, "10100");
	real_is(&c, 0);
	real_is(&c, 1.5);
	real_is(&c, 0);
	real_is(&c, -2);
	real_is(&c, 0);
	nulls_are(&c, "10100");
	INTEGERS_ARE(&c, 0, 0, 0, 1, 0);
	nulls_are(&c, "11111");
	free_chunk(&c);
}

static void reals(void **state)
{
	struct chunk c = rows_of("SELECT column1 AS x FROM (VALUES(0.1), "
				 "(-1e300), (9e999), (5))");

	(void)state;
	real_is(&c, 0.1);
	real_is(&c, -1e300);
	real_is(&c, (double)1e300 * 1e300); /* infinite */
	real_is(&c, 5);
	free_chunk(&c);
}

static void texts(void **state)
{
	struct chunk c = rows_of(
		"SELECT column1 AS t FROM (VALUES('</script>'), (''), "
		"('a\"b\\c'), ('</script>'), (char(8232, 228)), "
		"(CAST(x'ff41' AS TEXT)), ('cut' || char(0) || 'here'), (''))");

	(void)state;
	assert_string_equal(
		c.head,
		"{\"rows\":8,\"columns\":[{\"name\":\"t\",\"kind\":\"text\","
		"\"null\":false,\"bytes\":8,\"texts\":[\"</script>\",\"\","
		"\"a\\\"b\\\\c\",\"\\u2028ä\",\"\\ufffdA\",\"cut\"]}]}");
	INTEGERS_ARE(&c, 0, 1, 2, 0, 3, 4, 5, 1);
	free_chunk(&c);
}

/* A damaged file has values of other types than the first: converted. */
static void other_types(void **state)
{
	struct chunk c = rows_of(
		"SELECT column1 AS n, column2 AS t, column3 AS x FROM "
		"(VALUES(1, 'a', 0.5), ('12', 34, 'two'), (2.9, x'62', 3), "
		"(x'', x'', x''))");

	(void)state;
	assert_string_equal(
		c.head,
		"{\"rows\":4,\"columns\":["
		"{\"name\":\"n\",\"kind\":\"int\",\"null\":false,\"bytes\":4},"
		"{\"name\":\"t\",\"kind\":\"text\",\"null\":false,\"bytes\":4,"
		"\"texts\":[\"a\",\"34\",\"b\",\"\"]},"
		"{\"name\":\"x\",\"kind\":\"real\",\"null\":false,\"bytes\":32}"
		"]}");
	INTEGERS_ARE(&c, 1, 12, 2, 0);
	INTEGERS_ARE(&c, 0, 1, 2, 3);
	real_is(&c, 0.5);
	real_is(&c, 0);
	real_is(&c, 3);
	real_is(&c, 0);
	free_chunk(&c);
}

static void no_rows(void **state)
{
	struct chunk c = rows_of("SELECT 1 AS a, 'x' AS \"b\"\"c\" LIMIT 0");

	(void)state;
	assert_string_equal(
		c.head,
		"{\"rows\":0,\"columns\":["
		"{\"name\":\"a\",\"kind\":\"int\",\"null\":false,\"bytes\":0},"
		"{\"name\":\"b\\\"c\",\"kind\":\"int\",\"null\":false,"
		"\"bytes\":0}]}");
	free_chunk(&c);
}

/* Every length modulo 3, and none. */
static void any_bytes(void **state)
{
	(void)state;
	for (size_t n = 0; n < 50; n++) {
		struct gaspdb_error err = { 0 };
		uint8_t bytes[50];
		struct chunk c;
		char *html;
		size_t length;
		FILE *out = open_memstream(&html, &length);

		for (size_t i = 0; i < n; i++)
			bytes[i] = (uint8_t)(i * 37 + 11 + (i * 37 + 11 == 10));
		assert_int_equal(gaspdb_chunk_write(out, "b", bytes, n, &err),
				 GASPDB_OK);
		fclose(out);
		decode(&c, html, "b");
		assert_int_equal(c.end - c.all, n);
		assert_memory_equal(c.all, bytes, n);
		free(c.head);
		free(c.all);
		free(html);
	}
}

/* A statement that fails names the chunk; so does a stream that takes nothing
   end in an error. */
static void failures(void **state)
{
	struct gaspdb_error err = { 0 };
	sqlite3_stmt *stmt;
	sqlite3 *db;
	FILE *out = fopen("/dev/null", "r");

	(void)state;
	sqlite3_open(":memory:", &db);
	sqlite3_prepare_v2(db, "SELECT abs(-9223372036854775807 - 1)", -1,
			   &stmt, NULL);
	assert_int_equal(gaspdb_chunk_write_rows(out, "x", stmt, &err),
			 GASPDB_FAILED);
	assert_string_equal(err.msg, "part 'x' of the page: integer overflow");
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	assert_int_equal(gaspdb_chunk_write(out, "x", "a", 1, &err),
			 GASPDB_FAILED);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),	 cmocka_unit_test(nulls),
		cmocka_unit_test(wide_integers), cmocka_unit_test(reals),
		cmocka_unit_test(texts),	 cmocka_unit_test(other_types),
		cmocka_unit_test(no_rows),	 cmocka_unit_test(any_bytes),
		cmocka_unit_test(failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
