/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entities, unified over processes by their identity. */
#include "importer/run/entities.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/memory.h"

void gaspdb_entities_init(struct gaspdb_entities *e,
			  struct gaspdb_registry *registry)
{
	memset(e, 0, sizeof *e);
	e->registry = registry;
}

void gaspdb_entities_free(struct gaspdb_entities *e)
{
	gaspdb_names_free(&e->identities);
	gaspdb_names_free(&e->keys);
	gaspdb_map_free(&e->local);
	free(e->row);
	free(e->part);
	free(e->value);
	memset(e, 0, sizeof *e);
}

void gaspdb_entities_process(struct gaspdb_entities *e)
{
	gaspdb_map_clear(&e->local);
}

void gaspdb_entities_log(struct gaspdb_entities *e)
{
	e->left_out = 0;
}

int64_t gaspdb_entity_id(const struct gaspdb_entities *e, uint64_t local)
{
	const uint32_t id = gaspdb_map_get(&e->local, local);

	return id == GASPDB_ABSENT ? GASPDB_NULL : id;
}

/* --- definitions ---------------------------------------------------------- */

/* The row of an identity, added if it is new. NULL: beyond the limit. */
static struct gaspdb_entity_row *row_of(struct gaspdb_entities *e,
					const void *identity, size_t bytes,
					uint64_t local, bool *added)
{
	uint32_t i;

	*added = false;
	if (e->identities.n == GASPDB_ENTITIES_MAX &&
	    gaspdb_names_find(&e->identities, identity, bytes) ==
		    GASPDB_ABSENT) {
		e->left_out++;
		return NULL;
	}
	i = gaspdb_names_add(&e->identities, identity, bytes, added);
	gaspdb_map_put(&e->local, local, i + 1);
	e->row = gaspdb_mem_grow(e->row, &e->row_capacity, (size_t)i + 1,
				 sizeof *e->row);
	return &e->row[i];
}

/* id kind name parent */
static void define_entity(struct gaspdb_entities *e,
			  const struct gaspdb_field *f)
{
	const int64_t parent = f[3].u ? gaspdb_entity_id(e, f[3].u) : 0;
	struct gaspdb_entity_row *row;
	uint32_t identity[3], depth;
	bool added;

	if (parent == GASPDB_NULL || (parent && e->row[parent - 1].is_mix))
		return;
	depth = parent ? e->row[parent - 1].depth + 1 : 1;
	if (depth > GASPDB_ENTITY_DEPTH_MAX) {
		e->left_out++;
		return;
	}
	identity[0] = (uint32_t)parent;
	identity[1] = gaspdb_text_add(e->registry, f[1].s);
	identity[2] = gaspdb_text_add(e->registry, f[2].s);
	row = row_of(e, identity, sizeof identity, f[0].u, &added);
	if (row && added)
		*row = (struct gaspdb_entity_row){ .parent = identity[0],
						   .depth = depth,
						   .kind = identity[1],
						   .name = identity[2] };
}

static struct gaspdb_bytes bytes_of(struct gaspdb_text text)
{
	return (struct gaspdb_bytes){ .at = (const uint8_t *)text.p,
				      .end = (const uint8_t *)text.p + text.n };
}

/* Reads the parts of a mix. Returns their number; 0: not a mix, or of unknown
   entities. */
static size_t read_parts(const struct gaspdb_entities *e,
			 struct gaspdb_text text,
			 struct gaspdb_entity_share *parts)
{
	struct gaspdb_bytes b = bytes_of(text);
	uint64_t local, sum = 0;
	size_t n = 0;

	for (; b.at < b.end; n++) {
		int64_t id;

		if (n == GASPDB_MIX_PARTS_MAX ||
		    !gaspdb_get_varint(&b, &local) ||
		    !gaspdb_get_varint(&b, &parts[n].weight) ||
		    parts[n].weight > GASPDB_MIX_WEIGHTS)
			return 0;
		id = gaspdb_entity_id(e, local);
		if (id == GASPDB_NULL || e->row[id - 1].is_mix)
			return 0;
		parts[n].entity = (uint32_t)id;
		sum += parts[n].weight;
	}
	return sum ? n : 0;
}

/* "a + b": the parts' names. */
static uint32_t name_mix(struct gaspdb_entities *e,
			 const struct gaspdb_entity_share *parts, size_t n)
{
	char name[256];
	size_t used = 0;

	for (size_t i = 0; i < n && used < sizeof name - 1; i++) {
		const char *part = gaspdb_text_get(
			e->registry, e->row[parts[i].entity - 1].name);
		const int more =
			snprintf(name + used, sizeof name - used, "%s%s",
				 i ? " + " : "", part ? part : "");

		used += more > 0 ? (size_t)more : 0;
	}
	if (used > sizeof name - 1)
		used = sizeof name - 1;
	return gaspdb_text_add(e->registry, (struct gaspdb_text){ name, used });
}

/* id parts */
static void define_mix(struct gaspdb_entities *e, const struct gaspdb_field *f)
{
	struct gaspdb_entity_share parts[GASPDB_MIX_PARTS_MAX];
	const size_t n = read_parts(e, f[1].s, parts);
	uint64_t identity[2 * GASPDB_MIX_PARTS_MAX];
	struct gaspdb_entity_row *row;
	bool added;

	for (size_t i = 0; i < n; i++) {
		identity[2 * i] = parts[i].entity;
		identity[2 * i + 1] = parts[i].weight;
	}
	row = n ? row_of(e, identity, 2 * n * sizeof *identity, f[0].u, &added)
		: NULL;
	if (!row || !added)
		return;
	e->part = gaspdb_mem_grow(e->part, &e->part_capacity, e->n_parts + n,
				  sizeof *e->part);
	memcpy(e->part + e->n_parts, parts, n * sizeof *parts);
	*row = (struct gaspdb_entity_row){ .kind = gaspdb_text_of(e->registry,
								  "mix"),
					   .name = name_mix(e, parts, n),
					   .depth = 1,
					   .is_mix = true,
					   .first_part = e->n_parts,
					   .n_parts = n };
	e->n_parts += n;
}

void gaspdb_entities_define(struct gaspdb_entities *e, unsigned kind,
			    const struct gaspdb_field *f)
{
	if (kind == GASPDB_RECORD_ENTITY)
		define_entity(e, f);
	else
		define_mix(e, f);
}

/* --- attributes ----------------------------------------------------------- */

/* entity key code number text */
void gaspdb_entity_attribute(struct gaspdb_entities *e,
			     const struct gaspdb_field *f, int64_t process)
{
	const int64_t id = gaspdb_entity_id(e, f[0].u);
	const char code = f[2].s.n == 1 ? *f[2].s.p : 0;
	uint64_t identity[3];
	bool added;
	uint32_t i;

	if (id == GASPDB_NULL || (code != 'i' && code != 'd' && code != 's'))
		return;
	identity[0] = (uint64_t)id;
	identity[1] = gaspdb_text_add(e->registry, f[1].s);
	identity[2] = (uint64_t)process;
	if (e->keys.n == GASPDB_ATTRIBUTES_MAX &&
	    gaspdb_names_find(&e->keys, identity, sizeof identity) ==
		    GASPDB_ABSENT) {
		e->left_out++;
		return;
	}
	i = gaspdb_names_add(&e->keys, identity, sizeof identity, &added);
	e->value = gaspdb_mem_grow(e->value, &e->value_capacity, (size_t)i + 1,
				   sizeof *e->value);
	e->value[i] = (struct gaspdb_entity_value){
		.entity = (uint32_t)id,
		.key = (uint32_t)identity[1],
		.process = process,
		.code = code,
		.number = f[3].u,
		.text = code == 's' ? gaspdb_text_add(e->registry, f[4].s) : 0
	};
}

/* --- tables --------------------------------------------------------------- */

/* A text, "" too. */
static struct gaspdb_value text_value(const struct gaspdb_entities *e,
				      uint32_t text)
{
	const char *s = gaspdb_text_get(e->registry, text);

	return gaspdb_str(s ? s : "");
}

/* Places of entities in the tree, depth first; children in the order of their
   ids. */
struct place {
	uint32_t first_child, last_child, next; /* entity.id; 0: none */
	uint32_t position, last;
	uint32_t path; /* text: its name after those above; 0: not made */
};

static struct place *link_children(const struct gaspdb_entities *e)
{
	struct place *place =
		gaspdb_mem_alloc((e->identities.n + 1) * sizeof *place);

	for (uint32_t id = 1; id <= e->identities.n; id++) {
		struct place *above = &place[e->row[id - 1].parent];

		*(above->last_child ? &place[above->last_child].next
				    : &above->first_child) = id;
		above->last_child = id;
	}
	return place;
}

/* place[0] stands for the top. */
static struct place *make_places(const struct gaspdb_entities *e)
{
	struct place *place = link_children(e);
	uint32_t at = place[0].first_child, n = 0;

	while (at) {
		place[at].position = ++n;
		if (place[at].first_child) {
			at = place[at].first_child;
			continue;
		}
		for (;; at = e->row[at - 1].parent) {
			place[at].last = n;
			if (place[at].next || !e->row[at - 1].parent)
				break;
		}
		at = place[at].next;
	}
	return place;
}

#define PATH_BYTES 512 /* longer: the last name, after "..." */

/* The path of an entity that has others below it, whose parent's is made;
   NULL: none. */
static const char *path_of(struct gaspdb_entities *e, uint32_t id,
			   struct place *place)
{
	const char *name, *above;
	char path[2 * PATH_BYTES];
	int n;

	if (!id)
		return NULL;
	if (!place[id].path) {
		name = gaspdb_text_get(e->registry, e->row[id - 1].name);
		above = path_of(e, e->row[id - 1].parent, place);
		n = snprintf(path, sizeof path, "%s%s%s", above ? above : "",
			     above ? " / " : "", name ? name : "");
		if (n >= PATH_BYTES)
			n = snprintf(path, sizeof path, "... / %s",
				     name ? name : "");
		if (n >= (int)sizeof path)
			n = (int)sizeof path - 1;
		place[id].path = gaspdb_text_add(
			e->registry, (struct gaspdb_text){ path, (size_t)n });
	}
	return gaspdb_text_get(e->registry, place[id].path);
}

static void insert_entity(struct gaspdb_entities *e, uint32_t id,
			  struct place *places)
{
	const struct gaspdb_entity_row *row = &e->row[id - 1];
	const struct place *place = &places[id];

	gaspdb_insert(
		e->registry->store, GASPDB_INSERT_entity,
		GASPDB_VALUES(entity){
			[GASPDB_ENTITY_ID] = gaspdb_int(id),
			[GASPDB_ENTITY_PARENT] = gaspdb_int(
				row->parent ? row->parent : GASPDB_NULL),
			[GASPDB_ENTITY_KIND] = text_value(e, row->kind),
			[GASPDB_ENTITY_NAME] = text_value(e, row->name),
			[GASPDB_ENTITY_WITHIN] =
				gaspdb_str(path_of(e, row->parent, places)),
			[GASPDB_ENTITY_DEPTH] = gaspdb_int(row->depth),
			[GASPDB_ENTITY_POSITION] = gaspdb_int(place->position),
			[GASPDB_ENTITY_LAST_POSITION] = gaspdb_int(place->last),
			[GASPDB_ENTITY_IS_MIX] = gaspdb_int(row->is_mix) });
}

static void insert_parts(struct gaspdb_entities *e, uint32_t id)
{
	const struct gaspdb_entity_row *row = &e->row[id - 1];

	for (size_t i = 0; i < row->n_parts; i++) {
		const struct gaspdb_entity_share *part =
			&e->part[row->first_part + i];

		gaspdb_insert(
			e->registry->store, GASPDB_INSERT_entity_mix,
			GASPDB_VALUES(entity_mix){
				[GASPDB_ENTITY_MIX_ENTITY] = gaspdb_int(id),
				[GASPDB_ENTITY_MIX_POSITION] =
					gaspdb_int((int64_t)i + 1),
				[GASPDB_ENTITY_MIX_PART] =
					gaspdb_int(part->entity),
				[GASPDB_ENTITY_MIX_WEIGHT] =
					gaspdb_int((int64_t)part->weight) });
	}
}

static struct gaspdb_value value_of(const struct gaspdb_entities *e,
				    const struct gaspdb_entity_value *v)
{
	uint64_t bits = __builtin_bswap64(v->number);
	double real;

	if (v->code == 's')
		return text_value(e, v->text);
	if (v->code == 'i')
		return (struct gaspdb_value){ .is = GASPDB_IS_INT,
					      .i = gaspdb_unzigzag(v->number) };
	memcpy(&real, &bits, sizeof real);
	return real == real ? gaspdb_real(real) : gaspdb_str("NaN");
}

static bool same_value(const struct gaspdb_entity_value *a,
		       const struct gaspdb_entity_value *b)
{
	return a->code == b->code && a->number == b->number &&
	       a->text == b->text;
}

/* Of several processes with the same value only the first has a row. */
static void insert_attributes(struct gaspdb_entities *e)
{
	struct gaspdb_map first = { 0 };

	for (uint32_t i = 0; i < e->keys.n; i++) {
		const struct gaspdb_entity_value *v = &e->value[i];
		uint32_t *known = gaspdb_map_place(
			&first, (uint64_t)v->entity << 32 | v->key);

		if (*known == GASPDB_ABSENT)
			*known = i;
		else if (same_value(v, &e->value[*known]))
			continue;
		gaspdb_insert(e->registry->store,
			      GASPDB_INSERT_entity_attribute,
			      GASPDB_VALUES(entity_attribute){
				      [GASPDB_ENTITY_ATTRIBUTE_ENTITY] =
					      gaspdb_int(v->entity),
				      [GASPDB_ENTITY_ATTRIBUTE_KEY] =
					      text_value(e, v->key),
				      [GASPDB_ENTITY_ATTRIBUTE_THREAD] =
					      gaspdb_int(v->process),
				      [GASPDB_ENTITY_ATTRIBUTE_VALUE] =
					      value_of(e, v) });
	}
	gaspdb_map_free(&first);
}

void gaspdb_entities_finish(struct gaspdb_entities *e)
{
	struct place *place;

	if (!e->identities.n)
		return;
	place = make_places(e);
	for (uint32_t id = 1; id <= e->identities.n; id++)
		insert_entity(e, id, place);
	for (uint32_t id = 1; id <= e->identities.n; id++)
		insert_parts(e, id);
	insert_attributes(e);
	free(place);
}
