/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is lost, by line: what the list of findings is made of. */
#ifndef GASPDB_ANALYSIS_FINDINGS_FINDINGS_H
#define GASPDB_ANALYSIS_FINDINGS_FINDINGS_H

#include "analysis/engine/run.h"

/* Fills loss_total, from view loss: wants all that the passes before write. */
enum gaspdb_status gaspdb_pass_findings(struct gaspdb_run *run);

#endif
