/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Readings of the hosts' clocks in UPC programs.  The first thread of each host
 * is its leader.  Leaders exchange ping-pongs through words in shared memory,
 * which the program has by an upcall file (gaspdb_upc.h): when gasp_init's
 * upcall of a barrier, or the first barrier, has ended; after barriers, now and
 * then; and at the collective exit.  Other threads do nothing, but that each
 * says on which host it is, and waits once for thread 0's choice of leaders.
 */
#ifndef GASPDB_COLLECTOR_GASP_CLOCKS_H
#define GASPDB_COLLECTOR_GASP_CLOCKS_H

#include "collector/core/clocks/leaders.h"
#include "collector/core/context.h"

/* --- clocks.c: the interface ---------------------------------------------- */

/* Events that say where other threads are. */
enum gaspdb_upc_sync {
	GASPDB_UPC_NO_SYNC,
	GASPDB_UPC_NOTIFY,
	GASPDB_UPC_WAIT,
	GASPDB_UPC_WHOLE_BARRIER,
	GASPDB_UPC_EXIT
};

enum gaspdb_upc_sync gaspdb_upc_sync_of(enum gaspdb_event event);

/* In gasp_init, before the upcall of a barrier, and at its end. c NULL: the
   thread is not recorded, and cannot lead. */
void gaspdb_upc_clocks_thread(struct gaspdb_context *c, int thread,
			      int threads);
void gaspdb_upc_clocks_begin(void);

/* Whether the calling thread counts such events. */
bool gaspdb_upc_clocks_counts(void);
/* After an event, which is recorded or not. */
GASPDB_COLD void gaspdb_upc_clocks_event(struct gaspdb_context *c,
					 enum gaspdb_upc_sync sync,
					 enum gaspdb_phase phase,
					 const char *file, uint64_t line);

/* --- hosts.c -------------------------------------------------------------- */

/* Whether the words are there: linked, and made by the runtime. */
bool gaspdb_upc_has_words(void);
/* The calling thread says on which host it is. */
void gaspdb_upc_say_host(int thread, bool can_lead);
/*
 * Finds the leaders, after each thread that takes part has said its host; *l:
 * if the calling thread is one.  Returns NULL, or why there is no answer.
 */
const char *gaspdb_upc_find_leaders(struct gaspdb_leaders *l, int thread,
				    int threads, bool *is_leader);

/* --- words.c -------------------------------------------------------------- */

/* Words of each thread */
enum {
	GASPDB_WORD_HOST,   /* where the thread is; 0: it takes no part */
	GASPDB_WORD_ROLE,   /* 1: leads no host; 2 + number of a leader */
	GASPDB_WORD_LEADER, /* of thread i: the thread of leader i */
	GASPDB_WORD_LEADERS, /* of thread 0: their number */
	GASPDB_WORD_STOP,    /* sampling has ended */
	GASPDB_WORD_FIRST    /* of the neighbours' messages */
};

/* A word of a thread, by an upcall. */
uint64_t gaspdb_upc_get(int thread, int word);
void gaspdb_upc_put(int thread, int word, uint64_t value);

/* Largest number of leaders: each has words for so many children. */
extern const int gaspdb_upc_leaders_max GASPDB_HIDDEN;
extern const struct gaspdb_transport gaspdb_upc_transport GASPDB_HIDDEN;

#endif
