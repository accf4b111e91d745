/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls cost besides waiting, once all waiting is known. */
#ifndef GASPDB_ANALYSIS_COMPLETION_COSTS_H
#define GASPDB_ANALYSIS_COMPLETION_COSTS_H

#include "analysis/engine/run.h"

/* Fills completion_waited and barrier_total. */
enum gaspdb_status gaspdb_pass_costs(struct gaspdb_run *run);

#endif
