/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key: an array of rows with a hash table as its index. */
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
	gaspdb_map_free(&groups->index);
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

void gaspdb_groups_clear(struct gaspdb_groups *groups)
{
	gaspdb_map_clear(&groups->index);
	groups->n = 0;
}

/* Keys are a few numbers, so a loop is faster than memcmp(). */
static bool is_row(const void *groups, uint32_t item, const void *key)
{
	const struct gaspdb_groups *g = groups;
	const int64_t *a = gaspdb_groups_row(g, item), *b = key;
	size_t i = 0;

	while (i < g->n_keys && a[i] == b[i])
		i++;
	return i == g->n_keys;
}

/* Not inlined: nearly all keys exist already. */
static __attribute__((noinline)) int64_t *
add_row(struct gaspdb_run *run, struct gaspdb_groups *g, const int64_t *keys,
	struct gaspdb_map_slot *slot, uint64_t h)
{
	const size_t width = g->n_keys + g->n_values;
	int64_t *row;

	if (!gaspdb_grow(run, &g->rows, g->n, &g->room, width * sizeof(*row)))
		return NULL;
	row = gaspdb_groups_row(g, g->n);
	memcpy(row, keys, g->n_keys * sizeof(*row));
	memset(row + g->n_keys, 0, g->n_values * sizeof(*row));
	gaspdb_map_fill(&g->index, slot, h, (uint32_t)g->n++);
	return row + g->n_keys;
}

int64_t *gaspdb_group(struct gaspdb_run *run, struct gaspdb_groups *g,
		      const int64_t *keys)
{
	const uint64_t h = hash(keys, g->n_keys);
	struct gaspdb_map_slot *slot;

	if (!gaspdb_map_grow(run, &g->index))
		return NULL;
	slot = gaspdb_map_item(&g->index, h, is_row, g, keys);
	return slot->value == GASPDB_ABSENT
		       ? add_row(run, g, keys, slot, h)
		       : gaspdb_groups_row(g, slot->value) + g->n_keys;
}

int64_t *gaspdb_groups_find(const struct gaspdb_groups *g, const int64_t *keys)
{
	const uint32_t row = gaspdb_map_find(&g->index, hash(keys, g->n_keys),
					     is_row, g, keys);

	return row == GASPDB_ABSENT ? NULL
				    : gaspdb_groups_row(g, row) + g->n_keys;
}

/* --- sorting -------------------------------------------------------------- */

static int compare_rows(const void *a, const void *b, void *n_keys)
{
	const int64_t *x = a, *y = b;

	for (size_t i = 0; i < *(const size_t *)n_keys; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* Append one key column to the packed keys of `bits` bits: NONE as 0, others as
   their distance from the least, plus 1. Returns the bits added; 64: more than
   64 bits in all. */
static unsigned append_key(const struct gaspdb_groups *g, size_t key,
			   struct gaspdb_radix_row *packed, unsigned bits)
{
	const size_t width = g->n_keys + g->n_values;
	const int64_t *column = g->rows + key;
	int64_t least = INT64_MAX, greatest = GASPDB_NONE;
	unsigned added = 0;

	for (size_t i = 0; i < g->n; i++) {
		const int64_t v = column[i * width];

		if (v != GASPDB_NONE && v < least)
			least = v;
		if (v > greatest)
			greatest = v;
	}
	if (greatest == GASPDB_NONE)
		return 0;
	while (added < 64 &&
	       ((uint64_t)greatest - (uint64_t)least + 1) >> added)
		added++;
	if (bits + added >= 64)
		return 64;
	for (size_t i = 0; i < g->n; i++) {
		const int64_t v = column[i * width];
		const uint64_t distance = (uint64_t)v - (uint64_t)least + 1;

		packed[i].key = packed[i].key << added |
				(v == GASPDB_NONE ? 0 : distance);
	}
	return added;
}

/* Pack the keys of each row into one number. Returns its bits; 64 or more: too
   many. */
static unsigned pack_keys(const struct gaspdb_groups *g,
			  struct gaspdb_radix_row *packed)
{
	unsigned bits = 0;

	for (size_t i = 0; i < g->n; i++)
		packed[i] = (struct gaspdb_radix_row){ .row = (uint32_t)i };
	for (size_t key = 0; key < g->n_keys && bits < 64; key++)
		bits += append_key(g, key, packed, bits);
	return bits;
}

/* Radix sort of the rows; false: the packed keys are too long, or there is no
   memory. */
static bool radix_sort_rows(struct gaspdb_groups *g)
{
	const size_t width = g->n_keys + g->n_values;
	struct gaspdb_radix_row *packed = malloc(2 * g->n * sizeof *packed);
	int64_t *rows = malloc(g->room * width * sizeof *rows);
	const struct gaspdb_radix_row *sorted;
	const unsigned bits = packed && rows ? pack_keys(g, packed) : 64;

	if (bits < 64) {
		sorted = gaspdb_radix_sort(packed, packed + g->n, g->n,
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
	free(packed);
	return bits < 64;
}

void gaspdb_groups_sort(struct gaspdb_groups *g)
{
	if (g->n > 1 && (g->n > UINT32_MAX || !radix_sort_rows(g)))
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
