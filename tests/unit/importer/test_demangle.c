/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangling of names of C++ functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "importer/symbols/demangle.h"

static void names(void **state)
{
	static const struct {
		const char *symbol, *name;
	} cases[] = {
		{ "", "" },
		{ "main", "main" },
		{ "solve.isra.0", "solve.isra.0" },
		{ "_Z", "_Z" },
		{ "_Zsolve", "_Zsolve" },
		{ "_Z5solvei", "solve" },
		{ "_ZN2LA9CommBrick12forward_commEv",
		  "LA::CommBrick::forward_comm" },
		{ "_ZN4heat4GridIdE8exchangeEi.isra.0",
		  "heat::Grid<double>::exchange" },
		{ "_ZNK4heat4GridIdE4normEv", "heat::Grid<double>::norm" },
		{ "_Z3addIiEvT_", "void add<int>" },
		{ "_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f" },
		{ "_ZN12_GLOBAL__N_11xE", "(anonymous namespace)::x" },
		{ "_ZN1A12_GLOBAL__N_11xE", "A::(anonymous namespace)::x" },
		{ "_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()" },
		{ "_ZN1AclEi", "A::operator()" },
		{ "_Z5applyPFviE", "apply" },
		{ "_GLOBAL__sub_I_main", "_GLOBAL__sub_I_main" },
		{ "_GLOBAL__sub_I__ZN4heat4GridC2Ei",
		  "_GLOBAL__sub_I_heat::Grid::Grid" },
	};
	char name[100];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		gaspdb_demangle(cases[i].symbol, name, sizeof name);
		assert_string_equal(name, cases[i].name);
	}
}

/* Names that do not fit: a third of the room holds the beginning, the rest the
   end. */
static void long_ones(void **state)
{
	char symbol[1200] = "_Z";
	char name[8];

	(void)state;
	gaspdb_demangle("_Z9propagatev", name, sizeof name);
	assert_string_equal(name, "p...ate");
	gaspdb_demangle("propagate", name, sizeof name);
	assert_string_equal(name, "p...ate");
	for (int i = 0; i < 1100; i++)
		strcat(symbol, "P");
	gaspdb_demangle(symbol, name, sizeof name);
	assert_string_equal(name, "_...PPP");
	gaspdb_demangle("_GLOBAL__sub_I__Z9propagatev", name, sizeof name);
	assert_string_equal(name, "p...ate");
}

/* A name whose parameters are pairs, each of two of the one before: 2^24 times
   the first if expanded. */
static void endless(void **state)
{
	char symbol[400] = "_Z1fSt4pairIiiE", more[16];
	char name[20];

	(void)state;
	/* S_ is std::pair, S0_ the first pair, S1_ the second ... */
	for (int i = 0; i < 24; i++) {
		const char digit = "0123456789ABCDEFGHIJKLMN"[i];

		sprintf(more, "S_IS%c_S%c_E", digit, digit);
		strcat(symbol, more);
	}
	gaspdb_demangle(symbol, name, sizeof name);
	assert_string_equal(name, "_Z1fS...ES_ISN_SN_E");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(long_ones),
		cmocka_unit_test(endless),
	};

	return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
