/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader of an analysis should know of the data behind it. */
#ifndef GASPDB_CLI_DATABASE_REMARKS_H
#define GASPDB_CLI_DATABASE_REMARKS_H

#include "cli/database/database.h"

/*
 * On stderr, a line each: threads without a whole log, how much of the
 * messages was matched, warnings in quality; of what concerns the tables that
 * were read since the last gaspdb_database_forget_reads.
 */
void gaspdb_remarks_print(struct gaspdb_database *db);

/*
 * How much of the point-to-point traffic was matched, in a sentence; "" if
 * there is none.  The caller frees it.
 */
char *gaspdb_remarks_coverage(struct gaspdb_database *db);

/* "2 of 4 ranks have no whole log", or "".  The caller frees it. */
char *gaspdb_remarks_threads(struct gaspdb_database *db);

/*
 * What the threads say under a key of thread_meta: one value, or several as "a
 * (4 ranks), b (2 ranks)"; else what meta says.  The caller frees it.
 */
char *gaspdb_remarks_values(struct gaspdb_database *db, const char *key);

/* Kinds of defects of that severity: "lost events (3), no end block (1)", or
 * "". The caller frees it. */
char *gaspdb_remarks_defects(struct gaspdb_database *db, const char *severity);

/* The recorded command's exit status, "0", "137 (signal 9)"; "" if it is not
 * known.  The caller frees it. */
char *gaspdb_remarks_status(struct gaspdb_database *db);

#endif
