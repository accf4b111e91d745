/* SPDX-License-Identifier: BSD-2-Clause */
/* Places of calls that a Python program makes. */
#ifndef GASPDB_COLLECTOR_CORE_PYTHON_PLACES_H
#define GASPDB_COLLECTOR_CORE_PYTHON_PLACES_H

#include <stdbool.h>

/*
 * The place (source_places.h) of a call that an extension module of Python or
 * libffi makes for the calling thread: where the program's innermost Python
 * code stands.  pc: the call's return address, which is returned where there is
 * no such code, or this version of Python is not known (META limits).  errno is
 * kept.  The thread need not hold the interpreter's lock.
 */
const void *gaspdb_python_place(const void *pc);

/* Whether a place was asked for before, in a process with a Python whose
   version is known. */
bool gaspdb_python_is_found(void);

#endif
