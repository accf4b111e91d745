/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file in the run directory that says: the first process of a world on
 * several hosts is recorded, and answers those that ask it for the hosts.  An
 * unrecorded one must not be asked, as its program could receive the question.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_CLOCK_MARK_H
#define GASPDB_COLLECTOR_PROCESS_CLOCK_MARK_H

#include <stdbool.h>

#define GASPDB_CLOCK_MARK "clocks"

/* Makes the file, if this process is the first one as its launcher says.  Before
   the runtime starts, which all processes leave after all have entered it.
   errno is kept. */
void gaspdb_clock_mark_make(void);
/* Whether there is one.  errno is kept. */
bool gaspdb_clock_mark_found(void);

#endif
