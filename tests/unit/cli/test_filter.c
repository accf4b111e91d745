/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filter files of Score-P: what they exclude, and what is wrong with bad ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/record/filter.h"

static bool excludes(const struct gaspdb_filter *f, const char *name,
		     const char *symbol, const char *file)
{
	const char *names[] = { name, NULL }, *files[] = { file, NULL };

	return gaspdb_filter_excludes(
		f, &(struct gaspdb_filter_names){ names, symbol, files });
}

/* Which of the functions a, b, bar, Bar, "foo x", #c of x.c a filter leaves. */
static void check(const char *text, const char *left)
{
	static const char *const names[] = { "a",   "b",     "bar",
					     "Bar", "foo x", "#c" };
	struct gaspdb_filter f = { 0 };
	struct gaspdb_error err;
	char got[64] = "";

	if (gaspdb_filter_parse(&f, "f", text, strlen(text), &err))
		fail_msg("'%s': %s", text, err.msg);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!excludes(&f, names[i], names[i], "src/x.c"))
			sprintf(got + strlen(got), "%s%s", *got ? "," : "",
				names[i]);
	assert_string_equal(got, left);
	gaspdb_filter_free(&f);
}

#define REGIONS(rules) \
	"SCOREP_REGION_NAMES_BEGIN\n" rules "\nSCOREP_REGION_NAMES_END\n"
#define FILES(rules) "SCOREP_FILE_NAMES_BEGIN\n" rules "\nSCOREP_FILE_NAMES_END"
#define ALL	     "a,b,bar,Bar,foo x,#c"

static void regions(void **state)
{
	(void)state;
	check("", ALL);
	check("# nothing\n\n \t\n", ALL);
	check(REGIONS(""), ALL);
	check(REGIONS("EXCLUDE"), ALL);
	check(REGIONS("EXCLUDE *"), "");
	check(REGIONS("EXCLUDE *\nINCLUDE b*"), "b,bar");
	check(REGIONS("INCLUDE b*\nEXCLUDE *"), "");
	check(REGIONS("EXCLUDE * INCLUDE b* EXCLUDE bar"), "b");
	check(REGIONS("EXCLUDE a\n  b # not bar\n\tbar"), "Bar,foo x,#c");
	check(REGIONS("EXCLUDE [ab]"), "bar,Bar,foo x,#c");
	check(REGIONS("EXCLUDE ?ar"), "a,b,foo x,#c");
	check(REGIONS("EXCLUDE foo\\ x \\#c"), "a,b,bar,Bar");
	check(REGIONS("EXCLUDE *") REGIONS("INCLUDE a"), "a");
	check("SCOREP_REGION_NAMES_BEGIN EXCLUDE a SCOREP_REGION_NAMES_END",
	      "b,bar,Bar,foo x,#c");
}

static void files(void **state)
{
	(void)state;
	check(FILES("EXCLUDE */x.c"), "");
	check(FILES("EXCLUDE x.c"), ALL);
	check(FILES("EXCLUDE *\nINCLUDE src/*"), ALL);
	check(FILES("EXCLUDE *") "\n" REGIONS("INCLUDE *"), "");
	check(FILES("EXCLUDE */y.c") "\n" REGIONS("EXCLUDE bar"),
	      "a,b,Bar,foo x,#c");
}

static void mangled(void **state)
{
	static const char text[] =
		REGIONS("EXCLUDE MANGLED _Z1f* DEMANGLED g*\n"
			"INCLUDE _Z1fv");
	struct gaspdb_filter f = { 0 };
	struct gaspdb_error err;

	(void)state;
	assert_int_equal(gaspdb_filter_parse(&f, "f", text, strlen(text), &err),
			 GASPDB_OK);
	assert_true(excludes(&f, "f()", "_Z1fv", ""));
	assert_true(excludes(&f, "g()", "_Z1gv", ""));
	assert_false(excludes(&f, "h()", "_Z1hv", ""));
	assert_false(excludes(&f, "_Z1fv", "_Z1fv", ""));
	gaspdb_filter_free(&f);
}

/* As editors of other systems leave it. */
static void other_line_ends(void **state)
{
	(void)state;
	check("SCOREP_REGION_NAMES_BEGIN\r\nEXCLUDE a\r\nSCOREP_REGION_NAMES_END\r\n",
	      "b,bar,Bar,foo x,#c");
	check("SCOREP_REGION_NAMES_BEGIN\nEXCLUDE a b\nSCOREP_REGION_NAMES_END",
	      "bar,Bar,foo x,#c");
}

/* A bracket without its end is literal. */
static void brackets(void **state)
{
	(void)state;
	check(REGIONS("EXCLUDE [ab [ ] [] [!] [a-"), ALL);
}

static void check_bad(const char *text, size_t n, const char *message)
{
	struct gaspdb_filter f = { 0 };
	struct gaspdb_error err;

	assert_int_equal(gaspdb_filter_parse(&f, "f", text, n, &err),
			 GASPDB_FAILED);
	assert_string_equal(err.msg, message);
	gaspdb_filter_free(&f);
}

static void bad(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "a", "f:1: unexpected 'a'" },
		{ "\n\nEXCLUDE a", "f:3: unexpected 'EXCLUDE'" },
		{ "SCOREP_FILE_NAMES_END", "f:1: unexpected "
					   "'SCOREP_FILE_NAMES_END'" },
		{ "SCOREP_REGION_NAMES_BEGIN\nEXCUDE *",
		  "f:2: neither EXCLUDE nor INCLUDE before 'EXCUDE'" },
		{ "SCOREP_REGION_NAMES_BEGIN\nMANGLED",
		  "f:2: neither EXCLUDE nor INCLUDE before 'MANGLED'" },
		{ FILES("EXCLUDE MANGLED a"), "f:2: unexpected 'MANGLED'" },
		{ "\nSCOREP_REGION_NAMES_BEGIN\nEXCLUDE *\n",
		  "f:2: the block is not ended by 'SCOREP_REGION_NAMES_END'" },
		{ "SCOREP_FILE_NAMES_BEGIN",
		  "f:1: the block is not ended by 'SCOREP_FILE_NAMES_END'" },
		{ "SCOREP_FILE_NAMES_BEGIN\nSCOREP_REGION_NAMES_BEGIN",
		  "f:2: unexpected 'SCOREP_REGION_NAMES_BEGIN'" },
		{ "SCOREP_FILE_NAMES_BEGIN\nEXCLUDE a "
		  "SCOREP_REGION_NAMES_END",
		  "f:1: the block is not ended by 'SCOREP_FILE_NAMES_END'" },
		{ REGIONS("EXCLUDE a\\"),
		  "f:2: a line cannot be continued by a backslash" },
		{ REGIONS("EXCLUDE a\\\r"),
		  "f:2: a line cannot be continued by a backslash" },
		{ "\033[2J", "f:1: unexpected '\\x1b[2J'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_bad(cases[i].text, strlen(cases[i].text),
			  cases[i].message);
	check_bad("\nab\0c", 5, "f:2: this is no text");
}

/* A million rules, and a word of a megabyte. */
static void huge(void **state)
{
	enum { RULES = 1 << 20, WORD = 1 << 20 };
	struct gaspdb_filter f = { 0 };
	struct gaspdb_error err;
	char *text = malloc(2 * RULES + WORD + 200), *at = text;

	(void)state;
	at += sprintf(at, "SCOREP_REGION_NAMES_BEGIN EXCLUDE\n");
	for (int i = 0; i < RULES; i++)
		at += sprintf(at, "a ");
	memset(at, 'b', WORD);
	at += WORD;
	at += sprintf(at, "\nSCOREP_REGION_NAMES_END");
	assert_int_equal(
		gaspdb_filter_parse(&f, "f", text, (size_t)(at - text), &err),
		GASPDB_OK);
	assert_int_equal(f.regions.n, RULES + 1);
	assert_true(excludes(&f, "a", "a", ""));
	assert_false(excludes(&f, "b", "b", ""));
	gaspdb_filter_free(&f);
	free(text);
}

static void unreadable(void **state)
{
	struct gaspdb_filter f = { 0 };
	struct gaspdb_error err;

	(void)state;
	assert_int_equal(gaspdb_filter_read(&f, "/nowhere/f", &err),
			 GASPDB_FAILED);
	assert_string_equal(err.msg, "cannot read '/nowhere/f': No such file "
				     "or directory");
	assert_int_equal(gaspdb_filter_read(&f, "/", &err), GASPDB_FAILED);
	assert_string_equal(err.msg, "cannot read '/': Invalid argument");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(regions),  cmocka_unit_test(files),
		cmocka_unit_test(mangled),  cmocka_unit_test(other_line_ends),
		cmocka_unit_test(brackets), cmocka_unit_test(bad),
		cmocka_unit_test(huge),	    cmocka_unit_test(unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
