/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is recorded: selectors, phases, the selection file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/core/selection/phase_list.h"
#include "collector/core/selection/selection_file.h"
#include "collector/core/selection/selectors.h"

/* --- selectors ------------------------------------------------------------ */

static const struct gaspdb_names send = { "GASP_MPI_SEND", "MPI_Send", "send",
					  "communication", "MPI" };
static const struct gaspdb_names put = { "GASP_SHMEM_PUT", "shmem_putmem",
					 "put", "communication", "OpenSHMEM" };
static const struct gaspdb_names step = { "USER", "step", "user", "none",
					  "MPI" };
static const struct gaspdb_names function = { "GASP_C_FUNC", "function",
					      "function", "computation", "C" };

static bool is_left_out(const char *only, const char *except,
			const struct gaspdb_names *names)
{
	return gaspdb_lists_exclude(&(struct gaspdb_lists){ only, except },
				    names);
}

static void operations(void **state)
{
	(void)state;
	assert_false(is_left_out("", "", &send));
	assert_false(is_left_out("mpi_*", "", &send));
	assert_true(is_left_out("mpi_*", "", &put));
	assert_true(is_left_out("", "communication", &send));
	assert_true(is_left_out("", "x,,GASP_MPI_SEND,", &send));
	assert_true(is_left_out("send", "send", &send));
	assert_false(is_left_out(",", "", &send));
}

static void qualified(void **state)
{
	(void)state;
	assert_true(is_left_out("", "name:MPI_Send", &send));
	assert_false(is_left_out("", "name:send", &send));
	assert_true(is_left_out("", "TYPE:Send", &send));
	assert_false(is_left_out("", "type:MPI_Send", &send));
	assert_false(is_left_out("", "type:", &send));
	assert_true(is_left_out("", "model:mpi", &send));
	assert_true(is_left_out("", "model:shmem", &put));
	assert_true(is_left_out("", "model:open*", &put));
	assert_true(is_left_out("model:user", "", &send));
	assert_false(is_left_out("model:user", "", &step));
	assert_true(is_left_out("", "name:step", &step));
	assert_false(is_left_out("model:functions", "", &function));
	assert_true(is_left_out("", "model:c", &function));
	/* No qualifier: a name with a colon. */
	assert_false(is_left_out("", "symbol:GASP_MPI_SEND", &send));
	assert_false(is_left_out("", "model::mpi", &send));
}

/* Whether heat::Grid::exchange(int) in src/heat.cc is left out. */
static bool is_function_left_out(const char *only, const char *except)
{
	const char *names[] = { "exchange", "heat::Grid::exchange",
				"heat::Grid::exchange(int)", NULL };
	const char *files[] = { "src/heat.cc", "/home/u/src/heat.cc", NULL };

	return gaspdb_lists_exclude_function(
		&(struct gaspdb_lists){ only, except }, &function,
		&(struct gaspdb_function_names){ names, files });
}

static void functions(void **state)
{
	(void)state;
	assert_true(is_function_left_out("", "exchange"));
	assert_true(is_function_left_out("", "Heat::*"));
	assert_true(is_function_left_out("", "function:heat::grid::exchange"));
	assert_true(is_function_left_out("", "type:function"));
	assert_false(is_function_left_out("", "name:exchange"));
	assert_true(is_function_left_out("", "file:heat.cc"));
	assert_true(is_function_left_out("", "file:src/*"));
	assert_true(is_function_left_out("", "file:*/src/heat.cc"));
	assert_false(is_function_left_out("", "file:eat.cc"));
	assert_false(is_function_left_out("", "file:/heat.cc"));
	assert_false(is_function_left_out("file:heat.cc", ""));
	assert_true(is_function_left_out("file:other.cc", ""));
	assert_true(is_function_left_out("MPI_*", ""));
	assert_false(is_function_left_out("MPI_*,exch*", ""));
	/* Other operations, and functions that are not known. */
	assert_false(is_left_out("file:heat.cc", "", &send));
	assert_false(is_left_out("", "file:*,function:*", &send));
	assert_false(is_left_out("file:heat.cc", "", &function));
	assert_true(is_left_out("file:heat.cc,put", "", &send));
}

static void need_of_functions(void **state)
{
	static const struct {
		const char *only, *except;
		bool have, name;
	} cases[] = {
		{ "", "", false, false },
		{ "model:mpi,type:put", "name:x", false, false },
		{ "MPI_*", "", true, false },
		{ "", "MPI_*,file:a.c", true, true },
		{ "function:f", "", true, true },
		{ "file::f", "", true, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct gaspdb_lists l = { cases[i].only,
						cases[i].except };

		assert_int_equal(gaspdb_lists_have_functions(&l),
				 cases[i].have);
		assert_int_equal(gaspdb_lists_name_functions(&l),
				 cases[i].name);
	}
}

/* --- phases --------------------------------------------------------------- */

static void phases(void **state)
{
	struct gaspdb_phase_list l;

	(void)state;
	assert_null(
		gaspdb_phase_list_parse(&l, "step:10..20,solve,a b:7,x:3.."));
	assert_int_equal(l.n, 4);
	assert_true(gaspdb_phase_is(&l.phase[0], "step"));
	assert_false(gaspdb_phase_is(&l.phase[0], "steps"));
	assert_false(gaspdb_phase_is(&l.phase[0], "Step"));
	assert_int_equal(l.phase[0].first, 10);
	assert_int_equal(l.phase[0].last, 20);
	assert_true(gaspdb_phase_is(&l.phase[1], "solve"));
	assert_int_equal(l.phase[1].first, 1);
	assert_true(l.phase[1].last == UINT64_MAX);
	assert_true(gaspdb_phase_is(&l.phase[2], "a b"));
	assert_int_equal(l.phase[2].first, 7);
	assert_int_equal(l.phase[2].last, 7);
	assert_int_equal(l.phase[3].first, 3);
	assert_true(l.phase[3].last == UINT64_MAX);
}

static void bad_phases(void **state)
{
	static const char *const bad[] = {
		"",
		",",
		"a,",
		":1",
		"a:",
		"a:0",
		"a:2..1",
		"a:1-2",
		"a:1...2",
		"a:1.2",
		"a:..2",
		"a:x",
		"a:1 ",
		"a:b:1",
		"a: 1",
		"a:1..2..3",
		"a:-1",
		"a:1..0",
		"a:99999999999999999999",
		"a:1..99999999999999999999",
	};
	struct gaspdb_phase_list l;
	char *text = malloc(GASPDB_PHASES_TEXT_MAX + 2);

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (!gaspdb_phase_list_parse(&l, bad[i]))
			fail_msg("'%s' is taken", bad[i]);
	memset(text, 'x', GASPDB_PHASES_TEXT_MAX + 1);
	text[GASPDB_PHASES_TEXT_MAX + 1] = 0;
	assert_non_null(gaspdb_phase_list_parse(&l, text));
	text[GASPDB_PHASES_TEXT_MAX] = 0;
	assert_null(gaspdb_phase_list_parse(&l, text));
	for (int i = 0; i < 32; i++)
		memcpy(text + 2 * i, "x,", 2);
	text[63] = 0;
	assert_null(gaspdb_phase_list_parse(&l, text));
	strcpy(text + 63, ",x");
	assert_non_null(gaspdb_phase_list_parse(&l, text));
	free(text);
}

/* --- the selection file --------------------------------------------------- */

static bool find_module(const char *line, size_t n, uintptr_t *bias)
{
	*bias = 0x1000;
	return n == strlen("ab12 /here") && !memcmp(line, "ab12 /here", n);
}

static bool parse(struct gaspdb_selection *s, const char *text)
{
	memset(s, 0, sizeof *s);
	return gaspdb_selection_parse(s, text, strlen(text), find_module);
}

#define FIRST GASPDB_SELECTION_FIRST "\n"

static bool has(const struct gaspdb_selection *s, uintptr_t address)
{
	return gaspdb_address_set_has(&s->functions, address);
}

static void selection_file(void **state)
{
	struct gaspdb_selection s;

	(void)state;
	assert_true(parse(&s, FIRST "exclude *\ninclude st*p\n"
				    "module ab12 /here\n10\nff\n"
				    "module - /other\n20\n"
				    "module ab12 /here\n30"));
	assert_true(has(&s, 0x1010));
	assert_true(has(&s, 0x10ff));
	assert_true(has(&s, 0x1030));
	assert_false(has(&s, 0x1020));
	assert_false(has(&s, 0x10));
	assert_false(has(&s, 0));
	assert_int_equal(s.functions.n, 3);
	assert_true(gaspdb_selection_rules_exclude(&s, "solve"));
	assert_false(gaspdb_selection_rules_exclude(&s, "step"));
	assert_true(gaspdb_selection_rules_exclude(&s, "STEP"));
	assert_true(parse(&s, FIRST));
	assert_false(gaspdb_selection_rules_exclude(&s, "step"));
	assert_false(has(&s, 1));
}

static void bad_selection_files(void **state)
{
	static const char *const bad[] = {
		"",
		"\n",
		"gaspdb selection 10\n",
		"gaspdb selection",
		FIRST "10\n",
		FIRST "\n",
		FIRST "module ab12 /here\n\n",
		FIRST "module ab12 /here\n0x10\n",
		FIRST "module ab12 /here\n10 \n",
		FIRST "module ab12 /here\n12345678901234567\n",
		FIRST "module ab12 /here\nexclude *\n",
		FIRST "excludes *\n",
	};
	struct gaspdb_selection s;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (parse(&s, bad[i]))
			fail_msg("'%s' is taken", bad[i]);
}

/* 100,000 functions, each found, and none between them. */
static void many_functions(void **state)
{
	enum { N = 100000 };
	struct gaspdb_selection s;
	char *text = malloc(64 + 8 * N), *at = text;

	(void)state;
	at += sprintf(at, FIRST "module ab12 /here\n");
	for (unsigned i = 1; i <= N; i++)
		at += sprintf(at, "%x\n", 16 * i);
	assert_true(parse(&s, text));
	assert_int_equal(s.functions.n, N);
	for (unsigned i = 1; i <= N; i++)
		if (!has(&s, 0x1000 + 16 * i) || has(&s, 0x1001 + 16 * i))
			fail_msg("function %u", i);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations),
		cmocka_unit_test(qualified),
		cmocka_unit_test(functions),
		cmocka_unit_test(need_of_functions),
		cmocka_unit_test(phases),
		cmocka_unit_test(bad_phases),
		cmocka_unit_test(selection_file),
		cmocka_unit_test(bad_selection_files),
		cmocka_unit_test(many_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
