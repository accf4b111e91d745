/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash table of lists of transfers. Removed transfers and lists go to free
   lists. */
#include "analysis/completion/open_transfers.h"

#include <stdlib.h>
#include <string.h>

#define ABSENT GASPDB_ABSENT

void gaspdb_open_transfers_init(struct gaspdb_open_transfers *o,
				struct gaspdb_run *run)
{
	*o = (struct gaspdb_open_transfers){ .run = run,
					     .unused = ABSENT,
					     .unused_list = ABSENT };
	memset(o->first_list, 0xff, sizeof(o->first_list)); /* ABSENT */
}

void gaspdb_open_transfers_free(struct gaspdb_open_transfers *o)
{
	free(o->transfer);
	free(o->list);
	gaspdb_map_free(&o->index);
}

/* --- lists ---------------------------------------------------------------- */

static uint64_t hash(enum gaspdb_transfer_key key, int64_t a, int64_t b)
{
	return (uint64_t)b * 0xff51afd7ed558ccdu + (uint64_t)a +
	       ((uint64_t)key << 56);
}

struct list_key {
	enum gaspdb_transfer_key key;
	int64_t a, b;
};

static bool is_list(const void *lists, uint32_t item, const void *key)
{
	const struct gaspdb_transfer_list *l =
		(const struct gaspdb_transfer_list *)lists + item;
	const struct list_key *k = key;

	return l->key == k->key && l->a == k->a && l->b == k->b;
}

/* The index of a list, or ABSENT. */
static inline uint32_t find(const struct gaspdb_open_transfers *o,
			    enum gaspdb_transfer_key key, int64_t a, int64_t b)
{
	return gaspdb_map_find(&o->index, hash(key, a, b), is_list, o->list,
			       &(struct list_key){ key, a, b });
}

static void link_list(struct gaspdb_open_transfers *o, uint32_t i)
{
	uint32_t *first = &o->first_list[o->list[i].key];

	o->list[i].prev_of_key = ABSENT;
	o->list[i].next_of_key = *first;
	if (*first != ABSENT)
		o->list[*first].prev_of_key = i;
	*first = i;
}

static void unlink_list(struct gaspdb_open_transfers *o, uint32_t i)
{
	const struct gaspdb_transfer_list *l = &o->list[i];

	if (l->prev_of_key != ABSENT)
		o->list[l->prev_of_key].next_of_key = l->next_of_key;
	else
		o->first_list[l->key] = l->next_of_key;
	if (l->next_of_key != ABSENT)
		o->list[l->next_of_key].prev_of_key = l->prev_of_key;
}

/* The list of a key, created if absent. */
static struct gaspdb_transfer_list *get_list(struct gaspdb_open_transfers *o,
					     enum gaspdb_transfer_key key,
					     int64_t a, int64_t b)
{
	struct gaspdb_map_slot *slot;
	uint32_t i;

	if (!gaspdb_map_grow(o->run, &o->index))
		return NULL;
	slot = gaspdb_map_item(&o->index, hash(key, a, b), is_list, o->list,
			       &(struct list_key){ key, a, b });
	if (slot->value != ABSENT)
		return &o->list[slot->value];
	i = o->unused_list;
	if (i != ABSENT)
		o->unused_list = o->list[i].next;
	else if (gaspdb_grow(o->run, &o->list, o->n_lists, &o->lists_room,
			     sizeof(*o->list)))
		i = (uint32_t)o->n_lists++;
	else
		return NULL;
	o->list[i] = (struct gaspdb_transfer_list){
		.key = key, .a = a, .b = b, .first = ABSENT, .last = ABSENT
	};
	gaspdb_map_fill(&o->index, slot, hash(key, a, b), i);
	link_list(o, i);
	return &o->list[i];
}

static void remove_list(struct gaspdb_open_transfers *o, uint32_t i)
{
	const struct gaspdb_transfer_list *l = &o->list[i];

	gaspdb_map_empty(
		&o->index,
		gaspdb_map_item(&o->index, hash(l->key, l->a, l->b), is_list,
				o->list,
				&(struct list_key){ l->key, l->a, l->b }));
	unlink_list(o, i);
	o->list[i].key = GASPDB_KEY_NONE;
	o->list[i].next = o->unused_list;
	o->unused_list = i;
}

/* --- transfers ------------------------------------------------------------ */

struct gaspdb_transfer *
gaspdb_open_transfers_add(struct gaspdb_open_transfers *o,
			  enum gaspdb_transfer_key key, int64_t a, int64_t b)
{
	struct gaspdb_transfer_list *l = get_list(o, key, a, b);
	struct gaspdb_transfer *t;
	uint32_t i = o->unused;

	if (!l)
		return NULL;
	if (i != ABSENT)
		o->unused = o->transfer[i].next;
	else if (gaspdb_grow(o->run, &o->transfer, o->n, &o->room,
			     sizeof(*o->transfer)))
		i = (uint32_t)o->n++;
	else
		return NULL;
	t = &o->transfer[i];
	t->serial = ++o->serial;
	t->next = ABSENT;
	if (l->first == ABSENT)
		l->first = i;
	else
		o->transfer[l->last].next = i;
	l->last = i;
	return t;
}

/* at: the list's index. */
static void visit(struct gaspdb_open_transfers *o, uint32_t at,
		  gaspdb_transfer_fn fn, void *user)
{
	struct gaspdb_transfer_list *l = &o->list[at];
	uint32_t *link = &l->first;

	l->last = ABSENT;
	for (uint32_t i; (i = *link) != ABSENT;) {
		struct gaspdb_transfer *t = &o->transfer[i];

		if (!fn(user, t)) {
			l->last = i;
			link = &t->next;
			continue;
		}
		*link = t->next;
		t->next = o->unused;
		o->unused = i;
	}
	if (l->first == ABSENT)
		remove_list(o, at);
}

const struct gaspdb_transfer *
gaspdb_open_transfers_first(struct gaspdb_open_transfers *o,
			    enum gaspdb_transfer_key key, int64_t a, int64_t b)
{
	const uint32_t at =
		o->first_list[key] != ABSENT ? find(o, key, a, b) : ABSENT;

	return at != ABSENT ? &o->transfer[o->list[at].first] : NULL;
}

void gaspdb_open_transfers_visit(struct gaspdb_open_transfers *o,
				 enum gaspdb_transfer_key key, int64_t a,
				 int64_t b, gaspdb_transfer_fn fn, void *user)
{
	const uint32_t at =
		o->first_list[key] != ABSENT ? find(o, key, a, b) : ABSENT;

	if (at != ABSENT)
		visit(o, at, fn, user);
}

void gaspdb_open_transfers_visit_all(struct gaspdb_open_transfers *o,
				     unsigned keys, int64_t a,
				     gaspdb_transfer_fn fn, void *user)
{
	for (unsigned key = GASPDB_KEY_NONE + 1; key <= GASPDB_KEY_REQUEST;
	     key++) {
		uint32_t i = keys >> key & 1 ? o->first_list[key] : ABSENT;

		while (i != ABSENT) {
			const uint32_t at = i;

			i = o->list[at].next_of_key;
			if (a == GASPDB_NONE || o->list[at].a == a)
				visit(o, at, fn, user);
		}
	}
}
