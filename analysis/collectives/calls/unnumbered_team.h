/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The team of all threads of a runtime that records no teams. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_CALLS_UNNUMBERED_TEAM_H
#define GASPDB_ANALYSIS_COLLECTIVES_CALLS_UNNUMBERED_TEAM_H

#include "analysis/engine/run.h"

/* Create the team of the threads with the same model as `thread`. Threads
   without a log are members too, because their calls are unknown. Returns its
   id. */
int64_t gaspdb_unnumbered_team(struct gaspdb_run *run, int64_t thread);

#endif
