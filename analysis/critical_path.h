/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run's length is made of. */
#ifndef GASPDB_ANALYSIS_CRITICAL_PATH_H
#define GASPDB_ANALYSIS_CRITICAL_PATH_H

#include <sqlite3.h>

#include "error.h"

/* Fills critical_path, path_line and path_wait.  Wants wait. */
enum gaspdb_status gaspdb_pass_critical_path(sqlite3 *db,
					     struct gaspdb_error *err);

#endif
