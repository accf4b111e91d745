/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef GASPDB_ANALYSIS_COMPLETION_COMPLETIONS_H
#define GASPDB_ANALYSIS_COMPLETION_COMPLETIONS_H

#include "analysis/engine/run.h"

/*
 * What completes each non-blocking operation, and the remote part of each put:
 * tables completion, overlap_total and completion_total, and quality for those
 * of which that was not seen.  Docs: docs/analyses.md, "Completion".
 */
enum gaspdb_status gaspdb_pass_completions(struct gaspdb_run *run);

#endif
