/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a start of a persistent collective does: as it was made. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_STARTS_H
#define GASPDB_ANALYSIS_COLLECTIVES_STARTS_H

#include "analysis/collectives/members.h"

/* Its one parameter is a call; a row each collective that the call starts. */
sqlite3_stmt *gaspdb_collective_starts_prepare(struct gaspdb_run *run);
/* Which instance of which team the row's is, what it does, with which data.
   false: the log does not tell which. */
bool gaspdb_collective_start_consume(sqlite3_stmt *starts,
				     struct gaspdb_member *member);
/* The call that completed it; NONE: none is known. */
int64_t gaspdb_collective_start_end(sqlite3_stmt *starts);

#endif
