/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Root causes of waiting: computation that others waited for. */
#ifndef GASPDB_ANALYSIS_FINDINGS_ROOT_CAUSES_H
#define GASPDB_ANALYSIS_FINDINGS_ROOT_CAUSES_H

#include "analysis/engine/run.h"

/* Fills root_cause and root_cause_wait.  Needs wait_total, delay, path_line,
   thread_computation, pop_thread, communication_phase. */
enum gaspdb_status gaspdb_pass_root_causes(struct gaspdb_run *run);

#endif
