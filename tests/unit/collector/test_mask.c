/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Globs of the masks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fnmatch.h>
#include <string.h>

#include "collector/core/selection/glob.h"

static void globs(void **state)
{
	static const struct {
		const char *glob, *text;
		bool matches;
	} cases[] = {
		{ "get", "get", true },
		{ "get", "Get", true },
		{ "get", "gets", false },
		{ "get", "", false },
		{ "", "", true },
		{ "*", "", true },
		{ "*", "anything", true },
		{ "MPI_I*", "MPI_Isend", true },
		{ "mpi_i*", "MPI_Send", false },
		{ "*send", "MPI_Isend", true },
		{ "*s*nd*", "MPI_Isend_c", true },
		{ "*ab*ab", "abab", true },
		{ "*ab*ab", "aba", false },
		{ "?", "", false },
		{ "m?i", "mPi", true },
		{ "[a-c]x", "Bx", true },
		{ "[a-c]x", "dx", false },
		{ "[!a-c]x", "dx", true },
		{ "[!a-c]x", "ax", false },
		{ "[]x]", "]", true },
		{ "[a-]", "-", true },
		{ "[ab", "[ab", true },
		{ "\\*", "*", true },
		{ "\\*", "a", false },
		{ "a\\", "a\\", true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (gaspdb_glob_any_case(cases[i].glob, strlen(cases[i].glob),
					 cases[i].text) != cases[i].matches)
			fail_msg("'%s' and '%s'", cases[i].glob, cases[i].text);
}

/* Only the length told counts, as in the middle of a list. */
static void length_of_a_glob(void **state)
{
	(void)state;
	assert_true(gaspdb_glob_any_case("get,put", 3, "get"));
	assert_false(gaspdb_glob_any_case("get,put", 3, "get,put"));
	assert_false(gaspdb_glob_any_case("[a,b]", 2, "a"));
	assert_true(gaspdb_glob_any_case("[a,b]", 2, "[a"));
}

/* Random ones, as fnmatch(3) has them. */
static void as_fnmatch(void **state)
{
	static const char letters[] = "aAb*?[]!-";
	unsigned x = 1;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		char glob[8] = "", text[6] = "";

		for (unsigned n = 0; n < sizeof glob - 1; n++) {
			x = x * 1664525u + 1013904223u;
			glob[n] = letters[(x >> 16) % sizeof letters];
		}
		for (unsigned n = 0; n < sizeof text - 1; n++) {
			x = x * 1664525u + 1013904223u;
			text[n] = "abA-"[(x >> 16) % 5];
		}
		/* A range with a bracket in it is read in many ways. */
		if (strstr(glob, "-]") || strstr(glob, "-[") ||
		    strstr(glob, "]-") || strstr(glob, "[-"))
			continue;
		if (gaspdb_glob_any_case(glob, strlen(glob), text) !=
		    !fnmatch(glob, text, FNM_CASEFOLD))
			fail_msg("'%s' and '%s'", glob, text);
		if (gaspdb_glob(glob, strlen(glob), text) !=
		    !fnmatch(glob, text, 0))
			fail_msg("'%s' and '%s', with case", glob, text);
	}
}

static void with_case(void **state)
{
	(void)state;
	assert_true(gaspdb_glob("Get*", 4, "Gets"));
	assert_false(gaspdb_glob("Get*", 4, "gets"));
	assert_true(gaspdb_glob("[A-C]x", 6, "Bx"));
	assert_false(gaspdb_glob("[A-C]x", 6, "bx"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs),
		cmocka_unit_test(length_of_a_glob),
		cmocka_unit_test(as_fnmatch),
		cmocka_unit_test(with_case),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
