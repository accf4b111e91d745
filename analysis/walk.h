/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one walk over all events tells: of accesses, of the path, of POP. */
#ifndef GASPDB_ANALYSIS_WALK_H
#define GASPDB_ANALYSIS_WALK_H

#include <sqlite3.h>

#include "error.h"

/* Fills the tables that accesses.h and path_and_pop.h tell of; wants what these
   do. */
enum gaspdb_status gaspdb_pass_walk(sqlite3 *db, struct gaspdb_error *err);

#endif
