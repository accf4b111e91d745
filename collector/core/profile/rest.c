/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a trace, and the profile that goes on in its place. */
#include "collector/core/profile/rest.h"

#include <errno.h>

#include "collector/base/clock.h"
#include "collector/base/undisturbed.h"
#include "collector/core/context.h"
#include "collector/core/size_limit.h"

/* Bytes of the trace's last block for the records that end a log without room
   for the profile. */
#define END_ROOM 2048

bool gaspdb_rest_prepare(struct gaspdb_context *c)
{
	if (!c->reserve_bytes || c->profile)
		return false;
	c->log.file.max_bytes += c->reserve_bytes;
	c->reserve_bytes = 0;
	c->log.limit -= END_ROOM;
	c->log.due_ticks = 0; /* no event is usual: event.h */
	c->ending = true;
	return true;
}

/* Logs what has been counted beside the trace so far. */
static void end_trace(struct gaspdb_context *c)
{
	gaspdb_functions_sum_open(c, gaspdb_clock_ticks());
	gaspdb_throttle_emit(c);
	gaspdb_processor_emit_end(c);
}

/* Makes the state of a trace that of a profile alone. */
static void convert(struct gaspdb_context *c)
{
	c->n_teams = 0;
	c->profile->within = c->depth > 0;
	gaspdb_sites_end_trace(c);
	gaspdb_functions_carry(c);
}

static bool begin(struct gaspdb_context *c)
{
	uint64_t from;

	end_trace(c);
	from = gaspdb_clock_ticks();
	if (c->full || c->dead)
		return false;
	if (!gaspdb_profile_begin_rest(c, from)) {
		if (c->full) /* the profile was to go on */
			gaspdb_op_mask_all(c);
		else if (!c->dead)
			gaspdb_context_fail(c, GASPDB_LOG_LIMIT);
		return false;
	}
	convert(c);
	c->not_before = gaspdb_clock_ticks();
	gaspdb_profile_tool(c, from, c->not_before);
	gaspdb_size_limit_rest(c);
	return true;
}

/* Bytes that the log can still have. */
static uint64_t room_of(const struct gaspdb_context *c)
{
	const struct gaspdb_log_file *f = &c->log.file;

	return f->max_bytes - f->window_offset -
	       (uint64_t)(c->log.at - f->window);
}

bool gaspdb_rest_has_room(const struct gaspdb_context *c, uint64_t bytes)
{
	return !c->profile || !c->profile->from ||
	       room_of(c) >= bytes + GASPDB_PROFILE_BYTES + GASPDB_BLOCK_MAX;
}

bool gaspdb_rest_begin(struct gaspdb_context *c)
{
	const struct gaspdb_disturbance outside = gaspdb_undisturbed_begin();
	const int saved = errno;
	bool done;

	c->ending = false;
	done = begin(c);
	errno = saved;
	gaspdb_undisturbed_end(outside);
	return done;
}
