/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short names for files of one name. */
#ifndef GASPDB_ANALYSIS_FILE_NAMES_H
#define GASPDB_ANALYSIS_FILE_NAMES_H

#include <sqlite3.h>

#include "error.h"

/* Fills file_name. */
enum gaspdb_status gaspdb_pass_file_names(sqlite3 *db,
					  struct gaspdb_error *err);

#endif
