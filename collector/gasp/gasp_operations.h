/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GASPDB_COLLECTOR_GASP_GASP_OPERATIONS_H
#define GASPDB_COLLECTOR_GASP_GASP_OPERATIONS_H

#include "collector/core/context.h"
#include "collector/gasp/upcalls.h"

/* Operations of GASP's system events.  Pointers-to-shared are logged in parts,
   which follow the passed arguments. */
#define GASPDB_GASP_POINTERS_MAX 3
#define GASPDB_GASP_VALUES_MAX \
	(GASPDB_PASSED_MAX + GASPDB_GASP_POINTERS_MAX * GASPDB_PTS_PARTS)

/* Defines a system event's operation in the log; its plans map logged arguments
   to the callback's slots.  key: not in use yet. name: as the user called it.
   NULL: no memory. c is busy. */
struct gaspdb_op_state *
gaspdb_gasp_operation(struct gaspdb_context *c, const void *key,
		      const char *name, const struct gaspdb_event_info *e);

/* Reads the values that plan logs from the passed arguments, 8 bytes each, of
   an int the low half. c is busy. */
void gaspdb_gasp_values(struct gaspdb_context *c,
			const struct gaspdb_plan *plan, const uint64_t *slots,
			uint64_t *values);

#endif
