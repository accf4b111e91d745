/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the import is to end early. */
#ifndef GASPDB_INTERRUPT_H
#define GASPDB_INTERRUPT_H

#include <stdatomic.h>

/* The signal that asks for it; 0: none.  A handler sets it, all threads of an
   import read it. */
extern atomic_int gaspdb_interrupted;

#endif
