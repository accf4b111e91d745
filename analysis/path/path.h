/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What threads did that others waited for, and what the run's length is made
   of. */
#ifndef GASPDB_ANALYSIS_PATH_PATH_H
#define GASPDB_ANALYSIS_PATH_PATH_H

#include "analysis/engine/scan.h"

/*
 * Fills delay, critical_path, path_line, path_call and thread_computation.
 * Wants wait, wait_total, collective_total, the causes of waits (waits.h), and
 * what passes told by arrivals.h; the latter two it forgets.  What blame.h
 * needs is left to that pass.
 */
extern const struct gaspdb_event_pass gaspdb_path;

#endif
