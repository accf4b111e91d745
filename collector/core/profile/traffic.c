/* SPDX-License-Identifier: BSD-2-Clause */
/* Traffic: the calls of a node by peer, size class and direction. */
#include "collector/base/pages.h"
#include "collector/core/context.h"

#define FIRST_SIZE 64

struct key {
	uint32_t node, peer, size, way;
};

/* Class of a size: 0 of no bytes, else k of 2^(k-1) .. 2^k - 1. */
static uint32_t class_of(uint64_t bytes)
{
	return bytes ? 64 - (uint32_t)__builtin_clzll(bytes) : 0;
}

static bool is_of(const struct gaspdb_traffic_entry *e, const struct key *k)
{
	return e->node == k->node && e->peer == k->peer && e->size == k->size &&
	       e->way == k->way;
}

/* The slot of an entry, or the free one where it goes. */
static struct gaspdb_traffic_entry **slot_of(const struct gaspdb_entry_table *t,
					     const struct key *k)
{
	uint64_t at = gaspdb_mix((uint64_t)k->node << 32 | k->peer,
				 (uint64_t)k->size << 1 | k->way);

	for (;; at++) {
		struct gaspdb_traffic_entry **s = &t->slots[at & (t->size - 1)];

		if (!*s || is_of(*s, k))
			return s;
	}
}

/* Makes room for one more: at most half of the slots are used. */
static bool make_room(struct gaspdb_entry_table *t)
{
	const struct gaspdb_entry_table old = *t;
	struct gaspdb_entry_table more = old;

	if (t->used < t->size / 2)
		return true;
	more.size = old.size ? 2 * old.size : FIRST_SIZE;
	more.slots = gaspdb_pages(more.size * sizeof *more.slots);
	if (!more.slots)
		return false;
	for (uint32_t i = 0; i < old.size; i++) {
		const struct gaspdb_traffic_entry *e = old.slots[i];

		if (e)
			*slot_of(&more, &(struct key){ e->node, e->peer,
						       e->size, e->way }) =
				old.slots[i];
	}
	*t = more;
	if (old.slots)
		munmap(old.slots, old.size * sizeof *old.slots);
	return true;
}

/* A free entry; NULL: there is no cell for it. */
static struct gaspdb_traffic_entry *new_entry(struct gaspdb_context *c)
{
	struct gaspdb_profile *p = c->profile;
	uint32_t number;

	if (!p->open_cell || p->open_entries == GASPDB_TRAFFIC_ENTRIES) {
		p->open_cell = gaspdb_cell_new(c, &number);
		p->open_entries = 0;
		if (!p->open_cell)
			return NULL;
		p->open_cell->kind = GASPDB_CELL_TRAFFIC;
		gaspdb_cell_publish(p, number);
	}
	return &p->open_cell->entry[p->open_entries++];
}

/* The entry of a key, made if new; NULL: there is none. */
static struct gaspdb_traffic_entry *find(struct gaspdb_context *c,
					 const struct key *k)
{
	struct gaspdb_entry_table *t = &c->profile->entries;
	struct gaspdb_traffic_entry **slot, *e;

	if (!make_room(t))
		return NULL;
	slot = slot_of(t, k);
	if (*slot)
		return *slot;
	e = new_entry(c);
	if (!e)
		return NULL;
	e->peer = k->peer;
	e->size = k->size;
	e->way = k->way;
	__atomic_store_n(&e->node, k->node, __ATOMIC_RELEASE);
	*slot = e;
	t->used++;
	return e;
}

/* The cell that an entry is in: cells are aligned. */
static uint32_t *sequence_of(const struct gaspdb_traffic_entry *e)
{
	return (void *)((uintptr_t)e & ~(uintptr_t)(GASPDB_CELL_BYTES - 1));
}

void gaspdb_traffic_count(struct gaspdb_context *c, uint32_t node,
			  struct gaspdb_traffic_entry **last,
			  enum gaspdb_way way, int64_t peer, uint64_t bytes,
			  uint64_t ticks)
{
	const struct key k = {
		.node = node,
		.peer = peer < 0 || peer > INT32_MAX ? GASPDB_NO_PEER
						     : (uint32_t)peer,
		.size = class_of(bytes),
		.way = way,
	};
	struct gaspdb_traffic_entry *e = *last;
	uint32_t odd;

	if (GASPDB_UNLIKELY(!e || !is_of(e, &k))) {
		e = find(c, &k);
		if (!e) {
			c->profile->head->unkept++;
			return;
		}
		*last = e;
	}
	odd = gaspdb_cell_begin(sequence_of(e));
	e->count++;
	e->bytes += bytes;
	e->ticks += ticks;
	gaspdb_cell_done(sequence_of(e), odd);
}
