/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Masks: the operations, user events and functions that are recorded, by the
 * selectors in GASPDB_ONLY and GASPDB_EXCEPT, and by the run's selection file.
 * Masked ones are counted, not written.
 */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_MASK_H
#define GASPDB_COLLECTOR_CORE_SELECTION_MASK_H

#include <stdbool.h>

#include "collector/base/compiler.h"
#include "collector/core/selection/selectors.h"

struct gaspdb_masks {
	bool any; /* whether anything may be masked */
	char only[4096], except[4096];
};

/* From the environment at load time. */
extern struct gaspdb_masks gaspdb_masks GASPDB_HIDDEN;

/* Reads them: a constructor, as gaspdb_process_load. */
void gaspdb_masks_load(void);

bool gaspdb_is_masked(const struct gaspdb_names *names);
/* The same for a user event, which rules of a filter may exclude, too. */
bool gaspdb_is_user_event_masked(const struct gaspdb_names *names);

#endif
