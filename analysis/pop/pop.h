/* SPDX-License-Identifier: GPL-3.0-or-later */
/* POP pass: the times from which the POP efficiencies are computed. */
#ifndef GASPDB_ANALYSIS_POP_POP_H
#define GASPDB_ANALYSIS_POP_POP_H

#include "analysis/engine/scan.h"

/*
 * Fills pop, pop_thread and pop_bin. Needs wait, wait_total, lock_use, and the
 * rows of syncs.h, which it removes.
 */
extern const struct gaspdb_event_pass gaspdb_pop;

#endif
