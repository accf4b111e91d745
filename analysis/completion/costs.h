/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs pass: the time of completing calls and barriers that is no wait. */
#ifndef GASPDB_ANALYSIS_COMPLETION_COSTS_H
#define GASPDB_ANALYSIS_COMPLETION_COSTS_H

#include "analysis/engine/run.h"

/* Fill completion_waited and barrier_total. Needs table wait. */
enum gaspdb_status gaspdb_pass_costs(struct gaspdb_run *run);

#endif
