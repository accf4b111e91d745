/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited for whose lock of a one-sided window. */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOW_LOCKS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOW_LOCKS_H

#include "analysis/locks/uses.h"

void gaspdb_window_locks(struct gaspdb_run *run, struct gaspdb_lock_uses *uses);

#endif
