/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks of MPI windows: their rows of lock_use, and waits for their holders. */
#ifndef GASPDB_ANALYSIS_LOCKS_WINDOW_LOCKS_H
#define GASPDB_ANALYSIS_LOCKS_WINDOW_LOCKS_H

#include "analysis/locks/uses.h"

/* Add the uses of window locks. */
void gaspdb_window_locks(struct gaspdb_run *run, struct gaspdb_lock_uses *uses);

#endif
