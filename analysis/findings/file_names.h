/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short names for files of one name. */
#ifndef GASPDB_ANALYSIS_FINDINGS_FILE_NAMES_H
#define GASPDB_ANALYSIS_FINDINGS_FILE_NAMES_H

#include "analysis/engine/run.h"

/* Fills file_name. */
enum gaspdb_status gaspdb_pass_file_names(struct gaspdb_run *run);

#endif
