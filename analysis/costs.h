/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls cost besides waiting, once all waiting is known. */
#ifndef GASPDB_ANALYSIS_COSTS_H
#define GASPDB_ANALYSIS_COSTS_H

#include <sqlite3.h>

#include "error.h"

/* Fills completion_waited and barrier_total. */
enum gaspdb_status gaspdb_pass_costs(sqlite3 *db, struct gaspdb_error *err);

#endif
