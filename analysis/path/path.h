/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Critical path and delays: one scan of events, one of waits. */
#ifndef GASPDB_ANALYSIS_PATH_PATH_H
#define GASPDB_ANALYSIS_PATH_PATH_H

#include "analysis/engine/scan.h"

/*
 * Fills delay, critical_path, path_line, path_call and thread_computation.
 * Needs wait, wait_total, collective_total, the causes of waits (waits.h), and
 * the arrivals that other passes added (arrivals.h); it frees the latter two.
 * Input of blame.h stays for that pass.
 */
extern const struct gaspdb_event_pass gaspdb_path;

#endif
