/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The team of all threads of a runtime that tells of none. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_UNNUMBERED_TEAM_H
#define GASPDB_ANALYSIS_COLLECTIVES_UNNUMBERED_TEAM_H

#include "analysis/engine/run.h"

/* Make it, of those with the model of that thread.  Threads without a log are
   members too: what they did is not known.  Returns its id. */
int64_t gaspdb_unnumbered_team(struct gaspdb_run *run, int64_t thread);

#endif
