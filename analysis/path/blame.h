/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the path lay on threads that were being waited for, by kind of
 * waiting and by what was waited for: the time in which the run as a whole, not
 * just the waiting thread, stood still for it.
 */
#ifndef GASPDB_ANALYSIS_PATH_BLAME_H
#define GASPDB_ANALYSIS_PATH_BLAME_H

#include "analysis/waits/waits.h"

/* Before the pass: all rows of table wait, their kinds, and the sources of the
   calls that were waited for (NONE: it is looked up). */
void gaspdb_path_blame_wait(struct gaspdb_run *run, const int64_t *wait,
			    enum gaspdb_wait_kind kind, int64_t cause_source);
/* Fills path_wait.  Wants wait, critical_path, and what spots.h wants. */
enum gaspdb_status gaspdb_pass_path_blame(struct gaspdb_run *run);

#endif
