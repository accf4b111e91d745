/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What only the UPC program knows: its threads, and what a pointer-to-shared
 * points to.  Through the functions of gaspdb_upc.h where the program has them;
 * threads also through the symbols MYTHREAD and THREADS, where the build says
 * so.
 */
#ifndef GASPDB_COLLECTOR_GASP_UPCALLS_H
#define GASPDB_COLLECTOR_GASP_UPCALLS_H

#include "collector/core/context.h"

/*
 * A UPC thread begins: its number and the runtime go to its log.  c NULL: it is
 * not recorded, but takes part in the barrier.
 */
void gaspdb_upcalls_thread(struct gaspdb_context *c);

/*
 * A pointer-to-shared in the log: a few numbers, its argument's name with a
 * suffix each, the same ones all the time.  Returns how many.
 */
#define GASPDB_PTS_PARTS 3 /* at most */
struct gaspdb_pts_part {
	const char *suffix;
	char code;
};
unsigned gaspdb_pts_parts(struct gaspdb_pts_part *parts);

/* Those of the pointer at pts, which may be NULL; is_lock: a lock's.  c is
   busy. Returns how many there are. */
unsigned gaspdb_pts_read(struct gaspdb_context *c, const void *pts,
			 bool is_lock, uint64_t *parts);

/* If upcalls since the last call of this took long, that was the tool's time.
   c is busy. */
void gaspdb_upcalls_emit_time(struct gaspdb_context *c);

#endif
