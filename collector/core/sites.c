/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites of a log: an operation at a place.  Places are addresses in the
 * program, file names with lines, or places in source text.  When the module of
 * an address is unloaded its sites are parked under a key that no event has;
 * they get their own back if the same module returns.
 */
#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/core/python/source_places.h"

#define FIRST_SIZE 256
#define SITES_MAX  ((1u << 28) - 1) /* ids of at most 4 bytes */

struct gaspdb_site gaspdb_no_site;

void gaspdb_sites_init(struct gaspdb_context *c)
{
	c->last = c->sites = &gaspdb_no_site;
	c->site_mask = 0;
}

static const struct gaspdb_site_key no_key; /* of a slot whose site has moved */

static bool is_key(const struct gaspdb_site_key *k)
{
	return k->what;
}

/* Key of a parked site. It is no event's: operations have even addresses. */
static struct gaspdb_site_key parked_key(const struct gaspdb_site_key *k,
					 uint32_t home)
{
	struct gaspdb_site_key parked = *k;

	parked.what = (const char *)k->what + 1;
	if (home & GASPDB_FILE)
		parked.place = (const void *)(uintptr_t)home;
	else
		parked.line = home;
	return parked;
}

static bool is_parked(const struct gaspdb_site_key *k)
{
	return (uintptr_t)k->what & 1;
}

/* Whether a key's place was in a module that is unloaded. */
static bool is_gone(const struct gaspdb_context *c,
		    const struct gaspdb_site_key *k)
{
	return !gaspdb_source_place_of(k->place) &&
	       gaspdb_module_is_gone(c, k->place);
}

static struct gaspdb_site *free_slot(struct gaspdb_site *slots, uint32_t mask,
				     const struct gaspdb_site_key *key)
{
	uint64_t at = gaspdb_site_hash(key);

	while (slots[at & mask].id)
		at++;
	return &slots[at & mask];
}

/* Resets pointers to sites that a rebuild invalidates. */
static void drop_site_pointers(struct gaspdb_context *c)
{
	c->last = &gaspdb_no_site;
	c->poll.ended = NULL;
	gaspdb_functions_forget_sites(c);
}

/*
 * Rebuilds the table with n slots. park: parks the sites of unloaded modules.
 */
static bool rebuild_sites(struct gaspdb_context *c, uint32_t n, bool park)
{
	struct gaspdb_site *old = c->sites, *slots;
	const uint32_t n_old = c->site_mask + 1;
	uint32_t used = 0;

	slots = gaspdb_pages(n * sizeof *slots);
	if (!slots)
		return false;
	for (uint32_t i = 0; i < n_old; i++) {
		struct gaspdb_site s = old[i];

		if (!s.id || !is_key(&s.key))
			continue;
		if (park && !is_parked(&s.key) && is_gone(c, &s.key))
			s.key = parked_key(&s.key, s.home);
		*free_slot(slots, n - 1, &s.key) = s;
		used++;
	}
	drop_site_pointers(c);
	c->sites = slots;
	c->site_mask = n - 1;
	c->n_slots = used;
	if (old != &gaspdb_no_site)
		munmap(old, n_old * sizeof *old);
	return true;
}

/* At most half of the slots are used: most sites are found at once. */
static bool make_room_for_site(struct gaspdb_context *c)
{
	const uint32_t n_old = c->site_mask + 1;

	return c->n_slots < c->site_mask / 2 ||
	       rebuild_sites(c, n_old == 1 ? FIRST_SIZE : 2 * n_old, false);
}

void gaspdb_sites_park(struct gaspdb_context *c)
{
	if (c->sites == &gaspdb_no_site ||
	    rebuild_sites(c, c->site_mask + 1, true))
		return;
	/* Without memory the sites are dropped, and will be defined anew. */
	for (uint32_t i = 0; i <= c->site_mask; i++) {
		struct gaspdb_site *s = &c->sites[i];

		if (s->id && is_key(&s->key) && !is_parked(&s->key) &&
		    is_gone(c, &s->key))
			s->key = no_key;
	}
	drop_site_pointers(c);
}

/* User functions of UPC get new sites: with the name, which a trace has in the
   event. */
void gaspdb_sites_end_trace(struct gaspdb_context *c)
{
	for (uint32_t i = 0; c->site_mask && i <= c->site_mask; i++) {
		struct gaspdb_site *s = &c->sites[i];

		if (!s->id || !is_key(&s->key))
			continue;
		s->throttled = 0;
		s->base[0] = s->base[1] = 0;
		if (s->op->plan[GASPDB_PHASE_START].passed[0] == 's')
			s->key = no_key;
	}
	c->last = &gaspdb_no_site;
	c->poll.ended = NULL;
}

/* Gives a parked site its own key again; NULL: none is parked. */
static struct gaspdb_site *unpark(struct gaspdb_context *c,
				  const struct gaspdb_site_key *key,
				  uint32_t home)
{
	const struct gaspdb_site_key parked = parked_key(key, home);
	struct gaspdb_site *from, *to;

	if (!(home & ~GASPDB_FILE) || !c->site_mask ||
	    !gaspdb_site_lookup(c, &parked) || !make_room_for_site(c))
		return NULL;
	from = gaspdb_site_lookup(c, &parked);
	to = free_slot(c->sites, c->site_mask, key);
	*to = *from;
	to->key = *key;
	from->key = no_key;
	c->n_slots++;
	return to;
}

/* Reserves overflow[] entries for the bases that do not fit into the site. */
static bool reserve_overflow(struct gaspdb_context *c, struct gaspdb_site *s)
{
	const unsigned n = s->op->n_addresses;
	uint32_t room = c->overflow_room ? 2 * c->overflow_room : FIRST_SIZE;
	uint64_t *overflow;

	if (n <= GASPDB_SITE_BASES)
		return true;
	if (c->n_overflow + n > c->overflow_room) {
		overflow = gaspdb_pages(room * sizeof *overflow);
		if (!overflow)
			return false;
		if (c->overflow) {
			memcpy(overflow, c->overflow,
			       c->n_overflow * sizeof *overflow);
			munmap(c->overflow,
			       c->overflow_room * sizeof *overflow);
		}
		c->overflow = overflow;
		c->overflow_room = room;
	}
	s->overflow = c->n_overflow;
	c->n_overflow += n - GASPDB_SITE_BASES;
	return true;
}

static GASPDB_COLD struct gaspdb_site *
add_site(struct gaspdb_context *c, const struct gaspdb_site_key *key,
	 struct gaspdb_op_state *op, uint32_t home)
{
	struct gaspdb_site s = { .key = *key, .op = op, .home = home };
	struct gaspdb_site *slot;
	unsigned char id[GASPDB_VARINT_MAX] = { 0 };

	if (c->full || c->n_sites == SITES_MAX || !make_room_for_site(c) ||
	    !reserve_overflow(c, &s))
		return NULL;
	gaspdb_put_varint(id, ++c->n_sites);
	s.id = (uint32_t)(id[0] | id[1] << 8 | id[2] << 16 |
			  (uint32_t)id[3] << 24);
	slot = free_slot(c->sites, c->site_mask, key);
	*slot = s;
	c->n_slots++;
	return slot;
}

/* The site of a place that has a file, a line and a function. */
static struct gaspdb_site *add_source(struct gaspdb_context *c,
				      const struct gaspdb_site_key *key,
				      struct gaspdb_op_state *op,
				      const struct gaspdb_source_place *place)
{
	const uint64_t file = gaspdb_site_string_id(c, place->file);
	const uint64_t function = gaspdb_site_string_id(c, place->function);
	struct gaspdb_site *s = add_site(c, key, op, 0);

	if (s)
		gaspdb_emit_definition(c, GASPDB_RECORD_SITE, "uuuuuu",
				       (uint64_t)c->n_sites, op->id, file,
				       place->line, (uint64_t)0, function);
	return s;
}

struct gaspdb_site *gaspdb_site_pc(struct gaspdb_context *c, const void *what,
				   struct gaspdb_op_state *op,
				   const void *place)
{
	const struct gaspdb_site_key key = { .what = what, .place = place };
	const struct gaspdb_source_place *source;
	const void *pc;
	struct gaspdb_site *s = gaspdb_site_find(c, &key);
	const struct gaspdb_stack_frame *frame;
	uint64_t frame_id;
	uint32_t module;

	if (s)
		return s;
	source = gaspdb_source_place_of(place);
	if (source)
		return add_source(c, &key, op, source);
	frame = gaspdb_call_stack_frame(c, place);
	pc = frame ? frame->pc : place;
	module = gaspdb_module_id(c, gaspdb_module_find(c, pc));
	frame_id = frame ? gaspdb_call_stack_id(c, frame) : 0;
	s = unpark(c, &key, module);
	if (s)
		return s;
	s = add_site(c, &key, op, module);
	if (s)
		gaspdb_emit_definition(c, GASPDB_RECORD_SITE_PC, "uuuuu",
				       (uint64_t)c->n_sites, op->id,
				       (uint64_t)(uintptr_t)pc,
				       (uint64_t)module, frame_id);
	return s;
}

/* The file name; NULL for the runtime's placeholder. */
static const char *known_file(const char *file)
{
	return file && strcmp(file, "(unknown)") ? file : NULL;
}

static void emit_text_site(struct gaspdb_context *c,
			   const struct gaspdb_site *s, uint64_t file,
			   const char *function)
{
	const uint64_t line = s->key.line & UINT32_MAX,
		       column = s->key.line >> 32;

	if (function)
		gaspdb_emit_definition(c, GASPDB_RECORD_SITE, "uuuuuu",
				       (uint64_t)c->n_sites, s->op->id, file,
				       line, column,
				       gaspdb_site_string_id(c, function));
	else
		gaspdb_emit_definition(c, GASPDB_RECORD_SITE, "uuuuu",
				       (uint64_t)c->n_sites, s->op->id, file,
				       line, column);
}

struct gaspdb_site *gaspdb_site_text(struct gaspdb_context *c,
				     const struct gaspdb_site_key *key,
				     struct gaspdb_op_state *op,
				     const char *file, const char *function)
{
	struct gaspdb_site *s = gaspdb_site_find(c, key);
	uint64_t name;

	if (s)
		return s;
	name = gaspdb_site_string_id(c, known_file(file));
	gaspdb_module_find(c, key->place); /* checks for unloads: the address
					      may be reused */
	s = unpark(c, key, GASPDB_FILE | (uint32_t)name);
	if (s)
		return s;
	s = add_site(c, key, op, GASPDB_FILE | (uint32_t)name);
	if (s)
		emit_text_site(c, s, name, function);
	return s;
}

struct gaspdb_site *gaspdb_site_line(struct gaspdb_context *c,
				     struct gaspdb_op_state *op,
				     const char *file, uint64_t line)
{
	const struct gaspdb_site_key key = { op, file, line };

	return gaspdb_site_text(c, &key, op, file, NULL);
}

void gaspdb_sites_free(struct gaspdb_context *c)
{
	if (c->sites != &gaspdb_no_site)
		munmap(c->sites, (c->site_mask + 1) * sizeof *c->sites);
	gaspdb_sites_init(c);
	if (c->overflow)
		munmap(c->overflow, c->overflow_room * sizeof *c->overflow);
	c->overflow = NULL;
	c->n_overflow = c->overflow_room = 0;
}
