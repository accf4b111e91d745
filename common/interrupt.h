/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the import is to end early. */
#ifndef GASPDB_INTERRUPT_H
#define GASPDB_INTERRUPT_H

#include <signal.h>

/* The signal that asks for it; 0: none. */
extern volatile sig_atomic_t gaspdb_interrupted;

#endif
