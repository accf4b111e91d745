/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass that matches barriers and collective operations. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_MATCH_H
#define GASPDB_ANALYSIS_COLLECTIVES_MATCH_H

#include "analysis/engine/run.h"

/*
 * Fill collective, collective_member, collective_total, and size_total for
 * collectives.
 */
enum gaspdb_status gaspdb_pass_collectives(struct gaspdb_run *run);

#endif
