/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What accesses suffer from what their targets do, or make others suffer. */
#ifndef GASPDB_ANALYSIS_TARGETS_H
#define GASPDB_ANALYSIS_TARGETS_H

#include <sqlite3.h>

#include "error.h"

/* Fills target_line, starved_total, delivery_total and hand_made_total. */
enum gaspdb_status gaspdb_pass_targets(sqlite3 *db, struct gaspdb_error *err);

#endif
