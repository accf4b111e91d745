/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interrupts: signals that end an operation early; it stops at a safe point and
   cleans up. */
#ifndef GASPDB_COMMON_INTERRUPT_H
#define GASPDB_COMMON_INTERRUPT_H

#include <signal.h>
#include <stdatomic.h>

/* The signal received; 0: none. Set by a handler, read by all threads. */
extern atomic_int gaspdb_interrupted;

enum { GASPDB_N_INTERRUPTS = 6 };

/* Previous handlers. */
struct gaspdb_interrupts {
	struct sigaction old[GASPDB_N_INTERRUPTS];
};

/* Installs the handler, and clears gaspdb_interrupted. */
void gaspdb_interrupts_catch(struct gaspdb_interrupts *interrupts);
/* Restores the previous handlers, and raises the signal received, if any. */
void gaspdb_interrupts_release(const struct gaspdb_interrupts *interrupts);

#endif
