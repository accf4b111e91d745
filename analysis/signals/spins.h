/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting by reading a word of one's own shared memory again and again. */
#ifndef GASPDB_ANALYSIS_SIGNALS_SPINS_H
#define GASPDB_ANALYSIS_SIGNALS_SPINS_H

#include "analysis/engine/run.h"

/* Proposes waits of UPC reads, and fills spin_total. */
enum gaspdb_status gaspdb_pass_spins(struct gaspdb_run *run);

#endif
