/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spins pass: busy waits that read a word of the thread's own shared memory. */
#ifndef GASPDB_ANALYSIS_SIGNALS_SPINS_H
#define GASPDB_ANALYSIS_SIGNALS_SPINS_H

#include "analysis/engine/run.h"

/* Propose the waits of such reads, and fill spin_total. */
enum gaspdb_status gaspdb_pass_spins(struct gaspdb_run *run);

#endif
