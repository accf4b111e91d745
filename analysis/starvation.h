/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which accesses wait for their target to enter its runtime. */
#ifndef GASPDB_ANALYSIS_STARVATION_H
#define GASPDB_ANALYSIS_STARVATION_H

#include "analysis/run.h"

/* Fills target_line and starved_total, but for line_ns; true: with something
   in the latter. */
bool gaspdb_starvation_find(struct gaspdb_run *run);

#endif
