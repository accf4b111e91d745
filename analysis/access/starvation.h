/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which accesses wait for their target to enter its runtime. */
#ifndef GASPDB_ANALYSIS_ACCESS_STARVATION_H
#define GASPDB_ANALYSIS_ACCESS_STARVATION_H

#include "analysis/engine/scan.h"

struct gaspdb_starvation;

/* NULL: there is nothing to be found, or a failure. */
struct gaspdb_starvation *gaspdb_starvation_open(struct gaspdb_run *run);
/* A call into a runtime, not nested: all of them, thread by thread. */
void gaspdb_starvation_add(struct gaspdb_starvation *starvation,
			   const struct gaspdb_event *call,
			   const struct gaspdb_run_source *source);
/* Fill target_line and starved_total, but for line_ns.  Of NULL: nothing.
 */
void gaspdb_starvation_close(struct gaspdb_starvation *starvation);

#endif
