/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats of user events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "collector/log/user_format.h"

static void types(void **state)
{
	static const struct {
		const char *format, *codes;
	} cases[] = {
		{ NULL, "" },
		{ "", "" },
		{ "no arguments, 100 %%", "" },
		{ "%d %s %5.2f %lu %c %% %*x %p", "isdviiup" },
		{ "%hhd%hd%d%ld%lld%jd%zd%td%qd%Ld", "yhillllll"
						     "l" },
		{ "%hhu%ho%x%lX%llu%ju%zu%tu", "YHuvvvvv" },
		{ "%hhi%hX", "yH" },
		{ "%f%F%e%E%g%G%a%A%lf%Lf%Lg", "dddddddddDD" },
		{ "%c%lc%C%s%ls%S", "iuusSS" },
		{ "%b%#lB", "uv" },
		{ "%m is %d", "i" }, /* without an argument */
		{ "%d %n %d", "ini" },
		{ "%*d%.*f%*.*s", "iiidiis" },
		{ "% d%+d%-d%#x%0d%'d%Id", "iiiuiii" },
		{ "%2$d %1$s", "si" },
		{ "%1$d %1$d %2$g", "id" },
		{ "%3$*1$.*2$f", "iid" },
		{ "%1$d %3$d", "i" }, /* nothing names 2 */
		{ "%1$d %d", "i" },   /* both kinds */
		{ "%d %2$d", "i" },
		{ "%1$d %1$s %2$d", "i" }, /* two types */
		{ "%2$.*3$s %1$d", "isi" },
		{ "%1$.*3$s", "n" }, /* its precision is behind a gap */
		{ "%0$d", "" },
		{ "%61$d", "" },
		{ "%99999999999999999999$d", "" },
		{ "%d %", "i" },
		{ "%d %l", "i" },
		{ "%d %y %d", "i" },
		{ "%d %-", "i" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gaspdb_format f;

		gaspdb_format_parse(cases[i].format, &f, NULL);
		if (strcmp(f.codes, cases[i].codes) != 0)
			fail_msg("'%s': '%s'", cases[i].format, f.codes);
	}
}

static void precisions(void **state)
{
	struct gaspdb_format f;

	(void)state;
	gaspdb_format_parse("%s %.5s %.s %.*s %3.99999999999999999999ls", &f,
			    NULL);
	assert_string_equal(f.codes, "sssisS");
	assert_int_equal(f.precision[0], GASPDB_PRECISION_NONE);
	assert_int_equal(f.precision[1], 5);
	assert_int_equal(f.precision[2], 0);
	assert_int_equal(f.precision[4], GASPDB_PRECISION_AT - 3);
	assert_true(f.precision[5] > 4000);
	gaspdb_format_parse("%1$.*2$s", &f, NULL);
	assert_string_equal(f.codes, "si");
	assert_int_equal(f.precision[0], GASPDB_PRECISION_AT - 1);
}

/* No format has more arguments than there is room for. */
static void many(void **state)
{
	static char text[8 * GASPDB_FORMAT_MAX + 1];
	struct gaspdb_format f;

	(void)state;
	for (size_t i = 0; i < 4 * GASPDB_FORMAT_MAX; i++)
		memcpy(text + 2 * i, "%d", 2);
	gaspdb_format_parse(text, &f, NULL);
	assert_int_equal(strlen(f.codes), GASPDB_FORMAT_MAX);
	memset(text, '*', sizeof text - 1);
	text[0] = '%';
	gaspdb_format_parse(text, &f, NULL);
	assert_int_equal(strlen(f.codes), GASPDB_FORMAT_MAX);
}

static void words(void **state)
{
	static const struct {
		const char *format, *words; /* with a | after each */
	} cases[] = {
		{ "residual %g, iteration %d", "residual|iteration|" },
		{ "x=%d y = %d", "x|y|" },
		{ "%d", "|" },
		{ "%d%d", "||" },
		{ "%d%% done %g", "|done|" },
		{ "max-norm: %g", "max-norm|" },
		{ "... -- %g", "|" },
		{ "width %*d", "|width|" },
		{ "size_2 (%zu)", "size_2|" },
		{ "gr\303\266\303\237e %d", "gr\303\266\303\237e|" },
		{ "b %2$d a %1$d", "a|b|" },
		{ "first %1$d again %1$d", "first|" },
		{ "error %m code %d", "code|" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct gaspdb_format_word w[GASPDB_FORMAT_MAX];
		struct gaspdb_format f;
		char got[200] = "";

		gaspdb_format_parse(cases[i].format, &f, w);
		for (size_t j = 0; f.codes[j]; j++)
			snprintf(got + strlen(got), sizeof got - strlen(got),
				 "%.*s|", (int)w[j].bytes,
				 w[j].text ? w[j].text : "");
		if (strcmp(got, cases[i].words) != 0)
			fail_msg("'%s': '%s'", cases[i].format, got);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types),
		cmocka_unit_test(precisions),
		cmocka_unit_test(many),
		cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
