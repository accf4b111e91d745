/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Upcalls: what gaspdb's collector asks a UPC program about itself, in the
 * program's own language.  Define any of these in a UPC file that is compiled
 * as the program is and linked with gaspdb-upc.o; each may be left out.
 * collector/models/upc/gaspdb_upcalls.upc has them all.
 *
 * They are called by the UPC thread that they are about.  Events that the
 * runtime raises meanwhile are ignored.
 */
#ifndef GASPDB_UPC_H
#define GASPDB_UPC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MYTHREAD and THREADS. */
int gaspdb_upc_mythread(void);
int gaspdb_upc_threads(void);

/*
 * Of the pointer-to-shared that lies at pts (never NULL; a lock's pointer is
 * one): upc_threadof, upc_phaseof, upc_addrfield.
 */
int gaspdb_upc_pts_thread(const void *pts);
size_t gaspdb_upc_pts_phase(const void *pts);
size_t gaspdb_upc_pts_address(const void *pts);
/* sizeof(shared void *): takes the place of UPC_PTS_SIZE. */
size_t gaspdb_upc_pts_size(void);

/* upc_barrier.  Called once by each thread, at the end of gasp_init. */
void gaspdb_upc_barrier(void);

/* The runtime's clock, in ns. */
uint64_t gaspdb_upc_clock_ns(void);

/*
 * The implementation's numbers for UPC_IN_ALLSYNC, UPC_IN_MYSYNC,
 * UPC_IN_NOSYNC, UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC, UPC_OUT_NOSYNC.
 */
void gaspdb_upc_sync_flags(int flags[6]);

/*
 * Words in shared memory, by which threads compare their hosts' clocks:
 * GASPDB_UPC_WORDS of each thread, 0 at first.  Accesses are strict.
 * collector/models/upc/gaspdb_clocks.upc has all three functions.
 */
#define GASPDB_UPC_WORDS 128
uint64_t gaspdb_upc_word(int thread, int word);
void gaspdb_upc_set_word(int thread, int word, uint64_t value);
/* 0: the runtime has not made static shared objects yet. */
int gaspdb_upc_has_shared(void);

/*
 * Collectives of a runtime that raises no events of them.  A wrapper of each,
 * called in its place (-Wl,--wrap), calls the two functions below before and
 * after it; collector/models/upc/gaspdb_collectives.upc has them all.
 */
enum gaspdb_upc_collective_kind {
	GASPDB_UPC_BROADCAST,
	GASPDB_UPC_SCATTER,
	GASPDB_UPC_GATHER,
	GASPDB_UPC_GATHER_ALL,
	GASPDB_UPC_EXCHANGE,
	GASPDB_UPC_PERMUTE,
	GASPDB_UPC_REDUCE,
	GASPDB_UPC_PREFIX_REDUCE,
	GASPDB_UPC_SORT
};

/* In static storage. name: as the user calls it. */
struct gaspdb_upc_collective {
	const char *name;
	enum gaspdb_upc_collective_kind kind;
};

/*
 * place: where the wrapper was called. arguments: a word each, in the order of
 * the event's layout (collector/events/upc.tbl.h); of a pointer-to-shared the
 * address where it lies.  Nothing is recorded if the runtime has an event of
 * that kind itself.
 */
void gaspdb_upc_collective_start(const struct gaspdb_upc_collective *call,
				 const void *place, const uint64_t *arguments);
void gaspdb_upc_collective_end(const struct gaspdb_upc_collective *call,
			       const void *place);

/* Upcall: 1 where the wrappers are linked. */
int gaspdb_upc_records_collectives(void);

#ifdef __cplusplus
}
#endif

#endif
