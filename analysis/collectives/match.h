/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching of barriers and collective operations. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_MATCH_H
#define GASPDB_ANALYSIS_COLLECTIVES_MATCH_H

#include "analysis/engine/run.h"

/*
 * Fills collective, collective_member, collective_total and the collectives of
 * size_total.
 */
enum gaspdb_status gaspdb_pass_collectives(struct gaspdb_run *run);

#endif
