/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited for whom with one-sided windows. */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOWS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOWS_H

#include "analysis/engine/run.h"

/* Proposes the waits of access and exposure epochs. */
enum gaspdb_status gaspdb_pass_windows(struct gaspdb_run *run);

#endif
