/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What only the UPC program knows: its threads, and what a pointer-to-shared
 * points to.  Through the functions of gaspdb_upc.h where the program has them;
 * threads also through the symbols MYTHREAD and THREADS, where the build says
 * so.
 */
#ifndef GASPDB_UPCALLS_H
#define GASPDB_UPCALLS_H

#include "context.h"

/*
 * A UPC thread begins: its number and the runtime go to its log.  c NULL: it is
 * not recorded, but takes part in the barrier.
 */
void gaspdb_upcalls_thread(struct gaspdb_context *c);

#endif
