/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sources as findings name them: table spot. */
#ifndef GASPDB_ANALYSIS_FINDINGS_SPOTS_H
#define GASPDB_ANALYSIS_FINDINGS_SPOTS_H

#include "analysis/engine/run.h"

/* Fills spot.  Needs communication_phase and file_name. */
enum gaspdb_status gaspdb_pass_spots(struct gaspdb_run *run);

struct gaspdb_spot {
	int64_t spot;  /* first source of that operation and location */
	int64_t place; /* first source of that place */
};

/* Table spot, by source; for free().  NULL: a failure. */
struct gaspdb_spot *gaspdb_spots_read(struct gaspdb_run *run);

#endif
