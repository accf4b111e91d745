/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef GASPDB_COLLECTOR_GASP_GASP_OPERATIONS_H
#define GASPDB_COLLECTOR_GASP_GASP_OPERATIONS_H

#include "collector/core/context.h"
#include "collector/gasp/upcalls.h"

/* Pointers-to-shared are logged in parts, which follow what is passed. */
#define GASPDB_GASP_POINTERS_MAX 3
#define GASPDB_GASP_VALUES_MAX \
	(GASPDB_TAKE_MAX + GASPDB_GASP_POINTERS_MAX * GASPDB_PTS_PARTS)

/* A new one, told to the log; its plans say where in a callback's slots each
   argument is.  NULL: no memory.  c is busy. */
struct gaspdb_op_state *
gaspdb_gasp_operation(struct gaspdb_context *c,
		      const struct gaspdb_event_info *e);

#endif
