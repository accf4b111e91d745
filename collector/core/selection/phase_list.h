/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Phases that are recorded, as --phase lists them, separated by commas: NAME,
 * NAME:7, NAME:10..20 or NAME:10..  NAME is a user event's, which has neither a
 * comma nor a colon; the numbers count its starts in a thread, from 1.
 */
#ifndef GASPDB_COLLECTOR_CORE_SELECTION_PHASE_LIST_H
#define GASPDB_COLLECTOR_CORE_SELECTION_PHASE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GASPDB_PHASES_MAX      32
#define GASPDB_PHASES_TEXT_MAX 4000 /* bytes of the list */

struct gaspdb_phase_range {
	const char *name; /* in the list */
	size_t length;
	uint64_t first, last;
};

struct gaspdb_phase_list {
	struct gaspdb_phase_range phase[GASPDB_PHASES_MAX];
	unsigned n;
};

/* Parses a list, which stays in use. NULL: done; else what is wrong with it. */
const char *gaspdb_phase_list_parse(struct gaspdb_phase_list *l,
				    const char *text);

/* Whether a name is the phase's. */
bool gaspdb_phase_is(const struct gaspdb_phase_range *p, const char *name);

#endif
