/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hot path: finding an event's site, and writing its record.  Written for
 * a processor that guesses: no branch hangs on what a program's values are.
 */
#ifndef GASPDB_EVENT_H
#define GASPDB_EVENT_H

#include "context.h"

/* Room that any event's record fits into, with what is stored beyond it. */
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

/* NULL: it is not known yet.  An END follows its START more often than not. */
static inline struct gaspdb_site *
gaspdb_site_find(const struct gaspdb_context *c,
		 const struct gaspdb_site_key *k)
{
	struct gaspdb_site *s = c->last;
	uint64_t at;

	if (gaspdb_site_is(s, k))
		return s;
	for (at = gaspdb_site_hash(k);; at++) {
		s = &c->sites[at & c->site_mask];
		if (GASPDB_LIKELY(gaspdb_site_is(s, k)))
			return s;
		if (!s->id)
			return NULL;
	}
}

/* A varint's last byte is not 0. */
static inline unsigned gaspdb_site_id_bytes(const struct gaspdb_site *s)
{
	return gaspdb_highest_bit(s->id) / 8 + 1;
}

/* --- records -------------------------------------------------------------- */

/* Addresses that a site remembers. */
static inline unsigned gaspdb_site_addresses(const struct gaspdb_site *s)
{
	return 2 * s->op->plan[0].n_addresses + s->op->plan[1].n_addresses;
}

/* The site's addresses are of an earlier block: they count from 0 again. */
static inline void gaspdb_site_refresh(struct gaspdb_context *c,
				       struct gaspdb_site *s)
{
	const unsigned n = gaspdb_site_addresses(s);

	s->block = (uint32_t)c->log.number + 1;
	for (unsigned i = 0; i < GASPDB_NEAR_BASES; i++)
		s->base[i] = 0;
	for (unsigned i = GASPDB_NEAR_BASES; i < n; i++)
		c->far[s->far + i - GASPDB_NEAR_BASES] = 0;
}

/* An address: the difference to the one this argument had last. */
static inline uint64_t gaspdb_difference(struct gaspdb_context *c,
					 struct gaspdb_site *s, unsigned base,
					 uint64_t value)
{
	uint64_t *last = base < GASPDB_NEAR_BASES
				 ? &s->base[base]
				 : &c->far[s->far + base - GASPDB_NEAR_BASES];
	const uint64_t delta = value - *last;

	*last = value;
	return gaspdb_zigzag((int64_t)delta);
}

/* Addresses of a site that come before phase's. */
static inline unsigned gaspdb_addresses_before(const struct gaspdb_op_state *op,
					       enum gaspdb_phase phase)
{
	if (GASPDB_LIKELY(phase == GASPDB_PHASE_START))
		return 0;
	return op->plan[0].n_addresses +
	       (phase == GASPDB_PHASE_ATOMIC ? op->plan[1].n_addresses : 0);
}

static inline uint64_t gaspdb_encode(struct gaspdb_context *c,
				     struct gaspdb_site *s,
				     const struct gaspdb_step *step,
				     enum gaspdb_phase phase, uint64_t value)
{
	switch ((enum gaspdb_how)step->how) {
	case GASPDB_HOW_SIGNED:
		return gaspdb_zigzag((int64_t)value);
	case GASPDB_HOW_INT:
		return gaspdb_zigzag((int32_t)value);
	case GASPDB_HOW_ADDRESS:
		return gaspdb_difference(c, s,
					 gaspdb_addresses_before(s->op, phase) +
						 step->base,
					 value);
	case GASPDB_HOW_DOUBLE:
		return __builtin_bswap64(value);
	default:
		return value;
	}
}

/* Is an event at ticks, of n arguments, one that gaspdb_put_event can do?  Not
   the first one of a block, or after long. */
static inline bool gaspdb_event_is_usual(const struct gaspdb_context *c,
					 uint64_t ticks, unsigned n)
{
	return gaspdb_log_writer_fits(&c->log, GASPDB_EVENT_ROOM) &&
	       ticks - c->log.last_ticks < 1 << 28 && n < GASPDB_ARGS_FOLLOW;
}

/*
 * The record of a usual event: the first n arguments of plan, which is its
 * operation's for phase.  c is busy.
 */
static inline void
gaspdb_put_event(struct gaspdb_context *c, enum gaspdb_phase phase,
		 struct gaspdb_site *s, const struct gaspdb_plan *plan,
		 uint64_t ticks, unsigned n, const uint64_t *values)
{
	const uint32_t passed = (uint32_t)(ticks - c->log.last_ticks);
	const unsigned head = phase | n << GASPDB_ARGS_SHIFT;
	unsigned char *p = c->log.at;

	c->log.last_ticks = ticks;
	if (s == c->last) {
		*p = (unsigned char)(head | GASPDB_SAME_SITE);
		p = gaspdb_put_short(p + 1, passed);
	} else {
		*p = (unsigned char)head;
		p = gaspdb_put_short(p + 1, passed);
		gaspdb_store_le32(p, s->id);
		p += gaspdb_site_id_bytes(s);
		if (s->block != (uint32_t)c->log.number + 1)
			gaspdb_site_refresh(c, s);
		c->last = s;
	}
	for (unsigned i = 0; i < n; i++) {
		const struct gaspdb_step *step = &plan->step[i];

		p = gaspdb_put_number(p, gaspdb_encode(c, s, step, phase,
						       values[step->from]));
	}
	gaspdb_log_writer_commit(&c->log, p);
}

#endif
