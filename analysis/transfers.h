/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocking accesses to other processes' memory. */
#ifndef GASPDB_ANALYSIS_TRANSFERS_H
#define GASPDB_ANALYSIS_TRANSFERS_H

#include <sqlite3.h>

#include "error.h"

/*
 * Fills access_pair, access_piece, access_line, fine_grained,
 * fine_grained_total, and the
 * gets, puts and atomics of size_total.
 */
enum gaspdb_status gaspdb_pass_transfers(sqlite3 *db, struct gaspdb_error *err);

#endif
