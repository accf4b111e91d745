/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Losses by line, from which the list of findings is made. */
#ifndef GASPDB_ANALYSIS_FINDINGS_FINDINGS_H
#define GASPDB_ANALYSIS_FINDINGS_FINDINGS_H

#include "analysis/engine/run.h"

/* Fills loss_total from view loss.  Needs the tables of all passes before. */
enum gaspdb_status gaspdb_pass_findings(struct gaspdb_run *run);

#endif
