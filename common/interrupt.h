/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that end an operation early: it stops where it can, and removes what
   it has begun. */
#ifndef GASPDB_COMMON_INTERRUPT_H
#define GASPDB_COMMON_INTERRUPT_H

#include <signal.h>
#include <stdatomic.h>

/* The signal that came; 0: none.  A handler sets it, all threads read it. */
extern atomic_int gaspdb_interrupted;

enum { GASPDB_N_INTERRUPTS = 6 };

/* The handlers that were there before. */
struct gaspdb_interrupts {
	struct sigaction old[GASPDB_N_INTERRUPTS];
};

/* From now on such a signal sets gaspdb_interrupted, which is 0 now. */
void gaspdb_interrupts_catch(struct gaspdb_interrupts *interrupts);
/* The old handlers again.  Raises the signal that came, if any. */
void gaspdb_interrupts_release(const struct gaspdb_interrupts *interrupts);

#endif
