/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pass: allocations and frees become memory_line and memory_peak. */
#ifndef GASPDB_ANALYSIS_ACCESS_MEMORY_H
#define GASPDB_ANALYSIS_ACCESS_MEMORY_H

#include "analysis/engine/run.h"

enum gaspdb_status gaspdb_pass_memory(struct gaspdb_run *run);

#endif
