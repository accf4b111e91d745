/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pass: allocations and frees become memory_line and memory_peak. */
#ifndef GASPDB_ANALYSIS_MEMORY_H
#define GASPDB_ANALYSIS_MEMORY_H

#include "analysis/run.h"

enum gaspdb_status gaspdb_pass_memory(sqlite3 *db, struct gaspdb_error *err);

#endif
