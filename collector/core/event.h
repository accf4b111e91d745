/* SPDX-License-Identifier: BSD-2-Clause */
/* The hot path: an event's site and its record. */
#ifndef GASPDB_COLLECTOR_CORE_EVENT_H
#define GASPDB_COLLECTOR_CORE_EVENT_H

#include "collector/core/context.h"

/* Bytes that hold any event's record, with what is stored beyond its end. */
#define GASPDB_EVENT_ROOM \
	(1 + (3 + GASPDB_LAYOUT_MAX) * GASPDB_VARINT_MAX + sizeof(uint64_t))

/* --- sites ---------------------------------------------------------------- */

static inline uint64_t gaspdb_site_hash(const struct gaspdb_site_key *k)
{
	uint64_t h = (uintptr_t)k->place + k->line * 0x9e3779b97f4a7c15u +
		     (uintptr_t)k->what * 0xc2b2ae3d27d4eb4fu;

	return h ^ h >> 32;
}

static inline bool gaspdb_site_is(const struct gaspdb_site *s,
				  const struct gaspdb_site_key *k)
{
	return s->key.line == k->line && s->key.place == k->place &&
	       s->key.what == k->what;
}

/* The site of a key; NULL: not defined yet. */
static inline struct gaspdb_site *
gaspdb_site_lookup(const struct gaspdb_context *c,
		   const struct gaspdb_site_key *k)
{
	struct gaspdb_site *s;

	for (uint64_t at = gaspdb_site_hash(k);; at++) {
		s = &c->sites[at & c->site_mask];
		if (GASPDB_LIKELY(gaspdb_site_is(s, k)))
			return s;
		if (!s->id)
			return NULL;
	}
}

/* The same, with the last event's site tried first: mostly an END follows its
   START. */
static inline struct gaspdb_site *
gaspdb_site_find(const struct gaspdb_context *c,
		 const struct gaspdb_site_key *k)
{
	return gaspdb_site_is(c->last, k) ? c->last : gaspdb_site_lookup(c, k);
}

/* Length of a site's id; a varint's last byte is not 0. */
static inline unsigned gaspdb_site_id_bytes(const struct gaspdb_site *s)
{
	return gaspdb_highest_bit(s->id) / 8 + 1;
}

/* --- records -------------------------------------------------------------- */

/* Resets a site's address bases at its first event in a block. */
static inline void gaspdb_site_refresh(struct gaspdb_context *c,
				       struct gaspdb_site *s)
{
	const unsigned n = s->op->n_addresses;

	s->block = (uint32_t)c->log.number + 1;
	if (!n) /* functions have other things there */
		return;
	for (unsigned i = 0; i < GASPDB_SITE_BASES; i++)
		s->base[i] = 0;
	for (unsigned i = GASPDB_SITE_BASES; i < n; i++)
		c->overflow[s->overflow + i - GASPDB_SITE_BASES] = 0;
}

/* Encodes an address as the difference from the argument's last value. */
static inline uint64_t gaspdb_difference(struct gaspdb_context *c,
					 struct gaspdb_site *s, unsigned base,
					 uint64_t value)
{
	uint64_t *last =
		base < GASPDB_SITE_BASES
			? &s->base[base]
			: &c->overflow[s->overflow + base - GASPDB_SITE_BASES];
	const uint64_t delta = value - *last;

	*last = value;
	return gaspdb_zigzag((int64_t)delta);
}

/* The half that the caller has stored: a load of the whole would stall. */
static inline int32_t gaspdb_low_half(const uint64_t *value)
{
	int32_t half[2];

	memcpy(half, value, sizeof half);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return half[1];
#else
	return half[0];
#endif
}

static inline uint64_t gaspdb_encode(struct gaspdb_context *c,
				     struct gaspdb_site *s,
				     const struct gaspdb_step *step,
				     const uint64_t *value)
{
	switch ((enum gaspdb_how)step->how) {
	case GASPDB_HOW_SIGNED:
		return gaspdb_zigzag((int64_t)*value);
	case GASPDB_HOW_INT:
		return gaspdb_zigzag(gaspdb_low_half(value));
	case GASPDB_HOW_ADDRESS:
		return gaspdb_difference(c, s, step->base, *value);
	case GASPDB_HOW_DOUBLE:
		return __builtin_bswap64(*value);
	default:
		return *value;
	}
}

/* Whether gaspdb_put_event can write the event: it fits the block, follows
   within GASPDB_LONG_TICKS, and no processor sample is due. */
static inline bool gaspdb_event_is_usual(const struct gaspdb_context *c,
					 uint64_t ticks, unsigned n)
{
	return gaspdb_log_writer_fits(&c->log, GASPDB_EVENT_ROOM) &&
	       ticks - c->log.last_ticks < GASPDB_LONG_TICKS &&
	       ticks < c->log.due_ticks && n < GASPDB_ARGS_FOLLOW;
}

/* Counts an event in a profile that stands for the trace; false: there is
   none. */
static inline bool gaspdb_profile_takes(struct gaspdb_context *c,
					enum gaspdb_phase phase,
					struct gaspdb_site *site,
					uint64_t ticks, unsigned n,
					const uint64_t *values)
{
	if (!gaspdb_is_profile_only(c) || !c->profile)
		return false;
	c->last = site;
	gaspdb_profile_event(c, phase, site, ticks, n, values);
	return true;
}

/* Starts the record of a usual event at the last event's site. */
static inline unsigned char *gaspdb_put_same(struct gaspdb_context *c,
					     unsigned head, uint64_t ticks)
{
	const uint32_t passed = (uint32_t)(ticks - c->log.last_ticks);
	unsigned char *p = c->log.at;

	c->log.last_ticks = ticks;
	*p = (unsigned char)(head | GASPDB_SAME_SITE);
	return gaspdb_put_number(p + 1, passed);
}

/* The same at another site. */
static inline unsigned char *gaspdb_put_other(struct gaspdb_context *c,
					      unsigned head,
					      struct gaspdb_site *s,
					      uint64_t ticks)
{
	const uint32_t passed = (uint32_t)(ticks - c->log.last_ticks);
	unsigned char *p = c->log.at;

	c->log.last_ticks = ticks;
	*p = (unsigned char)head;
	p = gaspdb_put_number(p + 1, passed);
	gaspdb_store_le32(p, s->id);
	if (s->block != (uint32_t)c->log.number + 1)
		gaspdb_site_refresh(c, s);
	c->last = s;
	return p + gaspdb_site_id_bytes(s);
}

static inline unsigned char *
gaspdb_put_arguments(struct gaspdb_context *c, struct gaspdb_site *s,
		     const struct gaspdb_plan *plan, unsigned n,
		     const uint64_t *values, unsigned char *p)
{
	for (unsigned i = 0; i < n; i++) {
		const struct gaspdb_step *step = &plan->step[i];

		p = gaspdb_put_number(
			p, gaspdb_encode(c, s, step, &values[step->from]));
	}
	return p;
}

/* Writes a usual event: the first n arguments of plan, its operation's for
   phase. c is busy. */
static inline void
gaspdb_put_event(struct gaspdb_context *c, enum gaspdb_phase phase,
		 struct gaspdb_site *s, const struct gaspdb_plan *plan,
		 uint64_t ticks, unsigned n, const uint64_t *values)
{
	const unsigned head = phase | n << GASPDB_ARGS_SHIFT;
	unsigned char *p = s == c->last ? gaspdb_put_same(c, head, ticks)
					: gaspdb_put_other(c, head, s, ticks);

	p = gaspdb_put_arguments(c, s, plan, n, values, p);
	gaspdb_log_writer_commit(&c->log, p);
}

#endif
