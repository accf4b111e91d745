/* SPDX-License-Identifier: BSD-2-Clause */
/* Records into the log. */
#ifndef GASPDB_COLLECTOR_CORE_EMIT_H
#define GASPDB_COLLECTOR_CORE_EMIT_H

#include "collector/core/context.h"

/*
 * Writes an event's record; values are in the order of phase's plan. c is busy.
 */
void gaspdb_emit(struct gaspdb_context *c, enum gaspdb_phase phase,
		 struct gaspdb_site *site, uint64_t ticks, unsigned n,
		 const uint64_t *values);
/* Records an event: in the profile if there is one, and as above. */
void gaspdb_emit_event(struct gaspdb_context *c, enum gaspdb_phase phase,
		       struct gaspdb_site *site, uint64_t ticks, unsigned n,
		       const uint64_t *values);
/* Writes an OTHER record, as gaspdb_record does; c is busy.  Further codes: b
   const struct gaspdb_bytes *, r a string that is the rest of the record. */
void gaspdb_emit_other(struct gaspdb_context *c, unsigned kind,
		       const char *layout, ...);
/* The same for a definition, which later blocks repeat. */
void gaspdb_emit_definition(struct gaspdb_context *c, unsigned kind,
			    const char *layout, ...);

/* Makes room for bytes in the open block, or in a new one; false: recording is
   over. */
bool gaspdb_emit_room(struct gaspdb_context *c, size_t bytes);

/* Begins a block of the profile; false: there is no room for one. */
GASPDB_COLD bool gaspdb_emit_profile_block(struct gaspdb_context *c);

/* Begins a new block; false: recording is over. */
bool gaspdb_emit_next_block(struct gaspdb_context *c);

#endif
