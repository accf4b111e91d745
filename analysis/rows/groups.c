/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key: rows in one array, found through open addressing. */
#include "analysis/rows/groups.h"

#include <stdlib.h>
#include <string.h>

#include "common/radix_sort.h"

void gaspdb_groups_init(struct gaspdb_groups *groups, size_t n_keys,
			size_t n_values)
{
	*groups = (struct gaspdb_groups){ .n_keys = n_keys,
					  .n_values = n_values };
}

void gaspdb_groups_fini(struct gaspdb_groups *groups)
{
	free(groups->rows);
	free(groups->slots);
}

static inline uint64_t hash(const int64_t *keys, size_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < n; i++) {
		h = (h ^ (uint64_t)keys[i]) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return h;
}

/*
 * The slots from where a key belongs to the next free one: the key is among
 * them, or they were emptied for another of the same run.
 */
static void clear_run(struct gaspdb_groups *g, uint64_t h)
{
	for (size_t at = h & (g->n_slots - 1); g->slots[at].row;
	     at = (at + 1) & (g->n_slots - 1))
		g->slots[at] = (struct gaspdb_group_slot){ 0 };
}

void gaspdb_groups_clear(struct gaspdb_groups *groups)
{
	if (!groups->n)
		return;
	/* After one large use many small ones may come. */
	if (groups->n < groups->n_slots / 16)
		for (size_t i = 0; i < groups->n; i++)
			clear_run(groups, hash(gaspdb_groups_row(groups, i),
					       groups->n_keys));
	else
		memset(groups->slots, 0,
		       groups->n_slots * sizeof(*groups->slots));
	groups->n = 0;
}

/* Keys are a few numbers: less than what a call of memcmp costs. */
static bool same_keys(const int64_t *a, const int64_t *b, size_t n)
{
	size_t i = 0;

	while (i < n && a[i] == b[i])
		i++;
	return i == n;
}

static uint32_t tag_of(uint64_t h)
{
	return (uint32_t)(h >> 32);
}

/* The slot that holds the key of that hash, or where it belongs. */
static inline struct gaspdb_group_slot *
find_slot(const struct gaspdb_groups *g, const int64_t *keys, uint64_t h)
{
	size_t at = h & (g->n_slots - 1);

	while (g->slots[at].row &&
	       (g->slots[at].tag != tag_of(h) ||
		!same_keys(gaspdb_groups_row(g, g->slots[at].row - 1), keys,
			   g->n_keys)))
		at = (at + 1) & (g->n_slots - 1);
	return &g->slots[at];
}

static void fill(struct gaspdb_group_slot *slot, size_t row, uint64_t h)
{
	*slot = (struct gaspdb_group_slot){ (uint32_t)row + 1, tag_of(h) };
}

/* What follows is out of the way of keys that are there: nearly all. */
static __attribute__((noinline)) bool widen(struct gaspdb_run *run,
					    struct gaspdb_groups *g)
{
	size_t n_slots = g->n_slots ? g->n_slots * 2 : 256;
	struct gaspdb_group_slot *slots =
		gaspdb_zeroed(run, n_slots, sizeof(*slots));

	if (!slots)
		return false;
	free(g->slots);
	g->slots = slots;
	g->n_slots = n_slots;
	for (size_t i = 0; i < g->n; i++) {
		const int64_t *row = gaspdb_groups_row(g, i);
		const uint64_t h = hash(row, g->n_keys);

		fill(find_slot(g, row, h), i, h);
	}
	return true;
}

static __attribute__((noinline)) int64_t *
add_row(struct gaspdb_run *run, struct gaspdb_groups *g, const int64_t *keys,
	struct gaspdb_group_slot *slot, uint64_t h)
{
	const size_t width = g->n_keys + g->n_values;
	int64_t *row;

	if (!gaspdb_grow(run, &g->rows, g->n, &g->room, width * sizeof(*row)))
		return NULL;
	row = gaspdb_groups_row(g, g->n);
	memcpy(row, keys, g->n_keys * sizeof(*row));
	memset(row + g->n_keys, 0, g->n_values * sizeof(*row));
	fill(slot, g->n++, h);
	return row + g->n_keys;
}

int64_t *gaspdb_group(struct gaspdb_run *run, struct gaspdb_groups *g,
		      const int64_t *keys)
{
	const uint64_t h = hash(keys, g->n_keys);
	struct gaspdb_group_slot *slot;

	if (run->status != GASPDB_OK)
		return NULL;
	if (g->n * 2 >= g->n_slots && !widen(run, g))
		return NULL;
	slot = find_slot(g, keys, h);
	return slot->row ? gaspdb_groups_row(g, slot->row - 1) + g->n_keys
			 : add_row(run, g, keys, slot, h);
}

int64_t *gaspdb_groups_find(const struct gaspdb_groups *g, const int64_t *keys)
{
	const struct gaspdb_group_slot *slot =
		g->n_slots ? find_slot(g, keys, hash(keys, g->n_keys)) : NULL;

	return slot && slot->row
		       ? gaspdb_groups_row(g, slot->row - 1) + g->n_keys
		       : NULL;
}

/* --- order ---------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b, void *n_keys)
{
	const int64_t *x = a, *y = b;

	for (size_t i = 0; i < *(const size_t *)n_keys; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* One more key: how far it is from the least; NONE is 0.  Returns by how many
   bits keys become longer. */
static unsigned take_key(const struct gaspdb_groups *g, size_t key,
			 struct gaspdb_radix_row *slots, unsigned bits)
{
	const size_t width = g->n_keys + g->n_values;
	const int64_t *of = g->rows + key;
	int64_t least = INT64_MAX, greatest = GASPDB_NONE;
	unsigned more = 0;

	for (size_t i = 0; i < g->n; i++) {
		const int64_t v = of[i * width];

		if (v != GASPDB_NONE && v < least)
			least = v;
		if (v > greatest)
			greatest = v;
	}
	if (greatest == GASPDB_NONE)
		return 0;
	while (more < 64 && ((uint64_t)greatest - (uint64_t)least + 1) >> more)
		more++;
	if (bits + more >= 64)
		return 64;
	for (size_t i = 0; i < g->n; i++) {
		const int64_t v = of[i * width];
		const uint64_t far = (uint64_t)v - (uint64_t)least + 1;

		slots[i].key =
			slots[i].key << more | (v == GASPDB_NONE ? 0 : far);
	}
	return more;
}

/* A row's keys become one number.  How many bits that has; 64: too many. */
static unsigned take_keys(const struct gaspdb_groups *g,
			  struct gaspdb_radix_row *slots)
{
	unsigned bits = 0;

	for (size_t i = 0; i < g->n; i++)
		slots[i] = (struct gaspdb_radix_row){ .row = (uint32_t)i };
	for (size_t key = 0; key < g->n_keys && bits < 64; key++)
		bits += take_key(g, key, slots, bits);
	return bits;
}

/* false: keys are too long, or there is no memory. */
static bool sort_by_digits(struct gaspdb_groups *g)
{
	const size_t width = g->n_keys + g->n_values;
	struct gaspdb_radix_row *slots = malloc(2 * g->n * sizeof *slots);
	int64_t *rows = malloc(g->room * width * sizeof *rows);
	const struct gaspdb_radix_row *sorted;
	const unsigned bits = slots && rows ? take_keys(g, slots) : 64;

	if (bits < 64) {
		sorted = gaspdb_radix_sort(slots, slots + g->n, g->n,
					   ((uint64_t)1 << bits) - 1);
		for (size_t i = 0; i < g->n; i++)
			memcpy(rows + i * width,
			       gaspdb_groups_row(g, sorted[i].row),
			       width * sizeof *rows);
		free(g->rows);
		g->rows = rows;
		rows = NULL;
	}
	free(rows);
	free(slots);
	return bits < 64;
}

void gaspdb_groups_sort(struct gaspdb_groups *g)
{
	if (g->n > 1 && (g->n > UINT32_MAX || !sort_by_digits(g)))
		qsort_r(g->rows, g->n,
			(g->n_keys + g->n_values) * sizeof(*g->rows),
			compare_rows, &g->n_keys);
}

void gaspdb_groups_write(struct gaspdb_run *run, struct gaspdb_groups *g,
			 const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(run, sql);

	gaspdb_groups_sort(g);
	for (size_t i = 0; i < g->n && run->status == GASPDB_OK; i++)
		gaspdb_write(run, stmt, g->n_keys + g->n_values,
			     gaspdb_groups_row(g, i), NULL);
	sqlite3_finalize(stmt);
}
