/* SPDX-License-Identifier: BSD-2-Clause */
/* Definitions of entities in a thread's log: an entity before its first use,
   after its parent or its parts.  Attributes. */
#define GASPDB_MAPPING_NOT_INLINE
#include "collector/include/gaspdb.h"

#include <string.h>

#include "collector/base/pages.h"
#include "collector/core/emit.h"
#include "collector/core/event.h"

#define FIRST_BITS 4096

struct gaspdb_context *gaspdb_entity_context(void)
{
	return gaspdb_context_get();
}

/* Notes that the log has the entity; false: no memory. */
static bool note(struct gaspdb_defined_entities *d, gaspdb_entity_t entity)
{
	uint32_t n = d->n ? d->n : FIRST_BITS;
	uint64_t *bits;

	if (entity >= d->n) {
		while (entity >= n)
			n *= 2;
		bits = gaspdb_pages(n / 8);
		if (!bits)
			return false;
		if (d->bits) {
			memcpy(bits, d->bits, d->n / 8);
			munmap(d->bits, d->n / 8);
		}
		d->bits = bits;
		d->n = n;
	}
	d->bits[entity / 64] |= (uint64_t)1 << entity % 64;
	return true;
}

void gaspdb_defined_entities_free(struct gaspdb_defined_entities *d)
{
	if (d->bits)
		munmap(d->bits, d->n / 8);
	*d = (struct gaspdb_defined_entities){ 0 };
}

/* Two varints a part. */
static void emit_mix(struct gaspdb_context *c, gaspdb_entity_t entity,
		     const struct gaspdb_entity *e)
{
	unsigned char bytes[GASPDB_MIX_MAX * 2 * GASPDB_VARINT_MAX], *p = bytes;
	struct gaspdb_bytes parts = { bytes, 0 };

	for (uint32_t i = 0; i < e->n; i++) {
		p = gaspdb_put_varint(p, e->parts[i].entity);
		p = gaspdb_put_varint(p, e->parts[i].weight);
	}
	parts.n = (size_t)(p - bytes);
	gaspdb_emit_definition(c, GASPDB_RECORD_ENTITY_MIX, "ub",
			       (uint64_t)entity, &parts);
}

/* The recursion is as deep as the tree of entities. */
bool gaspdb_entity_define(struct gaspdb_context *c, gaspdb_entity_t entity)
{
	const struct gaspdb_entity *e = gaspdb_entity_get(entity);

	if (!e)
		return false;
	if (gaspdb_entity_is_defined(&c->entities, entity))
		return true;
	if (e->parent && !gaspdb_entity_define(c, e->parent))
		return false;
	for (uint32_t i = 0; !e->name && i < e->n; i++)
		if (!gaspdb_entity_define(c, e->parts[i].entity))
			return false;
	if (!note(&c->entities, entity))
		return false;
	if (e->name)
		gaspdb_emit_definition(c, GASPDB_RECORD_ENTITY, "ussu",
				       (uint64_t)entity, e->kind, e->name,
				       (uint64_t)e->parent);
	else
		emit_mix(c, entity, e);
	return true;
}

/* --- attributes ----------------------------------------------------------- */

static void set(gaspdb_entity_t entity, const char *key, const char *code,
		uint64_t number, const char *text)
{
	const struct gaspdb_entity *e = gaspdb_entity_get(entity);
	struct gaspdb_context *c = e ? gaspdb_entity_context() : NULL;

	if (!c || !e->name || !key || !gaspdb_begin(c))
		return;
	if (gaspdb_entity_define(c, entity))
		gaspdb_emit_definition(c, GASPDB_RECORD_ENTITY_ATTRIBUTE,
				       "ussus", (uint64_t)entity, key, code,
				       number, text);
	gaspdb_done(c);
}

GASPDB_EXPORT void gaspdb_entity_int(gaspdb_entity_t entity, const char *key,
				     int64_t value)
{
	set(entity, key, "i", gaspdb_zigzag(value), "");
}

GASPDB_EXPORT void gaspdb_entity_real(gaspdb_entity_t entity, const char *key,
				      double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	set(entity, key, "d", __builtin_bswap64(bits), "");
}

GASPDB_EXPORT void gaspdb_entity_text(gaspdb_entity_t entity, const char *key,
				      const char *value)
{
	set(entity, key, "s", 0, value ? value : "");
}
