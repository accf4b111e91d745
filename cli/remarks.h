/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader of an analysis should know of the data behind it. */
#ifndef GASPDB_REMARKS_H
#define GASPDB_REMARKS_H

#include "database.h"

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

/* "2 of 4 threads have no whole log", or "".  The caller frees it. */
char *gaspdb_remarks_threads(struct gaspdb_database *db);

#endif
