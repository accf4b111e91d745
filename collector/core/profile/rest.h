/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The profile of the rest: what follows the trace of a thread whose log has
 * reached its size limit.  A part of the limit is kept for it (size_limit.h).
 * The trace ends with the END that no longer fits, or before any other event;
 * calls that are open then have their START in the trace.
 */
#ifndef GASPDB_COLLECTOR_CORE_PROFILE_REST_H
#define GASPDB_COLLECTOR_CORE_PROFILE_REST_H

#include <stdbool.h>
#include <stdint.h>

struct gaspdb_context;

/* The log has reached its limit: ends the trace with the next event.  The open
   block has a little room.  false: no part of the limit is left for it, or the
   log has a profile. */
bool gaspdb_rest_prepare(struct gaspdb_context *c);

/* Begins the profile, after gaspdb_rest_prepare.  c is busy.  false: it has no
   room, and recording is over. */
bool gaspdb_rest_begin(struct gaspdb_context *c);

/* Whether the log has room for optional records of so many bytes. Only in a
   profile of the rest it may have none: the last blocks are the profile's. */
bool gaspdb_rest_has_room(const struct gaspdb_context *c, uint64_t bytes);

/* --- what the parts of a context do at the trace's end: c is busy --------- */

/* Adds the open throttled functions to their sums. */
void gaspdb_functions_sum_open(struct gaspdb_context *c, uint64_t ticks);
/* Enters the open functions in the profile. */
void gaspdb_functions_carry(struct gaspdb_context *c);
/* Makes the sites of a trace those of a profile alone. */
void gaspdb_sites_end_trace(struct gaspdb_context *c);
/* As gaspdb_emit_profile_block, but the caller counts the time. */
bool gaspdb_emit_first_block(struct gaspdb_context *c);

#endif
