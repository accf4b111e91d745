/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass for entities of the program: tables entity_profile, entity_bin,
   entity_work and entity_work_total. */
#ifndef GASPDB_ANALYSIS_ENTITIES_ENTITIES_H
#define GASPDB_ANALYSIS_ENTITIES_ENTITIES_H

#include "common/error.h"

struct gaspdb_run;

enum gaspdb_status gaspdb_pass_entities(struct gaspdb_run *run);

#endif
