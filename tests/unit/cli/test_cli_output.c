/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the row writer in all formats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/output.h"

static char *text;
static size_t n_text;

/* Write the rows and compare the whole. */
static void styled(const struct gaspdb_output_style *style,
		   const struct gaspdb_output_column *columns, int n_columns,
		   const struct gaspdb_output_cell *cells, int n_rows,
		   const char *expected)
{
	FILE *f = open_memstream(&text, &n_text);
	struct gaspdb_output *o =
		gaspdb_output_open(f, style, columns, n_columns);

	for (int i = 0; i < n_rows; i++)
		gaspdb_output_row(o, cells + i * n_columns);
	gaspdb_output_close(o);
	fclose(f);
	assert_string_equal(text, expected);
	free(text);
}

static void writes(enum gaspdb_output_format format, bool terminal,
		   const struct gaspdb_output_column *columns, int n_columns,
		   const struct gaspdb_output_cell *cells, int n_rows,
		   const char *expected)
{
	const struct gaspdb_output_style style = { .format = format,
						   .terminal = terminal };

	styled(&style, columns, n_columns, cells, n_rows, expected);
}

static struct gaspdb_output_cell real(double v)
{
	return (struct gaspdb_output_cell){ .type = SQLITE_FLOAT, .real = v };
}

#define TEXT(s)	   gaspdb_output_text(s)
#define INTEGER(n) gaspdb_output_integer(n)

static const struct gaspdb_output_column two[] = { { "a", "" },
						   { "b \"x\"", "" } };

static void csv_quotes_as_rfc_4180_says(void **state)
{
	const struct gaspdb_output_cell cells[] = {
		TEXT("plain"),	    INTEGER(-1),	TEXT("a,b"),
		TEXT("say \"hi\""), TEXT("two\nlines"), TEXT(""),
		TEXT(NULL),	    real(0.1),		TEXT("\033[31m"),
		real(INFINITY),
	};

	(void)state;
	writes(GASPDB_OUTPUT_CSV, false, two, 2, cells, 5,
	       "a,\"b \"\"x\"\"\"\n"
	       "plain,-1\n"
	       "\"a,b\",\"say \"\"hi\"\"\"\n"
	       "\"two\nlines\",\"\"\n"
	       ",0.1\n"
	       "\033[31m,Inf\n");
}

static void csv_on_a_terminal_is_harmless(void **state)
{
	const struct gaspdb_output_cell cells[] = { TEXT("\033[31m"),
						    TEXT("two\nlines") };

	(void)state;
	writes(GASPDB_OUTPUT_CSV, true, two, 2, cells, 1,
	       "a,\"b \"\"x\"\"\"\n\\x1b[31m,two\\nlines\n");
}

static void csv_has_a_record_for_a_lone_null(void **state)
{
	const struct gaspdb_output_cell cells[] = { TEXT(NULL), INTEGER(1) };

	(void)state;
	writes(GASPDB_OUTPUT_CSV, false, two, 1, cells, 2, "a\n\"\"\n1\n");
}

static void csv_has_a_header_without_rows(void **state)
{
	(void)state;
	writes(GASPDB_OUTPUT_CSV, false, two, 2, NULL, 0,
	       "a,\"b \"\"x\"\"\"\n");
}

static void json_is_valid_whatever_the_text(void **state)
{
	const struct gaspdb_output_cell cells[] = {
		TEXT("q\"b\\\n\033\xff\xc2\x9b"),
		real(NAN),
		TEXT(NULL),
		real(1e21),
		INTEGER(INT64_MIN),
		real(2),
	};

	(void)state;
	writes(GASPDB_OUTPUT_JSON, false, two, 2, cells, 3,
	       "[\n"
	       "{\"a\": \"q\\\"b\\\\\\n\\u001b\\ufffd\\u009b\", "
	       "\"b \\\"x\\\"\": null},\n"
	       "{\"a\": null, \"b \\\"x\\\"\": 1e+21},\n"
	       "{\"a\": -9223372036854775808, \"b \\\"x\\\"\": 2.0}\n"
	       "]\n");
	writes(GASPDB_OUTPUT_JSON, false, two, 2, NULL, 0, "[]\n");
}

static void tables_align_and_scale(void **state)
{
	static const struct gaspdb_output_column columns[] = {
		{ "place", "" },      { "self_ns", "ns" }, { "bytes", "B" },
		{ "calls", "count" }, { "share", "%" },	   { "line", "" },
	};
	const struct gaspdb_output_cell cells[] = {
		TEXT("a.c:1"),	     INTEGER(1500000000), INTEGER(10),
		INTEGER(1234567),    real(99.95),	  INTEGER(1234),
		TEXT("long.c:20\n"), INTEGER(1),	  TEXT(NULL),
		INTEGER(1),	     real(0.04),	  INTEGER(7),
	};

	(void)state;
	writes(GASPDB_OUTPUT_TABLE, false, columns, 6, cells, 2,
	       "place        self [ms]  bytes [B]      calls  share [%]  "
	       "line\n"
	       "-----------  ---------  ---------  ---------  ---------  "
	       "----\n"
	       "a.c:1        1,500.000         10  1,234,567      100.0  "
	       "1234\n"
	       "long.c:20\\n     <0.001          -          1       <0.1  "
	       "   7\n");
}

/*
 * Column widths come from the first rows; later rows are written all the same.
 */
static void tables_are_not_held_back_whole(void **state)
{
	enum { ROWS = 2000 };
	FILE *f = open_memstream(&text, &n_text);
	struct gaspdb_output *o = gaspdb_output_open(
		f, &(struct gaspdb_output_style){ 0 }, two, 1);

	(void)state;
	for (int i = 0; i < ROWS; i++) {
		struct gaspdb_output_cell cell = INTEGER(i);
		gaspdb_output_row(o, &cell);
	}
	fflush(f);
	assert_true(n_text > 0);
	gaspdb_output_close(o);
	fclose(f);
	int lines = 0;
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, ROWS + 2);
	free(text);
}

/* Check the output for a terminal of that many columns, or for a file. */
static void fits(const char *columns, bool terminal, const char *expected)
{
	static const struct gaspdb_output_column named[] = {
		{ "line", "" }, { "ns", "ns" }, { "function", "" }
	};
	FILE *f = open_memstream(&text, &n_text);
	struct gaspdb_output *o = gaspdb_output_open(
		f, &(struct gaspdb_output_style){ .terminal = terminal }, named,
		3);
	const struct gaspdb_output_cell cells[] = {
		TEXT("module_of_the_sun.c:1"),
		INTEGER(5),
		TEXT("run"),
		TEXT("module_of_the_moon.c:2"),
		INTEGER(6),
		TEXT("a_function_with_a_name")
	};

	setenv("COLUMNS", columns, 1);
	gaspdb_output_fit(o);
	unsetenv("COLUMNS");
	for (int i = 0; i < 2; i++)
		gaspdb_output_row(o, cells + i * 3);
	gaspdb_output_close(o);
	fclose(f);
	assert_string_equal(text, expected);
	free(text);
}

static void tables_fit_a_terminal(void **state)
{
	static const char whole[] =
		"line                    ns [ns]  function\n"
		"----------------------  -------  ----------------------\n"
		"module_of_the_sun.c:1         5  run\n"
		"module_of_the_moon.c:2        6  a_function_with_a_name\n";

	(void)state;
	fits("55", true, whole);
	fits("40", false, whole);
	fits("40", true,
	     "line                ns  function\n"
	     "                  [ns]  \n"
	     "----------------  ----  ----------------\n"
	     "modu...e_sun.c:1     5  run\n"
	     "modu..._moon.c:2     6  a_fu...th_a_name\n");
	fits("36", true,
	     "line              ns  function\n"
	     "                [ns]  \n"
	     "--------------  ----  --------------\n"
	     "mod..._sun.c:1     5  run\n"
	     "mod...moon.c:2     6  a_f...h_a_name\n");
	/* Too wide in any case: a row has several lines. */
	fits("31", true,
	     "line                    ns [ns]\n"
	     "    function\n"
	     "-------------------------------\n"
	     "module_of_the_sun.c:1         5\n"
	     "    run\n"
	     "module_of_the_moon.c:2        6\n"
	     "    a_function_with_a_name\n");
	fits("20", true,
	     "line\n"
	     "    ns [ns]\n"
	     "    function\n"
	     "--------------------\n"
	     "module_of_the_sun.c:1\n"
	     "          5\n"
	     "    run\n"
	     "module_of_the_moon.c:2\n"
	     "          6\n"
	     "    a_function_with_a_name\n");
}

/*
 * Wide characters take two columns; everything else is compared with sqlite3.
 */
static void modes_align_by_columns_of_a_terminal(void **state)
{
	const struct gaspdb_output_cell cells[] = { TEXT("héllo"), TEXT(NULL),
						    TEXT("日本"), INTEGER(7) };

	(void)state;
	writes(GASPDB_OUTPUT_LINE, false, two, 2, cells, 2,
	       "    a = héllo\nb \"x\" = \n\n"
	       "    a = 日本\nb \"x\" = 7\n");
	writes(GASPDB_OUTPUT_BOX, false, two, 2, cells, 2,
	       "┌───────┬───────┐\n"
	       "│   a   │ b \"x\" │\n"
	       "├───────┼───────┤\n"
	       "│ héllo │       │\n"
	       "│ 日本  │ 7     │\n"
	       "└───────┴───────┘\n");
	writes(GASPDB_OUTPUT_MARKDOWN, false, two, 2, cells, 2,
	       "|   a   | b \"x\" |\n"
	       "|-------|-------|\n"
	       "| héllo |       |\n"
	       "| 日本  | 7     |\n");
	writes(GASPDB_OUTPUT_COLUMN, false, two, 2, cells, 2,
	       "a      b \"x\"\n"
	       "-----  -----\n"
	       "héllo       \n"
	       "日本   7    \n");
	writes(GASPDB_OUTPUT_LIST, false, two, 2, cells, 2, "héllo|\n日本|7\n");
	writes(GASPDB_OUTPUT_TABS, false, two, 2, cells, 2,
	       "héllo\t\n日本\t7\n");
	writes(GASPDB_OUTPUT_QUOTE, false, two, 2, cells, 2,
	       "'héllo',NULL\n'日本',7\n");
}

static void modes_escape_what_they_must(void **state)
{
	const struct gaspdb_output_cell cells[] = { TEXT("\033[31m|'"),
						    TEXT("two\nlines") };

	(void)state;
	writes(GASPDB_OUTPUT_LIST, false, two, 2, cells, 1,
	       "\033[31m|'|two\nlines\n");
	writes(GASPDB_OUTPUT_LIST, true, two, 2, cells, 1,
	       "\\x1b[31m|'|two\\nlines\n");
	writes(GASPDB_OUTPUT_LINE, true, two, 2, cells, 1,
	       "    a = \\x1b[31m|'\nb \"x\" = two\\nlines\n");
	writes(GASPDB_OUTPUT_QUOTE, true, two, 2, cells, 1,
	       "'\\x1b[31m|''','two\\nlines'\n");
	/* Aligned formats escape everywhere; a row stays one line. */
	writes(GASPDB_OUTPUT_MARKDOWN, false, two, 2, cells, 1,
	       "|      a      | b \"x\" |\n"
	       "|-------------|-------|\n"
	       "| \\x1b[31m\\|' | two   |\n"
	       "|             | lines |\n");
}

static void without_rows_there_is_nothing(void **state)
{
	(void)state;
	for (int i = GASPDB_OUTPUT_LINE; gaspdb_output_modes[i].name; i++)
		writes((enum gaspdb_output_format)i, false, two, 2, NULL, 0,
		       "");
}

static void headings_come_if_asked_for(void **state)
{
	struct gaspdb_output_style style = {
		.headings = GASPDB_OUTPUT_HEADINGS_OFF
	};
	const struct gaspdb_output_cell cells[] = { INTEGER(1), INTEGER(2) };

	(void)state;
	styled(&style, two, 2, cells, 1, "1  2\n");
	style.format = GASPDB_OUTPUT_CSV;
	styled(&style, two, 2, cells, 1, "1,2\n");
	style.format = GASPDB_OUTPUT_COLUMN;
	styled(&style, two, 2, cells, 1, "1  2    \n");
	style.headings = GASPDB_OUTPUT_HEADINGS_ON;
	style.format = GASPDB_OUTPUT_LIST;
	styled(&style, two, 2, cells, 1, "a|b \"x\"\n1|2\n");
	style.format = GASPDB_OUTPUT_TABS;
	styled(&style, two, 2, cells, 1, "a\tb \"x\"\n1\t2\n");
	style.format = GASPDB_OUTPUT_QUOTE;
	styled(&style, two, 2, cells, 1, "'a','b \"x\"'\n1,2\n");
}

static void widths_are_least_and_break_texts(void **state)
{
	static const int widths[] = { 4, -7 };
	struct gaspdb_output_style style = { .format = GASPDB_OUTPUT_COLUMN,
					     .widths = widths,
					     .n_widths = 2 };
	const struct gaspdb_output_cell cells[] = { TEXT("abcdef"),
						    INTEGER(2) };

	(void)state;
	styled(&style, two, 2, cells, 1,
	       "a       b \"x\"\n"
	       "----  -------\n"
	       "abcd        2\n"
	       "ef           \n");
	style.format = GASPDB_OUTPUT_TABLE;
	styled(&style, two, 2, cells, 1,
	       "a       b \"x\"\n"
	       "----  -------\n"
	       "...f        2\n");
}

/* Beyond 64 MiB rows are written with the widths so far. */
static void aligned_rows_are_not_held_for_ever(void **state)
{
	enum { ROWS = 1500, BYTES = 64 << 10, WRAP = 1 << 10 };
	const struct gaspdb_output_style style = { .format = GASPDB_OUTPUT_BOX,
						   .wrap = WRAP };
	char *longest = malloc(BYTES + 1);
	FILE *f = open_memstream(&text, &n_text);
	struct gaspdb_output *o = gaspdb_output_open(f, &style, two, 1);
	int lines = 0;

	(void)state;
	memset(longest, 'x', BYTES);
	longest[BYTES] = '\0';
	for (int i = 0; i < ROWS; i++) {
		struct gaspdb_output_cell cell = TEXT(longest);

		gaspdb_output_row(o, &cell);
		fflush(f);
		if (i == 500)
			assert_int_equal(n_text, 0);
	}
	assert_true(n_text > (size_t)(ROWS - 1) * BYTES);
	gaspdb_output_close(o);
	fclose(f);
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	/* The lines of each and a rule below, two rules and the name above. */
	assert_int_equal(lines, ROWS * (BYTES / WRAP + 1) + 3);
	free(text);
	free(longest);
}

static void boxes_fit_a_terminal(void **state)
{
	const struct gaspdb_output_style style = { .format = GASPDB_OUTPUT_BOX,
						   .terminal = true };
	const struct gaspdb_output_cell cells[] = {
		TEXT("a text of many words"), INTEGER(123456789)
	};
	FILE *f = open_memstream(&text, &n_text);
	struct gaspdb_output *o = gaspdb_output_open(f, &style, two, 2);

	(void)state;
	setenv("COLUMNS", "30", 1);
	gaspdb_output_fit(o);
	unsetenv("COLUMNS");
	gaspdb_output_row(o, cells);
	gaspdb_output_close(o);
	fclose(f);
	assert_string_equal(text, "┌────────────────┬───────────┐\n"
				  "│       a        │   b \"x\"   │\n"
				  "├────────────────┼───────────┤\n"
				  "│ a text of many │ 123456789 │\n"
				  "│  words         │           │\n"
				  "└────────────────┴───────────┘\n");
	free(text);
}

static void formats_have_names(void **state)
{
	enum gaspdb_output_format format;

	(void)state;
	for (int i = 0; gaspdb_output_modes[i].name; i++) {
		assert_true(gaspdb_output_format_parse(
			gaspdb_output_modes[i].name, &format));
		assert_int_equal(format, i);
	}
	assert_true(gaspdb_output_format_parse("lines", &format));
	assert_int_equal(format, GASPDB_OUTPUT_LINE);
	assert_true(gaspdb_output_format_parse("mark", &format));
	assert_int_equal(format, GASPDB_OUTPUT_MARKDOWN);
	assert_false(gaspdb_output_format_parse("ta", &format));
	assert_false(gaspdb_output_format_parse("", &format));
	assert_false(gaspdb_output_format_parse("xml", &format));
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_quotes_as_rfc_4180_says),
		cmocka_unit_test(csv_on_a_terminal_is_harmless),
		cmocka_unit_test(csv_has_a_record_for_a_lone_null),
		cmocka_unit_test(csv_has_a_header_without_rows),
		cmocka_unit_test(json_is_valid_whatever_the_text),
		cmocka_unit_test(tables_align_and_scale),
		cmocka_unit_test(tables_fit_a_terminal),
		cmocka_unit_test(tables_are_not_held_back_whole),
		cmocka_unit_test(modes_align_by_columns_of_a_terminal),
		cmocka_unit_test(modes_escape_what_they_must),
		cmocka_unit_test(without_rows_there_is_nothing),
		cmocka_unit_test(headings_come_if_asked_for),
		cmocka_unit_test(widths_are_least_and_break_texts),
		cmocka_unit_test(aligned_rows_are_not_held_for_ever),
		cmocka_unit_test(boxes_fit_a_terminal),
		cmocka_unit_test(formats_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
