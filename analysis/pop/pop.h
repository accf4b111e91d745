/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the POP efficiencies are made of. */
#ifndef GASPDB_ANALYSIS_POP_POP_H
#define GASPDB_ANALYSIS_POP_POP_H

#include "analysis/engine/scan.h"

/*
 * Fills pop, pop_thread and pop_bin.  Wants wait, wait_total, lock_use, and
 * what passes told by syncs.h, which it forgets.
 */
extern const struct gaspdb_event_pass gaspdb_pop;

#endif
