/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls that pass through several layers: the collector's side (layers.c). */
#ifndef GASPDB_LAYERS_H
#define GASPDB_LAYERS_H

#include <stdbool.h>

#include "collector.h"

/* Is it a call that the runtime makes to itself? */
bool gaspdb_is_runtime(const struct gaspdb_entry *e);

/* The call is passed on to another tool: what that calls has its place.  frame:
   the wrapper's, or of a function that it called. */
void gaspdb_entry_note(struct gaspdb_entry *e, uintptr_t frame);
/* The call is recorded: at the outermost layer's place, if there is one. */
void gaspdb_entry_take_place(struct gaspdb_entry *e, uintptr_t frame);

#endif
