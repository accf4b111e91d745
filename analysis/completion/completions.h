/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion pass: the call that completes each non-blocking operation, and
   each put's remote part. */
#ifndef GASPDB_ANALYSIS_COMPLETION_COMPLETIONS_H
#define GASPDB_ANALYSIS_COMPLETION_COMPLETIONS_H

#include "analysis/engine/run.h"

/*
 * Fill completion, overlap_total, overlap_line and completion_total, and
 * quality for operations without a recorded completion. See docs/analyses.md,
 * "Completion".
 */
enum gaspdb_status gaspdb_pass_completions(struct gaspdb_run *run);

#endif
