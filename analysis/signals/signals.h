/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals pass: waits for a word in memory, caused by the write that ended
   them. */
#ifndef GASPDB_ANALYSIS_SIGNALS_SIGNALS_H
#define GASPDB_ANALYSIS_SIGNALS_SIGNALS_H

#include "analysis/engine/run.h"

/* Propose the waits of wait_until and of tests, and write deliveries. */
enum gaspdb_status gaspdb_pass_signals(struct gaspdb_run *run);

#endif
