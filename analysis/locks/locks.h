/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who held a lock, and who waited for it. */
#ifndef GASPDB_ANALYSIS_LOCKS_LOCKS_H
#define GASPDB_ANALYSIS_LOCKS_LOCKS_H

#include "analysis/engine/run.h"

/* Fills lock_use, lock_total and lock_wait_total. */
enum gaspdb_status gaspdb_pass_locks(struct gaspdb_run *run);

#endif
