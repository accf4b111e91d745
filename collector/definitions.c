/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a log has been told: strings by content, operations, sites.  Each is an
 * open-addressing table that doubles; a thing is told at its first use.
 */
#include <string.h>

#include "context.h"
#include "table.h"

#define FIRST_SIZE 256

struct string_slot {
	uint64_t hash, id; /* id 0: free */
};

/*
 * Room for one more: tables grow at three quarters.  hash gives the hash of a
 * used slot, 0 of a free one.  false: no memory.
 */
static bool make_room(struct gaspdb_table *t, size_t slot_bytes,
		      uint64_t (*hash)(const void *slot))
{
	uint32_t size = t->size ? t->size * 2 : FIRST_SIZE;
	const char *old = t->slots;
	char *slots;

	if (t->size && t->used < t->size / 4 * 3)
		return true;
	slots = gaspdb_pages(size * slot_bytes, 0);
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
	if (t->slots)
		munmap(t->slots, t->size * slot_bytes);
	t->slots = slots;
	t->size = size;
	return true;
}

/* --- strings -------------------------------------------------------------- */

static uint64_t string_hash_of(const void *slot)
{
	const struct string_slot *s = slot;

	return s->id ? s->hash : 0;
}

/*
 * Two 64-bit hashes in one: equal strings get one id.  That two different ones
 * share it is less likely than a failing disk.
 */
static uint64_t string_hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	size_t n = 0;

	for (; s[n] && n < GASPDB_TEXT_MAX; n++)
		h = gaspdb_mix(h + (unsigned char)s[n], n);
	return h ? h : 1;
}

uint64_t gaspdb_string_id(struct gaspdb_context *c, const char *s)
{
	struct string_slot *slot;
	uint64_t h, at;

	if (!s || !make_room(&c->strings, sizeof *slot, string_hash_of))
		return 0;
	h = string_hash(s);
	for (at = h;; at++) {
		slot = (struct string_slot *)c->strings.slots +
		       (at & (c->strings.size - 1));
		if (slot->id && slot->hash == h)
			return slot->id;
		if (!slot->id)
			break;
	}
	slot->hash = h;
	slot->id = ++c->n_strings;
	c->strings.used++;
	gaspdb_emit_other(c, GASPDB_RECORD_STRING, "ur", slot->id, s);
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

/* The codes of a layout "name:code name:code". */
static void make_plan(struct gaspdb_plan *plan, const char *layout)
{
	unsigned n = 0;

	for (const char *p = strchr(layout, ':'); p && n < GASPDB_LAYOUT_MAX;
	     p = strchr(p + 1, ':'))
		plan->code[n++] = p[1];
}

/* A new operation under key, its layouts as logged. */
static struct gaspdb_op_state *add_op(struct gaspdb_context *c, const void *key,
				      const char *start, const char *end)
{
	static _Thread_local struct gaspdb_op_state *chunk;
	static _Thread_local unsigned left;
	struct gaspdb_op_state *op;

	if (!make_room(&c->ops, sizeof op, op_hash_of))
		return NULL;
	if (!left) {
		chunk = gaspdb_pages(64 * sizeof *chunk, 0);
		if (!chunk)
			return NULL;
		left = 64;
	}
	op = &chunk[--left];
	op->key = key;
	op->id = ++c->n_ops;
	make_plan(&op->plan[0], start);
	make_plan(&op->plan[1], end);
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
	struct gaspdb_op_state *op = add_op(c, key, start, end);

	if (op)
		gaspdb_emit_other(c, GASPDB_RECORD_OPERATION, "uussssssss",
				  op->id, (uint64_t)e->tag, e->symbol, name,
				  e->model, type->name, type->category, start,
				  end, "");
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
	struct gaspdb_op_state *op = add_op(c, key, layout, layout);

	if (op)
		gaspdb_emit_other(c, GASPDB_RECORD_OPERATION, "uussssssss",
				  op->id, (uint64_t)0, "USER",
				  name ? name : "user event",
				  c->model ? c->model : "", "user", "none",
				  layout, layout, format);
	return op;
}

void gaspdb_op_tell_nested(struct gaspdb_context *c)
{
	struct gaspdb_op_state *const *slots = c->ops.slots;

	for (uint32_t i = 0; i < c->ops.size; i++)
		if (slots[i] && slots[i]->nested)
			gaspdb_emit_other(c, GASPDB_RECORD_NESTED, "uu",
					  slots[i]->id, slots[i]->nested);
}

/* --- sites ---------------------------------------------------------------- */

static uint64_t site_hash(const void *place, const struct gaspdb_op_state *op,
			  uint32_t line)
{
	uint64_t h = gaspdb_mix((uintptr_t)place + line, (uintptr_t)op);

	return h ? h : 1;
}

static uint64_t site_hash_of(const void *slot)
{
	const struct gaspdb_site *s = slot;

	return s->id ? site_hash(s->place, s->op, s->line) : 0;
}

/* The site, or the free slot where it belongs; NULL: no memory. */
static struct gaspdb_site *site_slot(struct gaspdb_context *c,
				     const void *place,
				     const struct gaspdb_op_state *op,
				     uint32_t line, uint32_t column)
{
	struct gaspdb_site *slots, *s;

	if (GASPDB_UNLIKELY(c->sites.used >= c->sites.size / 4 * 3) &&
	    !make_room(&c->sites, sizeof *s, site_hash_of))
		return NULL;
	slots = c->sites.slots;
	for (uint64_t at = site_hash(place, op, line);; at++) {
		s = &slots[at & (c->sites.size - 1)];
		if (!s->id || (s->place == place && s->op == op &&
			       s->line == line && s->column == column))
			return s;
	}
}

static void fill_site(struct gaspdb_context *c, struct gaspdb_site *s,
		      const void *place, const struct gaspdb_op_state *op,
		      uint32_t line, uint32_t column)
{
	s->place = place;
	s->op = op;
	s->line = line;
	s->column = column;
	s->id = ++c->n_sites;
	c->sites.used++;
}

static GASPDB_COLD void new_site_pc(struct gaspdb_context *c,
				    struct gaspdb_site *s,
				    const struct gaspdb_op_state *op,
				    const void *pc)
{
	gaspdb_module_tell(c, pc);
	fill_site(c, s, pc, op, 0, 0);
	gaspdb_emit_other(c, GASPDB_RECORD_SITE_PC, "uuu", (uint64_t)s->id,
			  op->id, (uint64_t)(uintptr_t)pc);
}

struct gaspdb_site *gaspdb_site_pc(struct gaspdb_context *c,
				   const struct gaspdb_op_state *op,
				   const void *pc)
{
	struct gaspdb_site *s = site_slot(c, pc, op, 0, 0);

	if (s && GASPDB_UNLIKELY(!s->id))
		new_site_pc(c, s, op, pc);
	return s;
}

/* Some runtimes have a text for what they do not know. */
static const char *known_file(const char *file)
{
	return file && strcmp(file, "(unknown)") ? file : NULL;
}

static GASPDB_COLD void new_site_line(struct gaspdb_context *c,
				      struct gaspdb_site *s,
				      const struct gaspdb_op_state *op,
				      const char *file, uint32_t line,
				      uint32_t column)
{
	uint64_t name = gaspdb_string_id(c, known_file(file));

	fill_site(c, s, file, op, line, column);
	gaspdb_emit_other(c, GASPDB_RECORD_SITE, "uuuuu", (uint64_t)s->id,
			  op->id, name, (uint64_t)line, (uint64_t)column);
}

struct gaspdb_site *gaspdb_site_line(struct gaspdb_context *c,
				     const struct gaspdb_op_state *op,
				     const char *file, uint32_t line,
				     uint32_t column)
{
	struct gaspdb_site *s = site_slot(c, file, op, line, column);

	if (s && GASPDB_UNLIKELY(!s->id))
		new_site_line(c, s, op, file, line, column);
	return s;
}
