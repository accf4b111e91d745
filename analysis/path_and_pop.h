/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads did that others waited for, what the run's length is made of,
   and what it could be. */
#ifndef GASPDB_ANALYSIS_PATH_AND_POP_H
#define GASPDB_ANALYSIS_PATH_AND_POP_H

#include "analysis/scan.h"

struct gaspdb_path_and_pop;

/*
 * Wants wait, wait_total, message, lock_use, collective, collective_member, and
 * what passes told by syncs.h.  NULL after a failure.
 */
struct gaspdb_path_and_pop *gaspdb_path_and_pop_open(struct gaspdb_run *run);
/* All events but nested ones, in the order of their ids. */
void gaspdb_path_and_pop_take(struct gaspdb_path_and_pop *parts,
			      const struct gaspdb_event *event);
/* Fill delay, critical_path, path_line, path_wait, pop, pop_thread and
   pop_bin. */
void gaspdb_path_and_pop_close(struct gaspdb_path_and_pop *parts);

#endif
