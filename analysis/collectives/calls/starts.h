/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts of persistent collectives, with the operation that their creation
   recorded. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_CALLS_STARTS_H
#define GASPDB_ANALYSIS_COLLECTIVES_CALLS_STARTS_H

#include "analysis/collectives/calls/members.h"

/* A statement with a starting call as its parameter, and a row per collective
   that the call starts. */
sqlite3_stmt *gaspdb_collective_starts_prepare(struct gaspdb_run *run);
/* Set team, sequence, operation, root and sizes of a member from a row. false:
   its instance is unknown. */
bool gaspdb_collective_start_consume(sqlite3_stmt *starts,
				     struct gaspdb_member *member);
/* The call that completed it; NONE: unknown. */
int64_t gaspdb_collective_start_end(sqlite3_stmt *starts);

#endif
