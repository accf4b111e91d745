/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who waited for whom with one-sided windows. */
#ifndef GASPDB_ANALYSIS_WINDOWS_H
#define GASPDB_ANALYSIS_WINDOWS_H

#include <sqlite3.h>

#include "error.h"

/* Proposes the waits of access and exposure epochs. */
enum gaspdb_status gaspdb_pass_windows(sqlite3 *db, struct gaspdb_error *err);

#endif
