/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory pass: allocated memory, its peaks and leaks. */
#ifndef GASPDB_ANALYSIS_ACCESS_MEMORY_H
#define GASPDB_ANALYSIS_ACCESS_MEMORY_H

#include "analysis/engine/run.h"

/* Fill memory_line and memory_peak. */
enum gaspdb_status gaspdb_pass_memory(struct gaspdb_run *run);

#endif
