/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of other processes' memory, and what these did meanwhile. */
#ifndef GASPDB_ANALYSIS_ACCESSES_H
#define GASPDB_ANALYSIS_ACCESSES_H

#include "analysis/scan.h"

struct gaspdb_accesses;

/* NULL: there are none, or a failure.  Wants wait. */
struct gaspdb_accesses *gaspdb_accesses_open(struct gaspdb_run *run);
/* All events but nested ones, in the order of their ids. */
void gaspdb_accesses_take(struct gaspdb_accesses *accesses,
			  const struct gaspdb_event *event);
/*
 * Fill access_pair, access_piece, access_line, fine_grained,
 * fine_grained_total, polling_total, reread_total, the gets, puts and atomics
 * of size_total, target_line, starved_total, delivery_total and
 * hand_made_total.  true: lines were found whose times are to be added.
 */
bool gaspdb_accesses_close(struct gaspdb_accesses *accesses);
/* That, once access_pair is there. */
void gaspdb_accesses_add_line_times(struct gaspdb_run *run);

#endif
