/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starvation: accesses that wait until their target enters its runtime. */
#ifndef GASPDB_ANALYSIS_ACCESS_STARVATION_H
#define GASPDB_ANALYSIS_ACCESS_STARVATION_H

#include "analysis/engine/scan.h"

struct gaspdb_starvation;

/* Open the analysis; NULL: the run has no such accesses, or a failure. */
struct gaspdb_starvation *gaspdb_starvation_open(struct gaspdb_run *run);
/* Add a call into a runtime, not nested. All calls are added, thread by thread.
 */
void gaspdb_starvation_add(struct gaspdb_starvation *starvation,
			   const struct gaspdb_event *call,
			   const struct gaspdb_run_source *source);
/* Fill target_line, and starved_total except line_ns. starvation may be NULL.
 */
void gaspdb_starvation_close(struct gaspdb_starvation *starvation);

#endif
