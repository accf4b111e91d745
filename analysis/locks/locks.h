/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lock pass: holds of locks, and waits for their holders. */
#ifndef GASPDB_ANALYSIS_LOCKS_LOCKS_H
#define GASPDB_ANALYSIS_LOCKS_LOCKS_H

#include "analysis/engine/run.h"

/* Fill lock_use, lock_total and lock_wait_total, and propose the waits. */
enum gaspdb_status gaspdb_pass_locks(struct gaspdb_run *run);

#endif
