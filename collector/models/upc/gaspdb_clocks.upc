/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shared words of gaspdb_upc.h, by which threads on several hosts compare
 * their clocks.  Compile it as gaspdb_upcalls.upc, without instrumentation.
 */
#include <upc_strict.h>

#include "gaspdb_upc.h"

#if __UPC_PUPC__
#pragma pupc off
#endif

struct gaspdb_upc_words {
	uint64_t of[GASPDB_UPC_WORDS];
};

static strict shared struct gaspdb_upc_words words[THREADS];

uint64_t gaspdb_upc_word(int thread, int word)
{
#ifdef __BERKELEY_UPC__
	bupc_poll(); /* others' accesses may need it, where this is in a loop */
#endif
	return words[thread].of[word];
}

void gaspdb_upc_set_word(int thread, int word, uint64_t value)
{
	words[thread].of[word] = value;
}

int gaspdb_upc_has_shared(void)
{
#ifdef __BERKELEY_UPC__
	/* It allocates them between gasp_init and main. */
	return (shared void *)&words[0] != NULL;
#else
	return 1;
#endif
}
