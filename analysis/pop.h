/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the POP efficiencies are made of. */
#ifndef GASPDB_ANALYSIS_POP_H
#define GASPDB_ANALYSIS_POP_H

#include <sqlite3.h>

#include "error.h"

/*
 * Fills pop and pop_thread.  Wants wait, message and lock_use, and what the
 * passes before told by syncs.h, which it forgets.
 */
enum gaspdb_status gaspdb_pass_pop(sqlite3 *db, struct gaspdb_error *err);

#endif
