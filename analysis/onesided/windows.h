/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window pass: waits of access and exposure epochs of MPI windows. */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOWS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOWS_H

#include "analysis/engine/run.h"

/* Propose waits of kinds late post, early wait and late complete. */
enum gaspdb_status gaspdb_pass_windows(struct gaspdb_run *run);

#endif
