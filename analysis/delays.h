/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads did that others waited for. */
#ifndef GASPDB_ANALYSIS_DELAYS_H
#define GASPDB_ANALYSIS_DELAYS_H

#include <sqlite3.h>

#include "error.h"

/* Fills delay.  Wants wait and wait_total. */
enum gaspdb_status gaspdb_pass_delays(sqlite3 *db, struct gaspdb_error *err);

#endif
