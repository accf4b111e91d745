/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Definitions of a log: strings by content, and operations.  Each is an
 * open-addressing table that doubles, and is written at its first use.  Sites:
 * sites.c.
 */
#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"
#include "collector/core/selection/mask.h"

#define FIRST_SIZE 256

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

uint64_t gaspdb_site_string_id(struct gaspdb_context *c, const char *s)
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

struct gaspdb_op_state *gaspdb_op_lookup(struct gaspdb_context *c,
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
		e->symbol, name, type->name, type->category, e->model });
	op->special = op->masked;
	op->overlay = !strcmp(type->category, "none");
	op->runtime = !op->overlay && strcmp(type->category, "computation");
	gaspdb_moves_read(&op->moves, type->name, start, end);
	gaspdb_emit_definition(c, GASPDB_RECORD_OPERATION, "uussssssss", op->id,
			       (uint64_t)e->tag, e->symbol, name, e->model,
			       type->name, type->category, start, end, "");
	return op;
}

struct gaspdb_op_state *gaspdb_op_find(struct gaspdb_context *c,
				       const struct gaspdb_operation *o)
{
	const struct gaspdb_event_info *e = &gaspdb_events[o->event];
	struct gaspdb_op_state *op = gaspdb_op_lookup(c, o);

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
					    "user", "none",
					    c->model ? c->model : "" };

	if (!op)
		return NULL;
	op->masked = gaspdb_is_user_event_masked(&names);
	op->overlay = true;
	gaspdb_emit_definition(c, GASPDB_RECORD_OPERATION, "uussssssss", op->id,
			       (uint64_t)0, names.symbol, names.name,
			       names.model, names.type, names.category, layout,
			       layout, format);
	return op;
}

struct gaspdb_op_state *gaspdb_op_named(struct gaspdb_context *c,
					const char *name)
{
	/* Half of the addresses are no program's. */
	const void *key =
		(const void *)(uintptr_t)(gaspdb_site_string_id(c, name) |
					  (uint64_t)1 << 63);
	struct gaspdb_op_state *op = gaspdb_op_lookup(c, key);

	return op ? op : gaspdb_op_user(c, key, name, NULL, "");
}

void gaspdb_op_emit_counts(struct gaspdb_context *c)
{
	struct gaspdb_op_state *const *slots = c->ops.slots;

	if (!c->full) {
		gaspdb_functions_count_open(c);
		gaspdb_throttle_emit(c);
	}
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

/* --- the end -------------------------------------------------------------- */

static void free_table(struct gaspdb_table *t, size_t slot_bytes)
{
	if (t->slots)
		munmap(t->slots, t->size * slot_bytes);
	*t = (struct gaspdb_table){ 0 };
}

void gaspdb_tables_free(struct gaspdb_context *c)
{
	gaspdb_profile_free(c);
	gaspdb_repeats_free(c);
	free_table(&c->strings, sizeof(struct string_slot));
	free_table(&c->ops, sizeof(struct gaspdb_op_state *));
	gaspdb_sites_free(c);
	gaspdb_call_stacks_free(c);
	gaspdb_functions_free(c);
	gaspdb_defined_entities_free(&c->entities);
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
