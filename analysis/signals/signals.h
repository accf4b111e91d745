/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting for a word to change, and who changed it. */
#ifndef GASPDB_ANALYSIS_SIGNALS_SIGNALS_H
#define GASPDB_ANALYSIS_SIGNALS_SIGNALS_H

#include "analysis/engine/run.h"

/* Proposes the waits of wait_until. */
enum gaspdb_status gaspdb_pass_signals(struct gaspdb_run *run);

#endif
