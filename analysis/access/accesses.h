/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of other processes' memory, and what these did meanwhile. */
#ifndef GASPDB_ANALYSIS_ACCESS_ACCESSES_H
#define GASPDB_ANALYSIS_ACCESS_ACCESSES_H

#include "analysis/engine/scan.h"

/*
 * Fills access_pair, access_piece, access_line, fine_grained,
 * fine_grained_total, polling_total, reread_total, the gets, puts and atomics
 * of size_total, target_line, starved_total, delivery_total and
 * hand_made_total, but for line_ns.  Wants wait.
 */
extern const struct gaspdb_event_pass gaspdb_accesses;
/* Then: fills line_ns of starved_total and hand_made_total. */
enum gaspdb_status gaspdb_pass_line_times(struct gaspdb_run *run);

#endif
