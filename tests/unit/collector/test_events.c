/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event tables: every row is well formed, and our headers agree with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <gasp_upc.h>

#include "collector/core/events.h"

#define FOR_EACH(e)                                             \
	for (const struct gaspdb_event_info *e = gaspdb_events; \
	     e < gaspdb_events + GASPDB_N_EVENTS; e++)

/* "name:code name:code", names in lower case, codes of README.md; the number
   of arguments. */
static int check_layout(const char *symbol, const char *layout)
{
	char name[64], code, rest;
	int n = 0, addresses = 0, used;

	while (*layout) {
		if (sscanf(layout, "%63[a-z_]:%c%n", name, &code, &used) != 2)
			fail_msg("%s: bad layout at '%s'", symbol, layout);
		if (!strchr("izuphsdPL", code))
			fail_msg("%s: bad code '%c'", symbol, code);
		addresses += strchr("phPL", code) != NULL;
		layout += used;
		rest = *layout;
		if (rest && rest != ' ')
			fail_msg("%s: no space before '%s'", symbol, layout);
		layout += rest == ' ';
		n++;
	}
	assert_in_range(addresses, 0, 8); /* GASPDB_ADDRESS_MAX */
	return n;
}

static void layouts_parse(void **state)
{
	(void)state;
	FOR_EACH(e)
	{
		assert_in_range(check_layout(e->symbol, e->start), 0, 12);
		assert_in_range(check_layout(e->symbol, e->end), 0, 12);
	}
}

static void texts_are_there(void **state)
{
	(void)state;
	FOR_EACH(e)
	{
		if (!*e->summary || strlen(e->summary) > 60)
			fail_msg("%s: summary is empty or too long", e->symbol);
		if (strlen(e->doc) < 10)
			fail_msg("%s: no documentation", e->symbol);
		if (!*e->name)
			fail_msg("%s: no name", e->symbol);
		if (!*e->phases ||
		    strspn(e->phases, "SEA") != strlen(e->phases))
			fail_msg("%s: phases '%s'", e->symbol, e->phases);
	}
}

static void tags_and_symbols_are_unique(void **state)
{
	(void)state;
	FOR_EACH(a)
	{
		assert_in_range(a->tag, 1, 999);
		for (const struct gaspdb_event_info *b = gaspdb_events; b < a;
		     b++)
			if (a->tag == b->tag || !strcmp(a->symbol, b->symbol))
				fail_msg("%s and %s: same tag or symbol",
					 a->symbol, b->symbol);
	}
}

/* What starts ends, but for calls that do not return. */
static void starts_have_ends(void **state)
{
	(void)state;
	FOR_EACH(e)
	if (strcmp(gaspdb_types[e->type].name, "exit"))
		assert_int_equal(!strchr(e->phases, 'S'),
				 !strchr(e->phases, 'E'));
}

/* The specification's names, by hand from its tables 1 to 10. */
static void headers_have_the_specification(void **state)
{
	static const struct {
		unsigned tag;
		const char *symbol;
	} specified[] = {
#define S(name) { GASP_##name, "GASP_" #name }
		S(C_FUNC),
		S(C_MALLOC),
		S(C_REALLOC),
		S(C_FREE),
		S(UPC_COLLECTIVE_EXIT),
		S(UPC_NONCOLLECTIVE_EXIT),
		S(UPC_NOTIFY),
		S(UPC_WAIT),
		S(UPC_BARRIER),
		S(UPC_FENCE),
		S(UPC_FORALL),
		S(UPC_GLOBAL_ALLOC),
		S(UPC_ALL_ALLOC),
		S(UPC_ALLOC),
		S(UPC_FREE),
		S(UPC_GLOBAL_LOCK_ALLOC),
		S(UPC_ALL_LOCK_ALLOC),
		S(UPC_LOCK_FREE),
		S(UPC_LOCK),
		S(UPC_LOCK_ATTEMPT),
		S(UPC_UNLOCK),
		S(UPC_MEMCPY),
		S(UPC_MEMGET),
		S(UPC_MEMPUT),
		S(UPC_MEMSET),
		S(UPC_GET),
		S(UPC_PUT),
		S(UPC_NB_GET_INIT),
		S(UPC_NB_GET_DATA),
		S(UPC_NB_PUT_INIT),
		S(UPC_NB_PUT_DATA),
		S(UPC_NB_SYNC),
		S(UPC_CACHE_MISS),
		S(UPC_CACHE_HIT),
		S(UPC_CACHE_INVALIDATE),
		S(UPC_ALL_BROADCAST),
		S(UPC_ALL_SCATTER),
		S(UPC_ALL_GATHER),
		S(UPC_ALL_GATHER_ALL),
		S(UPC_ALL_EXCHANGE),
		S(UPC_ALL_PERMUTE),
		S(UPC_ALL_REDUCE),
		S(UPC_ALL_PREFIX_REDUCE)
#undef S
	};

	(void)state;
	for (size_t i = 0; i < sizeof specified / sizeof *specified; i++) {
		const char *symbol = NULL;

		FOR_EACH(e)
		if (e->tag == specified[i].tag)
			symbol = e->symbol;
		assert_non_null(symbol);
		assert_string_equal(symbol, specified[i].symbol);
		assert_true(specified[i].tag < GASP_UPC_USEREVT_START);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(layouts_parse),
		cmocka_unit_test(texts_are_there),
		cmocka_unit_test(tags_and_symbols_are_unique),
		cmocka_unit_test(starts_have_ends),
		cmocka_unit_test(headers_have_the_specification),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
