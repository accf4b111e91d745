/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private memory that was counted by line (record --memory). */
#ifndef GASPDB_ANALYSIS_ACCESS_HEAP_H
#define GASPDB_ANALYSIS_ACCESS_HEAP_H

#include "analysis/engine/run.h"

/*
 * Fills memory_line and memory_peak with private memory. false: the run has no
 * counters, and its events count. Else the counters contain all private memory,
 * and events of large blocks are no more of it.
 */
bool gaspdb_heap_read(struct gaspdb_run *run);

#endif
