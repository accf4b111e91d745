/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remarks about the data behind an analysis. */
#ifndef GASPDB_CLI_DATABASE_REMARKS_H
#define GASPDB_CLI_DATABASE_REMARKS_H

#include "cli/database/database.h"

/*
 * Prints remarks on stderr, a line each: threads without a whole log, coverage
 * of matching, warnings of quality; only those that concern tables read since
 * the last gaspdb_database_forget_reads().
 */
void gaspdb_remarks_print(struct gaspdb_database *db);

/* Coverage of point-to-point matching, as a sentence; "": no traffic. The
   caller frees it. */
char *gaspdb_remarks_coverage(struct gaspdb_database *db);

/* "2 of 4 ranks have no whole log", or "".  The caller frees it. */
char *gaspdb_remarks_threads(struct gaspdb_database *db);

/* Values of a key of thread_meta: one value, or several as "a (4 ranks), b (2
   ranks)"; without any, the value in meta. The caller frees it. */
char *gaspdb_remarks_values(struct gaspdb_database *db, const char *key);

/* Kinds of defects of that severity: "lost events (3), no end block (1)", or
 * "". The caller frees it. */
char *gaspdb_remarks_defects(struct gaspdb_database *db, const char *severity);

/* The recorded command's exit status, "0", "137 (signal 9)"; "" if it is not
 * known.  The caller frees it. */
char *gaspdb_remarks_status(struct gaspdb_database *db);

/* Ranks of spawned processes: "world 1: ranks 2 to 3, world 2: rank 4" (the
   first 20 worlds); "" without any.  The caller frees it. */
char *gaspdb_remarks_worlds(struct gaspdb_database *db);

#endif
