/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A file in the run directory that says: the first process of a world on
 * several hosts is recorded, and answers those that ask it for the hosts.  An
 * unrecorded one must not be asked, as its program could receive the question.
 * That of a spawned world is N.clocks; it has the process's host.
 */
#ifndef GASPDB_COLLECTOR_PROCESS_CLOCK_MARK_H
#define GASPDB_COLLECTOR_PROCESS_CLOCK_MARK_H

#include <stdbool.h>

#define GASPDB_CLOCK_MARK	 "clocks"
#define GASPDB_CLOCK_MARK_SUFFIX ".clocks"
#define GASPDB_HOST_BYTES	 256

/* Makes the file of a world (0: the run's first), if this process is the first
   one as its launcher says.  Before the runtime starts, which all processes
   leave after all have entered it.  errno is kept. */
void gaspdb_clock_mark_make(int world);
/* Whether there is one, and the host that it names ("": of the run's first
   world).  errno is kept. */
bool gaspdb_clock_mark_read(int world, char host[GASPDB_HOST_BYTES]);
/* The host's name, as marks have it. */
void gaspdb_clock_mark_host(char host[GASPDB_HOST_BYTES]);

#endif
