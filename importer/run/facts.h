/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.txt in a run directory: facts that gaspdb record knows and no log has.
   Lines of the form "key: value". */
#ifndef GASPDB_IMPORTER_RUN_FACTS_H
#define GASPDB_IMPORTER_RUN_FACTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define GASPDB_RUN_FACTS "run.txt"
/* Keys */
#define GASPDB_RUN_COMMAND   "command"	 /* as a shell would read it */
#define GASPDB_RUN_DIRECTORY "directory" /* where it was started */
#define GASPDB_RUN_START     "start"	 /* ISO 8601, UTC */
#define GASPDB_RUN_END	     "end"
#define GASPDB_RUN_STATUS    "status" /* 128 + n: ended by signal n */
#define GASPDB_RUN_HOST	     "host"
#define GASPDB_RUN_VERSION   "gaspdb"
#define GASPDB_RUN_NOTHING   "nothing recorded" /* why */

/* The value of key in the file, or NULL.  The caller frees it. */
char *gaspdb_run_fact_in(FILE *f, const char *key);
/* Parses a time of CLOCK_REALTIME as gaspdb record writes it
   ("2026-11-26T04:54:25.012345678Z"); false: invalid. */
bool gaspdb_run_time_of(const char *text, int64_t *real_ns);

#endif
