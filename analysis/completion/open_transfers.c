/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists found by hash; transfers and lists that are gone are used again. */
#include "analysis/completion/open_transfers.h"

#include <stdlib.h>
#include <string.h>

#define ABSENT UINT32_MAX

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
	free(o->bucket);
}

/* --- lists ---------------------------------------------------------------- */

/* Upper bits of a product depend on all of its factors; by the golden ratio
   numbers in a row go far from each other. */
static size_t bucket_of(const struct gaspdb_open_transfers *o,
			enum gaspdb_transfer_key key, int64_t a, int64_t b)
{
	const uint64_t h =
		(uint64_t)b * 0xff51afd7ed558ccdu + (uint64_t)a + (uint64_t)key;

	return h * 0x9e3779b97f4a7c15u >> o->bucket_shift;
}

/* Where the number of the list stands, or ABSENT at the end of its bucket. */
static inline uint32_t *find_from(struct gaspdb_open_transfers *o,
				  uint32_t *bucket,
				  enum gaspdb_transfer_key key, int64_t a,
				  int64_t b)
{
	uint32_t *at = bucket;

	while (*at != ABSENT && (o->list[*at].key != key ||
				 o->list[*at].a != a || o->list[*at].b != b))
		at = &o->list[*at].next;
	return at;
}

static inline uint32_t *find(struct gaspdb_open_transfers *o,
			     enum gaspdb_transfer_key key, int64_t a, int64_t b)
{
	return find_from(o, &o->bucket[bucket_of(o, key, a, b)], key, a, b);
}

static bool widen(struct gaspdb_open_transfers *o)
{
	const size_t n = o->n_buckets ? o->n_buckets * 2 : 64;
	uint32_t *bucket = gaspdb_zeroed(o->run, n, sizeof(*bucket));

	if (!bucket)
		return false;
	free(o->bucket);
	o->bucket = bucket;
	o->n_buckets = n;
	o->bucket_shift = 64 - (unsigned)__builtin_ctzll(n);
	memset(bucket, 0xff, n * sizeof(*bucket)); /* ABSENT */
	for (uint32_t i = 0; i < o->n_lists; i++) {
		struct gaspdb_transfer_list *l = &o->list[i];
		uint32_t *at;

		if (!l->key)
			continue;
		at = &bucket[bucket_of(o, l->key, l->a, l->b)];
		l->next = *at;
		*at = i;
	}
	return true;
}

static void link_list(struct gaspdb_open_transfers *o, uint32_t i)
{
	uint32_t *first = &o->first_list[o->list[i].key];

	o->list[i].before = ABSENT;
	o->list[i].after = *first;
	if (*first != ABSENT)
		o->list[*first].before = i;
	*first = i;
}

static void unlink_list(struct gaspdb_open_transfers *o, uint32_t i)
{
	const struct gaspdb_transfer_list *l = &o->list[i];

	if (l->before != ABSENT)
		o->list[l->before].after = l->after;
	else
		o->first_list[l->key] = l->after;
	if (l->after != ABSENT)
		o->list[l->after].before = l->before;
}

/* A list of that key, made if there is none. */
static struct gaspdb_transfer_list *get(struct gaspdb_open_transfers *o,
					enum gaspdb_transfer_key key, int64_t a,
					int64_t b)
{
	uint32_t *bucket, i;

	if (o->n_live >= o->n_buckets && !widen(o))
		return NULL;
	bucket = &o->bucket[bucket_of(o, key, a, b)];
	i = *find_from(o, bucket, key, a, b);
	if (i != ABSENT)
		return &o->list[i];
	i = o->unused_list;
	if (i != ABSENT)
		o->unused_list = o->list[i].next;
	else if (gaspdb_grow(o->run, &o->list, o->n_lists, &o->lists_room,
			     sizeof(*o->list)))
		i = (uint32_t)o->n_lists++;
	else
		return NULL;
	o->n_live++;
	o->list[i] = (struct gaspdb_transfer_list){ .key = key,
						    .a = a,
						    .b = b,
						    .first = ABSENT,
						    .last = ABSENT,
						    .next = *bucket };
	*bucket = i;
	link_list(o, i);
	return &o->list[i];
}

static void drop(struct gaspdb_open_transfers *o, uint32_t *at)
{
	const uint32_t i = *at;

	*at = o->list[i].next;
	unlink_list(o, i);
	o->list[i].key = GASPDB_KEY_NONE;
	o->list[i].next = o->unused_list;
	o->unused_list = i;
	o->n_live--;
}

/* --- transfers ------------------------------------------------------------ */

struct gaspdb_transfer *gaspdb_transfer_add(struct gaspdb_open_transfers *o,
					    enum gaspdb_transfer_key key,
					    int64_t a, int64_t b)
{
	struct gaspdb_transfer_list *l = get(o, key, a, b);
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

/* at: where the list's number stands. */
static void visit(struct gaspdb_open_transfers *o, uint32_t *at,
		  gaspdb_transfer_fn fn, void *user)
{
	struct gaspdb_transfer_list *l = &o->list[*at];
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
		drop(o, at);
}

const struct gaspdb_transfer *
gaspdb_transfers_first(struct gaspdb_open_transfers *o,
		       enum gaspdb_transfer_key key, int64_t a, int64_t b)
{
	const uint32_t *at =
		o->first_list[key] != ABSENT ? find(o, key, a, b) : NULL;

	return at && *at != ABSENT ? &o->transfer[o->list[*at].first] : NULL;
}

void gaspdb_transfers_visit(struct gaspdb_open_transfers *o,
			    enum gaspdb_transfer_key key, int64_t a, int64_t b,
			    gaspdb_transfer_fn fn, void *user)
{
	uint32_t *at = o->first_list[key] != ABSENT ? find(o, key, a, b) : NULL;

	if (at && *at != ABSENT)
		visit(o, at, fn, user);
}

void gaspdb_transfers_visit_all(struct gaspdb_open_transfers *o, unsigned keys,
				int64_t a, gaspdb_transfer_fn fn, void *user)
{
	for (unsigned key = GASPDB_KEY_NONE + 1; key <= GASPDB_KEY_REQUEST;
	     key++) {
		uint32_t i = keys >> key & 1 ? o->first_list[key] : ABSENT;

		while (i != ABSENT) {
			const struct gaspdb_transfer_list *l = &o->list[i];

			i = l->after;
			if (a == GASPDB_NONE || l->a == a)
				visit(o, find(o, l->key, l->a, l->b), fn, user);
		}
	}
}
