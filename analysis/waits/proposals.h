/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proposals of waits, between their writer (waits.h) and table wait. */
#ifndef GASPDB_ANALYSIS_WAITS_PROPOSALS_H
#define GASPDB_ANALYSIS_WAITS_PROPOSALS_H

#include "analysis/rows/sorter.h"
#include "analysis/waits/waits.h"

/* Turns polled proposals into proposals of the unsuccessful tests. */
void gaspdb_wait_resolve_polled(struct gaspdb_run *run);
/* The sorter of all others; NULL: none. */
struct gaspdb_sorter *gaspdb_wait_proposals(struct gaspdb_run *run);
/* The wait of a row of it. */
struct gaspdb_wait gaspdb_wait_of_proposal(const int64_t *row);

#endif
