/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads did that others waited for, what the run's length is made of,
   and what it could be. */
#ifndef GASPDB_ANALYSIS_PATH_AND_POP_H
#define GASPDB_ANALYSIS_PATH_AND_POP_H

#include "analysis/scan.h"

/*
 * Fills delay, critical_path, path_line, path_wait, pop, pop_thread and
 * pop_bin. Wants wait, wait_total, message, lock_use, collective,
 * collective_member, and what passes told by syncs.h.
 */
extern const struct gaspdb_event_pass gaspdb_path_and_pop;
enum gaspdb_status gaspdb_pass_path_and_pop(sqlite3 *db,
					    struct gaspdb_error *err);

#endif
