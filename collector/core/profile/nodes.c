/* SPDX-License-Identifier: BSD-2-Clause */
/* The tree: a child is found by its parent and its site. */
#include "collector/base/pages.h"
#include "collector/core/context.h"

#define FIRST_SIZE 256

/* Nodes, which never move. */
struct gaspdb_node_slab {
	_Alignas(64) struct gaspdb_node_slab *next;
	unsigned used;
	_Alignas(64) struct gaspdb_node nodes[127];
};

static uint64_t hash_of(uint32_t parent, uint32_t site)
{
	return gaspdb_mix((uint64_t)parent << 32 | site, 0);
}

/* The slot of a child, or the free one where it goes. */
static struct gaspdb_node **slot_of(const struct gaspdb_node_table *t,
				    const struct gaspdb_node *parent,
				    uint32_t site)
{
	uint64_t at = hash_of(parent->number, site);

	for (;; at++) {
		struct gaspdb_node **s = &t->slots[at & (t->size - 1)];

		if (!*s || ((*s)->site == site && (*s)->parent == parent))
			return s;
	}
}

/* Makes room for one more: at most half of the slots are used. */
static bool make_room(struct gaspdb_node_table *t)
{
	const struct gaspdb_node_table old = *t;
	struct gaspdb_node_table more = old;

	if (t->used < t->size / 2)
		return true;
	more.size = old.size ? 2 * old.size : FIRST_SIZE;
	more.slots = gaspdb_pages(more.size * sizeof *more.slots);
	if (!more.slots)
		return false;
	for (uint32_t i = 0; i < old.size; i++)
		if (old.slots[i])
			*slot_of(&more, old.slots[i]->parent,
				 old.slots[i]->site) = old.slots[i];
	*t = more;
	if (old.slots)
		munmap(old.slots, old.size * sizeof *old.slots);
	return true;
}

static struct gaspdb_node *new_node(struct gaspdb_profile *p)
{
	struct gaspdb_node_slab *slab = p->slabs;

	if (!slab || slab->used == sizeof slab->nodes / sizeof *slab->nodes) {
		slab = gaspdb_pages(sizeof *slab);
		if (!slab)
			return NULL;
		slab->next = p->slabs;
		p->slabs = slab;
	}
	return &slab->nodes[slab->used++];
}

static void fill(struct gaspdb_node_cell *cell, uint32_t parent, uint32_t site)
{
	cell->parent = parent;
	cell->site = site;
	cell->least = UINT64_MAX;
	cell->kind = GASPDB_CELL_NODE;
}

static GASPDB_COLD struct gaspdb_node *add(struct gaspdb_context *c,
					   struct gaspdb_node *parent,
					   const struct gaspdb_site *site,
					   uint64_t ticks)
{
	struct gaspdb_profile *p = c->profile;
	uint32_t number;
	struct gaspdb_node_cell *cell = gaspdb_cell_new(c, &number);
	struct gaspdb_node *node;

	if (!cell || !make_room(&p->nodes))
		return NULL;
	node = new_node(p);
	if (!node)
		return NULL;
	if (!p->head->first)
		p->head->first = ticks;
	fill(cell, parent->number, gaspdb_site_number(site->id));
	*node = (struct gaspdb_node){
		.cell = cell,
		.parent = parent,
		.last = &p->none,
		.op = site->op,
		.overlay = site->op->overlay,
		.site = site->id,
		.number = (uint16_t)number,
	};
	gaspdb_cell_publish(p, number);
	*slot_of(&p->nodes, parent, site->id) = node;
	p->nodes.used++;
	return node;
}

struct gaspdb_node *gaspdb_node_child(struct gaspdb_context *c,
				      struct gaspdb_site *site, uint64_t ticks)
{
	struct gaspdb_profile *p = c->profile;
	struct gaspdb_node *parent = p->at, *node = NULL;

	if (p->nodes.size)
		node = *slot_of(&p->nodes, parent, site->id);
	if (!node)
		node = add(c, parent, site, ticks);
	if (!node)
		return NULL;
	parent->last = node;
	if (gaspdb_is_profile_only(c))
		site->node = node;
	return node;
}

void gaspdb_nodes_free(struct gaspdb_profile *p)
{
	struct gaspdb_node_slab *slab = p->slabs, *next;

	for (p->slabs = NULL; slab; slab = next) {
		next = slab->next;
		munmap(slab, sizeof *slab);
	}
	if (p->nodes.slots)
		munmap(p->nodes.slots, p->nodes.size * sizeof *p->nodes.slots);
	p->nodes = (struct gaspdb_node_table){ 0 };
}
