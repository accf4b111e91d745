/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shared words of a runtime that makes them between gasp_init and main; each
 * access raises events, which nobody may count.
 */
#include <stdlib.h>

#include "gaspdb_upc.h"
#include "runtime.h"

static volatile uint64_t words[64][GASPDB_UPC_WORDS]
	__attribute__((section("upc_shared"), aligned(4096)));

static void raise_events(void)
{
	gasp_event_notify(rt_context(), GASP_UPC_GET, GASP_START, "words.upc",
			  1, 0, 0, NULL, NULL, (size_t)8);
	gasp_event_notify(rt_context(), GASP_UPC_GET, GASP_END, "words.upc", 1,
			  0, 0, NULL, NULL, (size_t)8);
}

uint64_t gaspdb_upc_word(int thread, int word)
{
	if (!rt_has_statics())
		abort();
	raise_events();
	return words[thread][word];
}

void gaspdb_upc_set_word(int thread, int word, uint64_t value)
{
	if (!rt_has_statics())
		abort();
	raise_events();
	words[thread][word] = value;
}

int gaspdb_upc_has_shared(void)
{
	raise_events();
	return rt_has_statics();
}
