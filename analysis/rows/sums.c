/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key: groups in memory, spilled to a sorter when they are full. So the
   sorter may have several rows of a key. */
#include "analysis/rows/sums.h"

#include <string.h>

#include "common/sum.h"

enum { MEMORY_BYTES = 4 << 20 }; /* of rows in memory */

void gaspdb_sums_init(struct gaspdb_sums *s, struct gaspdb_run *run,
		      size_t n_keys, const char *aggregates)
{
	*s = (struct gaspdb_sums){ .aggregates = aggregates };
	gaspdb_groups_init(&s->groups, n_keys, strlen(aggregates));
	gaspdb_sorter_init(&s->spilled, run, n_keys + strlen(aggregates),
			   n_keys);
}

void gaspdb_sums_fini(struct gaspdb_sums *s)
{
	gaspdb_groups_fini(&s->groups);
	gaspdb_sorter_fini(&s->spilled);
}

static size_t n_columns(const struct gaspdb_sums *s)
{
	return s->groups.n_keys + s->groups.n_values;
}

static void spill(struct gaspdb_sums *s)
{
	for (size_t i = 0; i < s->groups.n; i++)
		gaspdb_sorter_add(&s->spilled,
				  gaspdb_groups_row(&s->groups, i));
	gaspdb_groups_clear(&s->groups);
}

static void make_room(struct gaspdb_sums *s)
{
	if (s->groups.n * n_columns(s) * sizeof(int64_t) >= MEMORY_BYTES)
		spill(s);
}

int64_t *gaspdb_sums_of(struct gaspdb_sums *s, const int64_t *keys)
{
	make_room(s);
	return gaspdb_group(s->spilled.run, &s->groups, keys);
}

int64_t *gaspdb_sums_cached(struct gaspdb_sums *s, const int64_t *keys,
			    uint32_t *recent)
{
	make_room(s);
	return gaspdb_group_cached(s->spilled.run, &s->groups, keys, recent);
}

/* Merge the values of another row of the same key into these. */
static void merge(const struct gaspdb_sums *s, int64_t *values,
		  const int64_t *others)
{
	bool replaced = false;

	for (size_t i = 0; i < s->groups.n_values; i++) {
		if (s->aggregates[i] == '+') {
			gaspdb_add_to(&values[i], others[i]);
			continue;
		}
		if (s->aggregates[i] != '^')
			replaced = s->aggregates[i] == '<'
					   ? others[i] < values[i]
					   : others[i] > values[i];
		if (replaced)
			values[i] = others[i];
	}
}

static void sort(struct gaspdb_sums *s)
{
	s->sorted = true;
	if (!s->spilled.n && !s->spilled.n_parts) {
		gaspdb_groups_sort(&s->groups);
		return;
	}
	spill(s);
	s->spilled_row = gaspdb_sorter_next(&s->spilled);
}

const int64_t *gaspdb_sums_next(struct gaspdb_sums *s)
{
	const size_t n_keys = s->groups.n_keys;

	if (!s->sorted)
		sort(s);
	if (s->next < s->groups.n)
		return gaspdb_groups_row(&s->groups, s->next++);
	if (!s->spilled_row)
		return NULL;
	memcpy(s->merged, s->spilled_row,
	       n_columns(s) * sizeof *s->spilled_row);
	while ((s->spilled_row = gaspdb_sorter_next(&s->spilled)) &&
	       !memcmp(s->merged, s->spilled_row,
		       n_keys * sizeof *s->spilled_row))
		merge(s, s->merged + n_keys, s->spilled_row + n_keys);
	return s->merged;
}

void gaspdb_sums_write(struct gaspdb_sums *s, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(s->spilled.run, sql);
	const int64_t *row;

	while (stmt && (row = gaspdb_sums_next(s)))
		gaspdb_write(s->spilled.run, stmt, n_columns(s), row, NULL);
	sqlite3_finalize(stmt);
}
