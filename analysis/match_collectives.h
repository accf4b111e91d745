/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching of barriers and collective operations. */
#ifndef GASPDB_ANALYSIS_MATCH_COLLECTIVES_H
#define GASPDB_ANALYSIS_MATCH_COLLECTIVES_H

#include <sqlite3.h>

#include "error.h"

/*
 * Fills collective, collective_member, collective_total and the collectives of
 * size_total.
 */
enum gaspdb_status gaspdb_pass_collectives(sqlite3 *db,
					   struct gaspdb_error *err);

#endif
