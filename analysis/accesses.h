/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of other processes' memory, and what these did meanwhile. */
#ifndef GASPDB_ANALYSIS_ACCESSES_H
#define GASPDB_ANALYSIS_ACCESSES_H

#include <sqlite3.h>

#include "error.h"

/*
 * Fills access_pair, access_piece, access_line, fine_grained,
 * fine_grained_total, polling_total, reread_total, the gets, puts and atomics
 * of size_total, target_line, starved_total, delivery_total and
 * hand_made_total.  Wants wait.
 */
enum gaspdb_status gaspdb_pass_accesses(sqlite3 *db, struct gaspdb_error *err);

#endif
