/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Access pass: gets, puts and atomics on other processes' memory. */
#ifndef GASPDB_ANALYSIS_ACCESS_ACCESSES_H
#define GASPDB_ANALYSIS_ACCESS_ACCESSES_H

#include "analysis/engine/scan.h"

/*
 * Fills access_pair, access_piece, access_line, fine_grained,
 * fine_grained_total, polling_total, reread_total, the gets, puts and atomics
 * of size_total, target_line, starved_total, delivery_total and
 * hand_made_total, except line_ns. Needs table wait.
 */
extern const struct gaspdb_event_pass gaspdb_accesses;
/* Fill line_ns of starved_total and hand_made_total, after that pass. */
enum gaspdb_status gaspdb_pass_line_times(struct gaspdb_run *run);

#endif
