/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of text that is safe for terminals, and of numbers for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/human.h"
#include "cli/output/text.h"

static void safe_is(const char *raw, size_t n, const char *expected)
{
	char *safe = gaspdb_text_safe(raw, n);

	assert_string_equal(safe, expected);
	free(safe);
}

#define SAFE_IS(raw, expected) safe_is(raw, sizeof raw - 1, expected)

static void plain_text_stays(void **state)
{
	(void)state;
	SAFE_IS("", "");
	SAFE_IS("heat.c:10", "heat.c:10");
	SAFE_IS("Grüße \xe4\xb8\xad \xf0\x9f\x98\x80",
		"Grüße \xe4\xb8\xad \xf0\x9f\x98\x80");
}

static void terminal_commands_are_shown(void **state)
{
	(void)state;
	SAFE_IS("\033[31mred\033]0;title\007",
		"\\x1b[31mred\\x1b]0;title\\x07");
	SAFE_IS("a\nb\tc\rd", "a\\nb\\tc\\rd");
	SAFE_IS("\177", "\\x7f");
	SAFE_IS("nul\0nul", "nul\\x00nul");
	/* CSI as one character */
	SAFE_IS("\xc2\x9b"
		"31m",
		"\\u{9b}31m");
	/* overrides that make "gpj.exe" of "exe.jpg" */
	SAFE_IS("\xe2\x80\xae"
		"x",
		"\\u{202e}x");
	SAFE_IS("\xef\xbb\xbf", "\\u{feff}");
}

static void broken_utf8_is_shown(void **state)
{
	(void)state;
	SAFE_IS("\xff", "\\xff");
	SAFE_IS("\xc3", "\\xc3");		    /* cut */
	SAFE_IS("\xc0\xaf", "\\xc0\\xaf");	    /* overlong */
	SAFE_IS("\xe0\x80\xaf", "\\xe0\\x80\\xaf"); /* overlong */
	SAFE_IS("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* surrogate */
	SAFE_IS("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	SAFE_IS("a\xe4\xb8z", "a\\xe4\\xb8z");
}

static void cut_is(const char *text, size_t width, enum gaspdb_text_end keep,
		   const char *expected)
{
	char *cut = gaspdb_text_cut(text, width, keep);

	assert_string_equal(cut, expected);
	assert_true(gaspdb_text_width(cut) <= width);
	free(cut);
}

static void cutting_keeps_characters_whole(void **state)
{
	(void)state;
	cut_is("abcdef", 6, GASPDB_TEXT_BEGINNING, "abcdef");
	cut_is("abcdefg", 6, GASPDB_TEXT_BEGINNING, "abc...");
	cut_is("abcdefg", 6, GASPDB_TEXT_END, "...efg");
	cut_is("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", 5,
	       GASPDB_TEXT_BEGINNING, "\xc3\xa4\xc3\xb6...");
	cut_is("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", 5,
	       GASPDB_TEXT_END, "...\xc3\xbc\xc3\xa4");
	cut_is("abcdef", 2, GASPDB_TEXT_BEGINNING, "..");
	cut_is("abcdef", 0, GASPDB_TEXT_END, "");
	cut_is("abcdefghijklmno", 12, GASPDB_TEXT_BOTH, "abc...jklmno");
	cut_is("abcdefghijklmno", 15, GASPDB_TEXT_BOTH, "abcdefghijklmno");
	cut_is("abcdefghijklmno", 4, GASPDB_TEXT_BOTH, "...o");
	cut_is("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4", 6,
	       GASPDB_TEXT_BOTH, "\xc3\xa4...\xc3\xbc\xc3\xa4");
}

static void time_is(int64_t ns, const char *expected)
{
	char buf[GASPDB_HUMAN_BYTES];

	assert_string_equal(gaspdb_human_time(buf, ns), expected);
}

static void times(void **state)
{
	(void)state;
	time_is(0, "0 s");
	time_is(999, "999 ns");
	time_is(1000, "1.0 us");
	time_is(999949, "999.9 us");
	time_is(999950, "1.0 ms");
	time_is(12300000, "12.3 ms");
	time_is(999960000, "1.000 s");
	time_is(1234000000, "1.234 s");
	time_is(12340000000, "12.34 s");
	time_is(119900000000, "119.9 s");
	time_is(205000000000, "3 min 25 s");
	time_is(7620000000000, "2 h 07 min");
	time_is(-1234000000, "-1.234 s");
	time_is(INT64_MAX, "2562047 h 47 min");
	time_is(INT64_MIN, "-2562047 h 47 min");
}

static void size_is(int64_t bytes, const char *expected)
{
	char buf[GASPDB_HUMAN_BYTES];

	assert_string_equal(gaspdb_human_size(buf, bytes), expected);
}

static void sizes(void **state)
{
	(void)state;
	size_is(0, "0 B");
	size_is(1023, "1023 B");
	size_is(1024, "1.0 KiB");
	size_is(1536, "1.5 KiB");
	size_is(1048575, "1.0 MiB");
	size_is(3355443, "3.2 MiB");
	size_is(INT64_MAX, "8388608.0 TiB");
}

static void count_is(int64_t n, const char *expected)
{
	char buf[GASPDB_HUMAN_BYTES];

	assert_string_equal(gaspdb_human_count(buf, n), expected);
}

static void counts(void **state)
{
	(void)state;
	count_is(0, "0");
	count_is(999, "999");
	count_is(1000, "1,000");
	count_is(-1234567, "-1,234,567");
	count_is(INT64_MIN, "-9,223,372,036,854,775,808");
}

static void share_is(double part, double whole, const char *expected)
{
	char buf[GASPDB_HUMAN_BYTES];

	assert_string_equal(gaspdb_human_share(buf, part, whole), expected);
}

static void shares_are_whole_only_if_exact(void **state)
{
	(void)state;
	share_is(0, 5, "0 %");
	share_is(5, 5, "100 %");
	share_is(4999, 5000, ">99.9 %");
	share_is(100.0 * 0.7 / 0.7 - 1.5e-14, 100, "100 %"); /* by SQL */
	share_is(100 - 1e-10, 100, ">99.9 %");
	share_is(1, 100000, "<0.1 %");
	share_is(973, 1000, "97.3 %");
	share_is(0, 0, "0 %");
}

static void scaled_is(const char *unit, double largest, double value,
		      const char *shown_unit, const char *expected)
{
	char buf[GASPDB_HUMAN_BYTES];
	struct gaspdb_scale scale = gaspdb_human_scale(unit, largest, false);

	assert_string_equal(scale.unit, shown_unit);
	assert_string_equal(gaspdb_human_scaled(buf, value, scale), expected);
}

static void columns_share_a_unit(void **state)
{
	(void)state;
	scaled_is("ns", 9999, 9999, "ns", "9,999");
	scaled_is("ns", 10000, 10000, "us", "10.000");
	scaled_is("ns", 2e9, 1234567, "ms", "1.235");
	scaled_is("ns", 2e10, 1234567, "s", "0.001");
	scaled_is("ns", 2e10, 1, "s", "<0.001");
	scaled_is("ns", 2e10, -1, "s", ">-0.001");
	scaled_is("ns", 2e10, 0, "s", "0.000");
	scaled_is("B", 1e6, 1e6, "B", "1,000,000");
	scaled_is("B", 1e8, 1e8, "KiB", "97,656.2");
	scaled_is("ns", 1e300, 1e300, "s", "1e+291");
}

static void parses(const char *text, const char *unit, int64_t expected)
{
	int64_t value;

	assert_true(gaspdb_human_parse(text, unit, &value));
	assert_true(value == expected);
}

static void refuses(const char *text, const char *unit)
{
	int64_t value;

	assert_false(gaspdb_human_parse(text, unit, &value));
}

static void numbers_are_parsed(void **state)
{
	(void)state;
	parses("12", "", 12);
	parses("-1", "", -1);
	parses("10ms", "ns", 10000000);
	parses("1.5 s", "ns", 1500000000);
	parses("4KiB", "B", 4096);
	parses("9223372036854775807", "", INT64_MAX);
	refuses("9223372036854775808", "");
	refuses("", "");
	refuses(" 1", "");
	refuses("1x", "");
	refuses("10ms", "");
	refuses("10m", "ns");
	refuses("1e300s", "ns");
	refuses("nan s", "ns");
}

static void sizes_are_parsed(void **state)
{
	static const struct {
		const char *text;
		int64_t bytes;
	} sizes[] = { { "12", 12 },
		      { "64M", 64 << 20 },
		      { "64MiB", 64 << 20 },
		      { "1.5g", INT64_C(3) << 29 },
		      { "2 KiB", 2048 } };
	int64_t bytes;

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		assert_true(gaspdb_human_parse_size(sizes[i].text, &bytes));
		assert_int_equal(bytes, sizes[i].bytes);
	}
	assert_false(gaspdb_human_parse_size("", &bytes));
	assert_false(gaspdb_human_parse_size("64X", &bytes));
	assert_false(gaspdb_human_parse_size("M", &bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_text_stays),
		cmocka_unit_test(terminal_commands_are_shown),
		cmocka_unit_test(broken_utf8_is_shown),
		cmocka_unit_test(cutting_keeps_characters_whole),
		cmocka_unit_test(times),
		cmocka_unit_test(sizes),
		cmocka_unit_test(counts),
		cmocka_unit_test(shares_are_whole_only_if_exact),
		cmocka_unit_test(columns_share_a_unit),
		cmocka_unit_test(numbers_are_parsed),
		cmocka_unit_test(sizes_are_parsed),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
