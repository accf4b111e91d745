/* SPDX-License-Identifier: BSD-2-Clause */
/* Records into the log: events by plan, others by layout. */
#include "collector/core/emit.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "collector/base/clock.h"
#include "collector/base/undisturbed.h"
#include "collector/core/event.h"
#include "collector/core/size_limit.h"

/* Bytes of a block's first records: facts of the context, and TOOL. */
#define WHOSE_ROOM 200
#define TOOL_ROOM  56

/* Teams in a log that has a profile in place of events: programs make them in
   loops. */
#define PROFILE_TEAMS 256

/* Logs the time from start to now as the tool's, but for the time of a profile
   that has begun meanwhile. */
static void emit_tool(struct gaspdb_context *c, uint64_t start)
{
	if (start < c->not_before)
		start = c->not_before;
	c->not_before = gaspdb_clock_ticks();
	gaspdb_emit_other(c, GASPDB_RECORD_TOOL, "uu", start, c->not_before);
	gaspdb_profile_tool(c, start, c->not_before);
}

static void begin_block(struct gaspdb_context *c, size_t spare)
{
	gaspdb_modules_check_unloads(c);
	gaspdb_context_emit_whose(c);
	gaspdb_repeats_write(c, spare);
}

/* Begins a new block.  Its base time is at or after the event that did not fit
   into the old one. */
static GASPDB_COLD bool next_block(struct gaspdb_context *c, size_t bytes)
{
	struct gaspdb_disturbance outside;
	int saved = errno, error;

	if (c->dead || c->full) /* no further blocks */
		return false;
	if (c->ending && !c->throttle.emitting)
		return gaspdb_rest_begin(c);
	outside = gaspdb_undisturbed_begin();
	c->last = &gaspdb_no_site;
	c->log.lost = c->lost_interrupted + c->lost_memory;
	gaspdb_size_limit_check(c);
	error = gaspdb_log_writer_next(&c->log, bytes + WHOSE_ROOM + TOOL_ROOM);
	if (error == GASPDB_LOG_LIMIT && gaspdb_rest_prepare(c))
		error = 0;
	if (error)
		gaspdb_context_fail(c, error);
	else
		begin_block(c, bytes + TOOL_ROOM);
	gaspdb_profile_flush(c);
	gaspdb_undisturbed_end(outside);
	errno = saved;
	return !error;
}

/* Appends a profile block, after the definitions so far.  errno and signals as
   in next_block. */
static bool append_profile_block(struct gaspdb_context *c)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_profile_block *b = &p->block[p->n_blocks];
	struct gaspdb_profile_head *head;
	bool begun;
	const int error = gaspdb_log_writer_profile(&c->log, b, &begun);

	/* Without its first block a profile of the rest is none: a full disk. */
	if (error && (begun || (p->from && !p->head &&
				error != GASPDB_LOG_LIMIT)))
		gaspdb_context_fail(c, error);
	if (begun)
		c->last = &gaspdb_no_site;
	if (error)
		return false;
	head = (void *)(b->map.at + GASPDB_BH_BYTES);
	head->index = p->n_blocks++;
	if (!p->head)
		p->head = head;
	begin_block(c, 0);
	gaspdb_profile_flush(c);
	return true;
}

bool gaspdb_emit_first_block(struct gaspdb_context *c)
{
	struct gaspdb_disturbance outside;
	const int saved = errno;
	bool done;

	if (c->dead || c->full ||
	    (!gaspdb_log_writer_fits(&c->log, GASPDB_PADDING_ROOM) &&
	     !next_block(c, GASPDB_PADDING_ROOM)))
		return false;
	outside = gaspdb_undisturbed_begin();
	c->log.lost = c->lost_interrupted + c->lost_memory;
	gaspdb_size_limit_check(c);
	done = append_profile_block(c);
	gaspdb_undisturbed_end(outside);
	errno = saved;
	return done;
}

bool gaspdb_emit_profile_block(struct gaspdb_context *c)
{
	const uint64_t start = gaspdb_clock_ticks();
	const bool done = gaspdb_emit_first_block(c);

	if (done)
		gaspdb_profile_tool(c, start, gaspdb_clock_ticks());
	return done;
}

bool gaspdb_emit_next_block(struct gaspdb_context *c)
{
	return next_block(c, 0);
}

/* Makes room for bytes; false: recording is over.  The sums of throttled
   functions, which come first in a new block, can fill it. */
static bool make_room(struct gaspdb_context *c, size_t bytes)
{
	uint64_t start;

	while (!GASPDB_LIKELY(gaspdb_log_writer_fits(&c->log, bytes))) {
		start = gaspdb_clock_ticks();
		if (!next_block(c, bytes))
			return false;
		emit_tool(c, start);
		gaspdb_throttle_emit(c);
	}
	return true;
}

bool gaspdb_emit_room(struct gaspdb_context *c, size_t bytes)
{
	return make_room(c, bytes);
}

/* The same for an event.  The block change comes before a START, whose call has
   not begun, and after an END. */
static bool make_room_for_event(struct gaspdb_context *c,
				enum gaspdb_phase phase, bool *owes_tool)
{
	*owes_tool = false;
	if (phase == GASPDB_PHASE_START)
		return make_room(c, GASPDB_EVENT_ROOM);
	if (GASPDB_LIKELY(gaspdb_log_writer_fits(&c->log, GASPDB_EVENT_ROOM)))
		return true;
	*owes_tool = next_block(c, GASPDB_EVENT_ROOM);
	return *owes_tool;
}

/* Writes an event's record of any time and size. */
static GASPDB_COLD void
put_odd_event(struct gaspdb_context *c, enum gaspdb_phase phase,
	      struct gaspdb_site *s, const struct gaspdb_plan *plan,
	      uint64_t ticks, unsigned n, const uint64_t *values)
{
	const bool same = s == c->last, many = n >= GASPDB_ARGS_FOLLOW;
	unsigned char *p = c->log.at;

	/* A block may have begun since the clock was read. */
	if (ticks < c->log.last_ticks)
		ticks = c->log.last_ticks;
	if (ticks < c->not_before)
		ticks = c->not_before;
	if (s->block != (uint32_t)c->log.number + 1)
		gaspdb_site_refresh(c, s);
	*p++ = (unsigned char)(phase | (same ? GASPDB_SAME_SITE : 0) |
			       (many ? GASPDB_ARGS_FOLLOW : n)
				       << GASPDB_ARGS_SHIFT);
	if (many)
		p = gaspdb_put_varint(p, n);
	p = gaspdb_put_varint(p, ticks - c->log.last_ticks);
	if (!same) {
		gaspdb_store_le32(p, s->id);
		p += gaspdb_site_id_bytes(s);
	}
	for (unsigned i = 0; i < n; i++) {
		const struct gaspdb_step *step = &plan->step[i];

		p = gaspdb_put_varint(
			p, gaspdb_encode(c, s, step, &values[step->from]));
	}
	c->last = s;
	c->log.last_ticks = ticks;
	gaspdb_log_writer_commit(&c->log, p);
}

/* Counts an event in the profile, which may have begun since the clock was
   read. */
static void count(struct gaspdb_context *c, enum gaspdb_phase phase,
		  struct gaspdb_site *site, uint64_t ticks, unsigned n,
		  const uint64_t *values)
{
	if (ticks <= c->profile->from)
		ticks = c->not_before;
	gaspdb_profile_event(c, phase, site, ticks, n, values);
}

/* Makes room for an event, or ends the trace before it, but not before an END;
   false: recording is over. */
static inline bool prepare(struct gaspdb_context *c, enum gaspdb_phase phase,
			   bool *owes_tool)
{
	return make_room_for_event(c, phase, owes_tool) &&
	       (GASPDB_LIKELY(!c->ending) || phase == GASPDB_PHASE_END ||
		gaspdb_rest_begin(c));
}

void gaspdb_emit(struct gaspdb_context *c, enum gaspdb_phase phase,
		 struct gaspdb_site *site, uint64_t ticks, unsigned n,
		 const uint64_t *values)
{
	const struct gaspdb_plan *plan = &site->op->plan[phase];
	bool owes_tool;

	if (n > plan->n)
		n = plan->n;
	if (GASPDB_UNLIKELY(gaspdb_processor_is_due(c, ticks)) && c->live) {
		gaspdb_throttle_emit_due(c, ticks);
		gaspdb_processor_emit(c, ticks);
	}
	if (!prepare(c, phase, &owes_tool))
		return;
	if (gaspdb_is_profile_only(c)) {
		count(c, phase, site, ticks, n, values);
		return;
	}
	if (GASPDB_LIKELY(gaspdb_event_is_usual(c, ticks, n)))
		gaspdb_put_event(c, phase, site, plan, ticks, n, values);
	else
		put_odd_event(c, phase, site, plan, ticks, n, values);
	if (owes_tool) {
		emit_tool(c, c->log.last_ticks);
		gaspdb_throttle_emit(c);
	}
	if (GASPDB_UNLIKELY(c->ending))
		gaspdb_rest_begin(c);
}

void gaspdb_event_lose(struct gaspdb_context *c, enum gaspdb_phase phase,
		       uint64_t ticks)
{
	if (c->full && c->profile)
		gaspdb_profile_beyond(c, phase, ticks);
	else
		gaspdb_context_lose(c);
}

void gaspdb_emit_event(struct gaspdb_context *c, enum gaspdb_phase phase,
		       struct gaspdb_site *site, uint64_t ticks, unsigned n,
		       const uint64_t *values)
{
	if (GASPDB_UNLIKELY(c->profile != NULL))
		count(c, phase, site, ticks, n, values);
	if (gaspdb_is_traced(c))
		gaspdb_emit(c, phase, site, ticks, n, values);
}

/* A text, truncated to GASPDB_TEXT_MAX. */
static struct gaspdb_bytes text_of(const char *s)
{
	return (struct gaspdb_bytes){ s, s ? strnlen(s, GASPDB_TEXT_MAX) : 0 };
}

static size_t payload_bound(const char *layout, va_list ap)
{
	size_t bytes = 0;

	for (; *layout; layout++) {
		bytes += GASPDB_VARINT_MAX;
		if (*layout == 's' || *layout == 'r')
			bytes += text_of(va_arg(ap, const char *)).n;
		else if (*layout == 'b')
			bytes += va_arg(ap, const struct gaspdb_bytes *)->n;
		else
			(void)va_arg(ap, uint64_t);
	}
	return bytes;
}

static unsigned char *put_bytes(unsigned char *p, struct gaspdb_bytes b)
{
	if (b.n)
		memcpy(p, b.p, b.n);
	return p + b.n;
}

static unsigned char *put_payload(unsigned char *p, const char *layout,
				  va_list ap)
{
	struct gaspdb_bytes b;

	for (; *layout; layout++) {
		switch (*layout) {
		case 'r':
			p = put_bytes(p, text_of(va_arg(ap, const char *)));
			break;
		case 's':
		case 'b':
			b = *layout == 's'
				    ? text_of(va_arg(ap, const char *))
				    : *va_arg(ap, const struct gaspdb_bytes *);
			p = put_bytes(gaspdb_put_varint(p, b.n), b);
			break;
		case 'i':
			p = gaspdb_put_varint(
				p, gaspdb_zigzag(va_arg(ap, int64_t)));
			break;
		default:
			p = gaspdb_put_varint(p, va_arg(ap, uint64_t));
		}
	}
	return p;
}

/* Width of the payload's length, which precedes it: sized for the upper bound,
   so that the payload is written in place. */
static unsigned length_bytes(size_t bound)
{
	return bound < 1 << 7 ? 1 : bound < 1 << 14 ? 2 : 3;
}

static void put_length(unsigned char *p, unsigned bytes, size_t n)
{
	for (; bytes > 1; bytes--, n >>= 7)
		*p++ = (unsigned char)(n | 0x80);
	*p = (unsigned char)n;
}

static void emit_other(struct gaspdb_context *c, unsigned kind, bool lasts,
		       const char *layout, va_list ap)
{
	unsigned char *start, *end;
	va_list measured;
	unsigned width;
	size_t bound;

	va_copy(measured, ap);
	bound = payload_bound(layout, measured);
	va_end(measured);
	width = length_bytes(bound);
	if (bound > GASPDB_RECORD_MAX || !make_room(c, 1 + width + bound))
		return;
	start = c->log.at;
	end = put_payload(start + 1 + width, layout, ap);
	*start = (unsigned char)(GASPDB_PHASE_OTHER | kind << 2);
	put_length(start + 1, width, (size_t)(end - start) - 1 - width);
	/* First: if a longjmp leaves this function now, the next block still
	   has the record. */
	if (lasts)
		gaspdb_repeats_add(c, start, (size_t)(end - start));
	gaspdb_log_writer_commit(&c->log, end);
}

void gaspdb_emit_other(struct gaspdb_context *c, unsigned kind,
		       const char *layout, ...)
{
	va_list ap;

	va_start(ap, layout);
	emit_other(c, kind, false, layout, ap);
	va_end(ap);
}

void gaspdb_emit_definition(struct gaspdb_context *c, unsigned kind,
			    const char *layout, ...)
{
	va_list ap;

	va_start(ap, layout);
	emit_other(c, kind, true, layout, ap);
	va_end(ap);
}

/* Whether the first LEFT after a trace's end may be about its calls. */
static bool is_within(struct gaspdb_context *c)
{
	const bool within = c->profile->within;

	c->profile->within = false;
	return within;
}

/* Whether a record is left out of a log that has a profile in place of events:
   it is about one event, and such records would grow with time. */
static bool is_left_out(struct gaspdb_context *c, unsigned kind)
{
	if (!c->profile || !gaspdb_is_profile_only(c))
		return false;
	if (kind == GASPDB_RECORD_LEFT)
		return !is_within(c);
	/* Readings compare the clocks of the trace, too. */
	if (kind == GASPDB_RECORD_REMOTE_CLOCK && c->profile->from)
		return !gaspdb_rest_has_room(c, 0);
	if (kind == GASPDB_RECORD_TEAM || kind == GASPDB_RECORD_TEAM_MEMBERS ||
	    kind == GASPDB_RECORD_TEAM_SOURCES)
		return c->n_teams > PROFILE_TEAMS;
	return kind > GASPDB_RECORD_SEGMENT && kind != GASPDB_RECORD_TOOL &&
	       kind != GASPDB_RECORD_HEAP;
}

/* Definitions among the adapters' records. */
static bool is_definition(unsigned kind)
{
	return kind <= GASPDB_RECORD_TEAM_MEMBERS ||
	       kind == GASPDB_RECORD_TEAM_SOURCES;
}

GASPDB_EXPORT void gaspdb_record(struct gaspdb_context *c, unsigned kind,
				 const char *layout, ...)
{
	va_list ap;

	if (!c)
		return;
	c->n_teams += kind == GASPDB_RECORD_TEAM;
	if (is_left_out(c, kind) || !gaspdb_begin(c))
		return;
	va_start(ap, layout);
	emit_other(c, kind, is_definition(kind), layout, ap);
	va_end(ap);
	gaspdb_done(c);
}

GASPDB_EXPORT void gaspdb_record_late(struct gaspdb_context *c, unsigned kind,
				      const char *layout, ...)
{
	va_list ap;

	if (!gaspdb_begin(c))
		return;
	va_start(ap, layout);
	emit_other(c, kind, false, layout, ap);
	va_end(ap);
	gaspdb_done(c);
}
