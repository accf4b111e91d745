/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Communication phases: lines that are one exchange, as of a halo. */
#ifndef GASPDB_ANALYSIS_FINDINGS_COMMUNICATION_PHASES_H
#define GASPDB_ANALYSIS_FINDINGS_COMMUNICATION_PHASES_H

#include "analysis/engine/run.h"

/* Fills communication_phase.  Needs path_line. */
enum gaspdb_status gaspdb_pass_communication_phases(struct gaspdb_run *run);

#endif
