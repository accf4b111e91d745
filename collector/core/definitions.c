/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Definitions of a log: strings by content, operations, sites.  Each is an
 * open-addressing table that doubles, and is written at its first use.  Sites
 * are keyed by addresses in the program.  When their module is unloaded they
 * are parked under a key that no event has; they get their own back if the same
 * module returns.
 */
#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/event.h"
#include "collector/core/mask.h"

#define FIRST_SIZE 256
#define SITES_MAX  ((1u << 28) - 1) /* ids of at most 4 bytes */

struct string_slot {
	uint64_t hash;
	uint32_t id;	       /* 0: free */
	uint32_t repeat_block; /* first block that repeats it */
};
#define WITH_SITE UINT32_MAX /* repeat.c repeats it */

/* Makes room for one more; tables grow at three quarters. hash returns the hash
   of a used slot, 0 of a free one. false: no memory. */
static bool make_room(struct gaspdb_table *t, size_t slot_bytes,
		      uint64_t (*hash)(const void *slot))
{
	uint32_t size = t->size ? t->size * 2 : FIRST_SIZE;
	char *const old = t->slots;
	const size_t old_bytes = t->size * slot_bytes;
	char *slots;

	if (t->size && t->used < t->size / 4 * 3)
		return true;
	slots = gaspdb_pages(size * slot_bytes);
	if (!slots)
		return false;
	for (uint32_t i = 0; i < t->size; i++) {
		const char *from = old + i * slot_bytes;
		uint64_t h = hash(from), at = h;

		if (!h)
			continue;
		while (hash(slots + (at & (size - 1)) * slot_bytes))
			at++;
		memcpy(slots + (at & (size - 1)) * slot_bytes, from,
		       slot_bytes);
	}
	/* A signal handler that ends the process may read the table now. */
	t->slots = slots;
	atomic_signal_fence(memory_order_seq_cst);
	t->size = size;
	atomic_signal_fence(memory_order_seq_cst);
	if (old)
		munmap(old, old_bytes);
	return true;
}

/* --- strings -------------------------------------------------------------- */

static uint64_t string_hash_of(const void *slot)
{
	const struct string_slot *s = slot;

	return s->id ? s->hash : 0;
}

/* 64-bit hash; equal hashes are taken for equal strings.  A collision is less
   likely than a disk error. */
static uint64_t string_hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	size_t n = 0;

	for (; s[n] && n < GASPDB_TEXT_MAX; n++)
		h = gaspdb_mix(h + (unsigned char)s[n], n);
	return h ? h : 1;
}

/* The slot of a string; repeat_block is 0 in a new one. NULL: no memory. */
static struct string_slot *string_slot(struct gaspdb_context *c, const char *s)
{
	struct string_slot *slot;
	uint64_t h, at;

	if (!s || !make_room(&c->strings, sizeof *slot, string_hash_of))
		return NULL;
	h = string_hash(s);
	for (at = h;; at++) {
		slot = (struct string_slot *)c->strings.slots +
		       (at & (c->strings.size - 1));
		if (slot->id && slot->hash == h)
			return slot;
		if (!slot->id)
			break;
	}
	slot->hash = h;
	slot->id = ++c->n_strings;
	c->strings.used++;
	return slot;
}

/*
 * Strings of events can be many.  One is repeated only when it is used again,
 * in a block whose number is twice that of its last definition.  The event is
 * in the same block, unless its texts exceed a KiB.
 */
#define STRINGS_ROOM (2u << 10)

uint64_t gaspdb_string_id(struct gaspdb_context *c, const char *s)
{
	struct string_slot *slot = string_slot(c, s);

	if (!slot || !gaspdb_emit_room(c, STRINGS_ROOM))
		return 0;
	if (c->log.number >= slot->repeat_block) {
		gaspdb_emit_other(c, GASPDB_RECORD_STRING, "ur",
				  (uint64_t)slot->id, s);
		slot->repeat_block = slot->repeat_block
					     ? 2 * (uint32_t)c->log.number
					     : (uint32_t)c->log.number + 1;
	}
	return slot->id;
}

/* Id of a site's file name, which is repeated with the site. */
static uint64_t file_id(struct gaspdb_context *c, const char *s)
{
	struct string_slot *slot = string_slot(c, s);

	if (!slot)
		return 0;
	if (slot->repeat_block != WITH_SITE)
		gaspdb_emit_definition(c, GASPDB_RECORD_STRING, "ur",
				       (uint64_t)slot->id, s);
	slot->repeat_block = WITH_SITE;
	return slot->id;
}

/* --- operations ----------------------------------------------------------- */

static struct gaspdb_op_state **op_slot(struct gaspdb_context *c,
					const void *key)
{
	struct gaspdb_op_state **slots = c->ops.slots;
	uint64_t at = gaspdb_mix((uintptr_t)key, 0);

	for (;; at++) {
		struct gaspdb_op_state **s = &slots[at & (c->ops.size - 1)];

		if (!*s || (*s)->key == key)
			return s;
	}
}

static uint64_t op_hash_of(const void *slot)
{
	const struct gaspdb_op_state *s =
		*(struct gaspdb_op_state *const *)slot;

	return s ? gaspdb_mix((uintptr_t)s->key, 0) : 0;
}

static struct gaspdb_op_state *op_lookup(struct gaspdb_context *c,
					 const void *key)
{
	return c->ops.size ? *op_slot(c, key) : NULL;
}

static enum gaspdb_how how_of(char code)
{
	switch (code) {
	case 'i':
		return GASPDB_HOW_SIGNED;
	case 'p':
	case 'h':
		return GASPDB_HOW_ADDRESS;
	case 'd':
		return GASPDB_HOW_DOUBLE;
	default:
		return GASPDB_HOW_UNSIGNED;
	}
}

/* Makes a plan from a layout "name:code name:code". */
static void make_plan(struct gaspdb_op_state *op, enum gaspdb_phase phase,
		      const char *layout)
{
	struct gaspdb_plan *plan = &op->plan[phase];
	const char *p = strchr(layout, ':');

	for (; p && plan->n < GASPDB_LAYOUT_MAX; p = strchr(p + 1, ':')) {
		struct gaspdb_step *step = &plan->step[plan->n];

		step->how = (uint8_t)how_of(p[1]);
		step->from = plan->n++;
		if (step->how == GASPDB_HOW_ADDRESS)
			step->base = (uint8_t)op->n_addresses++;
	}
}

/* A chunk of operations, which never move. */
struct gaspdb_op_chunk {
	struct gaspdb_op_chunk *next;
	unsigned used;
	struct gaspdb_op_state ops[64];
};

/* A zeroed operation; NULL: no memory. */
static struct gaspdb_op_state *new_op(struct gaspdb_context *c)
{
	struct gaspdb_op_chunk *chunk = c->op_chunks;

	if (!chunk || chunk->used == sizeof chunk->ops / sizeof *chunk->ops) {
		chunk = gaspdb_pages(sizeof *chunk);
		if (!chunk)
			return NULL;
		chunk->next = c->op_chunks;
		c->op_chunks = chunk;
	}
	return &chunk->ops[chunk->used++];
}

/* Adds an operation under key, with its layouts as logged. */
static struct gaspdb_op_state *add_op(struct gaspdb_context *c, const void *key,
				      const char *start, const char *end)
{
	struct gaspdb_op_state *op;

	if (!make_room(&c->ops, sizeof op, op_hash_of))
		return NULL;
	op = new_op(c);
	if (!op)
		return NULL;
	op->key = key;
	op->id = ++c->n_ops;
	make_plan(op, GASPDB_PHASE_START, start);
	make_plan(op, GASPDB_PHASE_END, end);
	make_plan(op, GASPDB_PHASE_ATOMIC, start);
	*op_slot(c, key) = op;
	c->ops.used++;
	return op;
}

struct gaspdb_op_state *gaspdb_op_add(struct gaspdb_context *c, const void *key,
				      const struct gaspdb_event_info *e,
				      const char *name, const char *start,
				      const char *end)
{
	const struct gaspdb_type_info *type = &gaspdb_types[e->type];
	struct gaspdb_op_state *op =
		c->full ? NULL : add_op(c, key, start, end);

	if (!op)
		return NULL;
	op->masked = gaspdb_is_masked(&(struct gaspdb_names){
		e->symbol, name, type->name, type->category });
	op->special = op->masked;
	gaspdb_emit_definition(c, GASPDB_RECORD_OPERATION, "uussssssss", op->id,
			       (uint64_t)e->tag, e->symbol, name, e->model,
			       type->name, type->category, start, end, "");
	return op;
}

struct gaspdb_op_state *gaspdb_op_find(struct gaspdb_context *c,
				       const struct gaspdb_operation *o)
{
	const struct gaspdb_event_info *e = &gaspdb_events[o->event];
	struct gaspdb_op_state *op = op_lookup(c, o);

	return op ? op
		  : gaspdb_op_add(c, o, e, o->name ? o->name : e->name,
				  e->start, e->end);
}

struct gaspdb_op_state *gaspdb_op_user(struct gaspdb_context *c,
				       const void *key, const char *name,
				       const char *format, const char *layout)
{
	struct gaspdb_op_state *op =
		c->full ? NULL : add_op(c, key, layout, layout);
	const struct gaspdb_names names = { "USER", name ? name : "user event",
					    "user", "none" };

	if (!op)
		return NULL;
	op->masked = gaspdb_is_masked(&names);
	gaspdb_emit_definition(c, GASPDB_RECORD_OPERATION, "uussssssss", op->id,
			       (uint64_t)0, names.symbol, names.name,
			       c->model ? c->model : "", names.type,
			       names.category, layout, layout, format);
	return op;
}

void gaspdb_op_emit_counts(struct gaspdb_context *c)
{
	struct gaspdb_op_state *const *slots = c->ops.slots;

	for (uint32_t i = 0; i < c->ops.size; i++) {
		const struct gaspdb_op_state *op = slots[i];

		if (op && op->nested)
			gaspdb_emit_other(c, GASPDB_RECORD_NESTED, "uu", op->id,
					  op->nested);
		if (op && op->n_masked)
			gaspdb_emit_other(c, GASPDB_RECORD_MASKED, "uu", op->id,
					  op->n_masked);
	}
}

void gaspdb_op_mask_all(struct gaspdb_context *c)
{
	struct gaspdb_op_state *const *slots = c->ops.slots;

	for (uint32_t i = 0; i < c->ops.size; i++)
		if (slots[i])
			slots[i]->masked = slots[i]->special = true;
	c->masked = UINT64_MAX;
}

void gaspdb_op_unmask(struct gaspdb_context *c)
{
	struct gaspdb_op_state *const *slots = c->ops.slots;

	for (uint32_t i = 0; i < c->ops.size; i++)
		if (slots[i]) {
			slots[i]->masked = false;
			slots[i]->special = slots[i]->polls;
		}
}

/* --- sites ---------------------------------------------------------------- */

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
		if (park && !is_parked(&s.key) &&
		    gaspdb_module_is_gone(c, s.key.place))
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
		    gaspdb_module_is_gone(c, s->key.place))
			s->key = no_key;
	}
	drop_site_pointers(c);
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

	if (c->n_sites == SITES_MAX || !make_room_for_site(c) ||
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

struct gaspdb_site *gaspdb_site_pc(struct gaspdb_context *c, const void *what,
				   struct gaspdb_op_state *op,
				   const void *place)
{
	const struct gaspdb_site_key key = { .what = what, .place = place };
	struct gaspdb_site *s = gaspdb_site_find(c, &key);
	const struct gaspdb_stack_frame *frame;
	const void *pc;
	uint32_t module;
	uint64_t frame_id;

	if (s)
		return s;
	frame = gaspdb_call_stack_frame(c, place);
	pc = frame ? frame->pc : place;
	module = gaspdb_module_id(c, gaspdb_module_find(c, pc));
	frame_id = frame ? gaspdb_call_stack_id(c, frame) : 0;
	s = unpark(c, &key, module);
	if (s)
		return s;
	s = add_site(c, &key, op, module);
	if (s)
		gaspdb_emit_definition(
			c, GASPDB_RECORD_SITE_PC, "uuuuu", (uint64_t)c->n_sites,
			op->id, (uint64_t)(uintptr_t)pc, (uint64_t)module,
			frame_id);
	return s;
}

/* The file name; NULL for the runtime's placeholder. */
static const char *known_file(const char *file)
{
	return file && strcmp(file, "(unknown)") ? file : NULL;
}

struct gaspdb_site *gaspdb_site_line(struct gaspdb_context *c,
				     struct gaspdb_op_state *op,
				     const char *file, uint64_t line)
{
	const struct gaspdb_site_key key = { op, file, line };
	struct gaspdb_site *s = gaspdb_site_find(c, &key);
	uint64_t name;

	if (s)
		return s;
	name = file_id(c, known_file(file));
	gaspdb_module_find(
		c, file); /* checks for unloads: the address may be reused */
	s = unpark(c, &key, GASPDB_FILE | (uint32_t)name);
	if (s)
		return s;
	s = add_site(c, &key, op, GASPDB_FILE | (uint32_t)name);
	if (s)
		gaspdb_emit_definition(c, GASPDB_RECORD_SITE, "uuuuu",
				       (uint64_t)c->n_sites, op->id, name,
				       line & UINT32_MAX, line >> 32);
	return s;
}

/* --- the end -------------------------------------------------------------- */

static void free_table(struct gaspdb_table *t, size_t slot_bytes)
{
	if (t->slots)
		munmap(t->slots, t->size * slot_bytes);
	*t = (struct gaspdb_table){ 0 };
}

void gaspdb_tables_free(struct gaspdb_context *c)
{
	gaspdb_repeats_free(c);
	free_table(&c->strings, sizeof(struct string_slot));
	free_table(&c->ops, sizeof(struct gaspdb_op_state *));
	if (c->sites != &gaspdb_no_site)
		munmap(c->sites, (c->site_mask + 1) * sizeof *c->sites);
	gaspdb_sites_init(c);
	gaspdb_call_stacks_free(c);
	if (c->overflow)
		munmap(c->overflow, c->overflow_room * sizeof *c->overflow);
	c->overflow = NULL;
	c->n_overflow = c->overflow_room = 0;
	gaspdb_modules_free(c);
}

void gaspdb_ops_free(struct gaspdb_context *c)
{
	struct gaspdb_op_chunk *chunk = c->op_chunks, *next;

	for (c->op_chunks = NULL; chunk; chunk = next) {
		next = chunk->next;
		munmap(chunk, sizeof *chunk);
	}
}
