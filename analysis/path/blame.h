/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Blame: the time for which the critical path lies on a thread that others wait
 * for, by kind of waiting and by cause. This waiting delays the run as a whole.
 */
#ifndef GASPDB_ANALYSIS_PATH_BLAME_H
#define GASPDB_ANALYSIS_PATH_BLAME_H

#include "analysis/waits/waits.h"

/* Add a row of table wait, its kind, and the source of its cause (NONE: it is
   looked up). All rows are added before the pass. */
void gaspdb_path_blame_wait(struct gaspdb_run *run, const int64_t *wait,
			    enum gaspdb_wait_kind kind, int64_t cause_source);
/* The pass: fill path_wait. Needs wait, critical_path, and the input of
   spots.h. */
enum gaspdb_status gaspdb_pass_path_blame(struct gaspdb_run *run);

#endif
