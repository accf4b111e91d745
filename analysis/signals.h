/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for a word to change, and who changed it. */
#ifndef GASPDB_ANALYSIS_SIGNALS_H
#define GASPDB_ANALYSIS_SIGNALS_H

#include <sqlite3.h>

#include "error.h"

/* Proposes the waits of wait_until. */
enum gaspdb_status gaspdb_pass_signals(sqlite3 *db, struct gaspdb_error *err);

#endif
