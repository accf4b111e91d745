/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Upcalls: thread numbers and the contents of pointers-to-shared, which only
 * the UPC program knows.  They are functions of gaspdb_upc.h that the program
 * may define.  Thread numbers also come from the symbols MYTHREAD and THREADS,
 * if the build says so.
 */
#ifndef GASPDB_COLLECTOR_GASP_UPCALLS_H
#define GASPDB_COLLECTOR_GASP_UPCALLS_H

#include "collector/core/context.h"

/* Ends an upcall.  The caller tests c->live afterwards; the process's end tests
   in the other order. */
static inline void gaspdb_upcall_over(struct gaspdb_context *c)
{
	c->upcall = false;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Begins upcalls: events during them are the tool's own.  Returns c, for the
   end, or NULL if there is nothing to end.  c may be NULL. */
static inline struct gaspdb_context *
gaspdb_upcall_begin(struct gaspdb_context *c)
{
	if (!c || !gaspdb_begin(c))
		return NULL;
	c->upcall = true;
	return c;
}

static inline void gaspdb_upcall_end(struct gaspdb_context *c)
{
	if (!c)
		return;
	gaspdb_upcall_over(c);
	gaspdb_done(c);
}

/* Logs a new UPC thread's number and runtime. c NULL: it is not recorded, but
   takes part in the barrier. */
void gaspdb_upcalls_thread(struct gaspdb_context *c);

/* Parts of a pointer-to-shared in the log: a number each, named as the argument
   with a suffix; the same parts throughout a run.  Returns how many. */
#define GASPDB_PTS_PARTS 3 /* at most */
struct gaspdb_pts_part {
	const char *suffix;
	char code;
};
unsigned gaspdb_pts_parts(struct gaspdb_pts_part *parts);

/* Reads the parts of the pointer at pts, which may be NULL; is_lock: a lock's.
   c is busy.  Returns how many. */
unsigned gaspdb_pts_read(struct gaspdb_context *c, const void *pts,
			 bool is_lock, uint64_t *parts);

/* Logs the time of upcalls since the last call as the tool's, if it was long. c
   is busy. */
void gaspdb_upcalls_emit_time(struct gaspdb_context *c);

#endif
