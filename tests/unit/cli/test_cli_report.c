/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the report: its sections name existing analyses and columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "cli/database/analysis.h"
#include "cli/report/report.h"

static bool has_column(const struct gaspdb_analysis *a, const char *name)
{
	for (int i = 0; a->columns[i].name; i++)
		if (!strcmp(a->columns[i].name, name))
			return true;
	return false;
}

static const struct gaspdb_analysis *find(const char *name)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(name);

	if (!a)
		fail_msg("there is no analysis '%s'", name);
	return a;
}

static void check_params(const struct gaspdb_report_section *s)
{
	char *copy = strdup(s->params), *rest = copy, *word;

	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');
		assert_non_null(value);
		*value = '\0';
		if (!gaspdb_analysis_param_find(find(s->analysis), word))
			fail_msg("'%s' has no '%s'", s->analysis, word);
	}
	free(copy);
}

static void check_also(const struct gaspdb_report_section *s)
{
	char *copy = strdup(s->also), *rest = copy, *word;

	while ((word = strsep(&rest, ",")))
		find(word + strspn(word, " "));
	free(copy);
}

static void sections_name_what_there_is(void **state)
{
	(void)state;
	for (int i = 0; gaspdb_report_sections[i].title; i++) {
		const struct gaspdb_report_section *s =
			&gaspdb_report_sections[i];
		const struct gaspdb_analysis *a = find(s->analysis);
		if (s->params)
			check_params(s);
		if (s->also)
			check_also(s);
		if (s->least > 0 && !has_column(a, "share"))
			fail_msg("'%s' has no share", s->analysis);
		if (!s->print)
			assert_true(s->rows > 0);
		for (int k = 0; !s->print && s->columns[k].name; k++)
			if (!has_column(a, s->columns[k].name))
				fail_msg("'%s' has no column '%s'", s->analysis,
					 s->columns[k].name);
	}
}

static char *text;
static size_t n_text;
static const struct gaspdb_run_words words = { (char *)"rank", (char *)"ranks",
					       (char *)"rank",
					       (char *)"ranks" };

static void wraps(const char *sentence, const char *expected)
{
	FILE *f = open_memstream(&text, &n_text);

	gaspdb_report_wrap(f, sentence, 90, 4);
	fclose(f);
	assert_string_equal(text, expected);
	free(text);
}

static void sentences_are_wrapped(void **state)
{
	(void)state;
	wraps("0123456789 next", "0123456789\n    next\n");
	wraps("012345 78 % next", "012345\n    78 % next\n");
	wraps("01234 678 next", "01234 678\n    next\n");
	wraps("", "\n");
	wraps("\033[2J", "\\x1b[2J\n");
}

static const struct gaspdb_report_column wide[] = {
	{ "a", "operation", GASPDB_REPORT_TEXT },
	{ "b", "line", GASPDB_REPORT_PLACE },
	{ "c", "time", GASPDB_REPORT_TIME },
	{ "d", "never", GASPDB_REPORT_COUNT },
	{ NULL, NULL, GASPDB_REPORT_TEXT }
};

/* Check a cell beside a number of n digits. */
static void cell_is(enum gaspdb_report_kind kind, const char *cell, size_t n,
		    const char *expected)
{
	const struct gaspdb_report_column columns[] = {
		{ "a", "", kind },
		{ "b", "", GASPDB_REPORT_NUMBER },
		{ NULL, NULL, GASPDB_REPORT_TEXT }
	};
	struct gaspdb_report_table *t =
		gaspdb_report_table_new(columns, &words);
	char *fill = calloc(n + 1, 1);
	FILE *f = open_memstream(&text, &n_text);

	memset(fill, '7', n);
	gaspdb_report_table_text(t, cell);
	gaspdb_report_table_text(t, fill);
	gaspdb_report_table_print(t, f);
	fclose(f);
	if (!strstr(text, expected))
		fail_msg("no '%s' in '%s'", expected, text);
	free(text);
	free(fill);
}

/* A long place is cut before its location. */
static void place_is(const char *place, size_t n, const char *expected)
{
	cell_is(GASPDB_REPORT_PLACE, place, n, expected);
}

static void locations_are_cut_last(void **state)
{
	static const char between[] =
		"computation between some_program.c:120 and some_program.c:130";

	(void)state;
	place_is(between, 30, "  computation between some_program.c:120 and ");
	place_is(
		between, 40,
		"  computation... some_program.c:120 and some_program.c:130  7");
	place_is(between, 47,
		 "  comp... some_program.c:120 and some_program.c:130  7");
	/* Below that the row is broken. */
	place_is(between, 54,
		 "  computation between some_program.c:120 and "
		 "some_program.c:130\n    7");
	place_is("shmem_long_get long_name_of_a_program.c:9", 60,
		 "  shmem_... long_name_of_a_program.c:9  7");
	place_is("shmem_long_get libsolver.so+0x1f0", 72,
		 "  sh... libsolver.so+0x1f0  7");
	/* Long C++ names with the call's offset in the function are cut. */
	place_is("exchange<heat::Grid<double>,heat::Grid<float>>::run+0x1f0",
		 55, "  exchange<hea...t::Grid<float>>::run+0x1f0  7");
}

static void names_keep_both_ends(void **state)
{
	(void)state;
	cell_is(GASPDB_REPORT_TEXT, "heat::Grid<double>::exchange", 80,
		"  heat...:exchange  7");
	cell_is(GASPDB_REPORT_TEXT, "heat_of_the_grid_in_exchange", 80,
		"  heat..._exchange  7");
}

/* Check a row of two texts of n columns, one of which is cut. */
static void row_is(size_t n, const char *expected)
{
	char *a = malloc(n + 1), *b = malloc(n + 1);
	struct gaspdb_report_table *t = gaspdb_report_table_new(wide, &words);
	FILE *f = open_memstream(&text, &n_text);

	memset(a, 'a', n);
	memset(b, 'b', n);
	a[n] = b[n] = '\0';
	b[n - 1] = '1';
	gaspdb_report_table_text(t, a);
	gaspdb_report_table_text(t, b);
	gaspdb_report_table_integer(t, 1500000);
	gaspdb_report_table_text(t, NULL);
	gaspdb_report_table_print(t, f);
	fclose(f);
	const char *row = strchr(text, '\n') + 1;
	assert_true(strlen(row) <= GASPDB_REPORT_WIDTH + 1);
	assert_string_equal(row, expected);
	assert_null(strstr(text, "never"));
	free(text);
	free(a);
	free(b);
}

static void figures_share_a_line(void **state)
{
	enum { FIGURES = 12 };
	struct gaspdb_report_column columns[FIGURES + 2] = {
		{ "a", "", GASPDB_REPORT_TEXT }
	};
	FILE *f = open_memstream(&text, &n_text);

	(void)state;
	for (int i = 1; i <= FIGURES; i++)
		columns[i] = (struct gaspdb_report_column){
			"b", "", GASPDB_REPORT_NUMBER
		};
	struct gaspdb_report_table *t =
		gaspdb_report_table_new(columns, &words);
	gaspdb_report_table_text(t, "operation");
	for (int i = 0; i < FIGURES; i++)
		gaspdb_report_table_integer(t, 7777777);
	gaspdb_report_table_print(t, f);
	fclose(f);
	/* 4 + 12 * 7 + 11 gaps of 1: 99 columns */
	if (!strstr(text, "  operation\n"
			  "    7777777 7777777 7777777 7777777 7777777 7777777 "
			  "7777777 7777777 7777777 7777777 7777777 7777777\n"))
		fail_msg("two lines of figures in '%s'", text);
	free(text);
}

/* Check a sentence after a number of n digits. */
static void sentence_is(size_t n, const char *expected)
{
	const struct gaspdb_report_column columns[] = {
		{ "a", "", GASPDB_REPORT_NUMBER },
		{ "b", "", GASPDB_REPORT_TEXT },
		{ NULL, NULL, GASPDB_REPORT_TEXT }
	};
	struct gaspdb_report_table *t =
		gaspdb_report_table_new(columns, &words);
	char *fill = calloc(n + 1, 1);
	FILE *f = open_memstream(&text, &n_text);

	memset(fill, '7', n);
	gaspdb_report_table_text(t, fill);
	gaspdb_report_table_text(t, "mean computation of a rank / elapsed time");
	gaspdb_report_table_print(t, f);
	fclose(f);
	if (!strstr(text, expected))
		fail_msg("no '%s' in '%s'", expected, text);
	free(text);
	free(fill);
}

/* 41 columns leave 20; below that the sentence has a line of its own. */
static void sentences_keep_a_half(void **state)
{
	(void)state;
	sentence_is(50, "7  mean computation of a rank / elapsed time\n");
	sentence_is(76, "7  mean ...elapsed time\n");
	sentence_is(78, "7\n    mean computation of a rank / elapsed time\n");
}

static void tables_fit_the_page(void **state)
{
	(void)state;
	row_is(12, "  aaaaaaaaaaaa  bbbbbbbbbbb1  1.5 ms\n");
	/* Names are cut in the middle: they differ at either end. */
	row_is(60,
	       "  aaaaaaaa...aaaaaaaaaaaaaaaaa  "
	       "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb1  "
	       "1.5 ms\n");
	row_is(90,
	       "  aaa...aaaaaa  bbbbbbbbbbbbbbbbbbbbbbbb..."
	       "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb1  1.5 ms\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sections_name_what_there_is),
		cmocka_unit_test(sentences_are_wrapped),
		cmocka_unit_test(locations_are_cut_last),
		cmocka_unit_test(names_keep_both_ends),
		cmocka_unit_test(tables_fit_the_page),
		cmocka_unit_test(figures_share_a_line),
		cmocka_unit_test(sentences_keep_a_half),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
