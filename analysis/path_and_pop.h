/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the run's length is made of, and what it could be. */
#ifndef GASPDB_ANALYSIS_PATH_AND_POP_H
#define GASPDB_ANALYSIS_PATH_AND_POP_H

#include <sqlite3.h>

#include "error.h"

/*
 * Fills critical_path, path_line, path_wait, pop and pop_thread.  Wants wait,
 * message, lock_use, and what passes told by syncs.h.
 */
enum gaspdb_status gaspdb_pass_path_and_pop(sqlite3 *db,
					    struct gaspdb_error *err);

#endif
