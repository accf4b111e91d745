/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups; full ones go to a sorter, in which a key may stand several times. */
#include "analysis/rows/sums.h"

#include <string.h>

#include "common/sum.h"

enum { MEMORY_BYTES = 4 << 20 }; /* of rows */

void gaspdb_sums_init(struct gaspdb_sums *s, struct gaspdb_run *run,
		      size_t n_keys, const char *how)
{
	*s = (struct gaspdb_sums){ .how = how };
	gaspdb_groups_init(&s->groups, n_keys, strlen(how));
	gaspdb_sorter_init(&s->before, run, n_keys + strlen(how), n_keys);
}

void gaspdb_sums_fini(struct gaspdb_sums *s)
{
	gaspdb_groups_fini(&s->groups);
	gaspdb_sorter_fini(&s->before);
}

static size_t n_columns(const struct gaspdb_sums *s)
{
	return s->groups.n_keys + s->groups.n_values;
}

static void put_away(struct gaspdb_sums *s)
{
	for (size_t i = 0; i < s->groups.n; i++)
		gaspdb_sorter_add(&s->before, gaspdb_groups_row(&s->groups, i));
	gaspdb_groups_clear(&s->groups);
}

static void make_room(struct gaspdb_sums *s)
{
	if (s->groups.n * n_columns(s) * sizeof(int64_t) >= MEMORY_BYTES)
		put_away(s);
}

int64_t *gaspdb_sums_of(struct gaspdb_sums *s, const int64_t *keys)
{
	make_room(s);
	return gaspdb_group(s->before.run, &s->groups, keys);
}

int64_t *gaspdb_sums_again(struct gaspdb_sums *s, const int64_t *keys,
			   uint32_t *recent)
{
	make_room(s);
	return gaspdb_group_again(s->before.run, &s->groups, keys, recent);
}

/* The values of another row of the same key join these. */
static void join(const struct gaspdb_sums *s, int64_t *values,
		 const int64_t *others)
{
	bool taken = false;

	for (size_t i = 0; i < s->groups.n_values; i++) {
		if (s->how[i] == '+') {
			gaspdb_add_to(&values[i], others[i]);
			continue;
		}
		if (s->how[i] != '^')
			taken = s->how[i] == '<' ? others[i] < values[i]
						 : others[i] > values[i];
		if (taken)
			values[i] = others[i];
	}
}

static void sort(struct gaspdb_sums *s)
{
	s->sorted = true;
	if (!s->before.n && !s->before.n_parts) {
		gaspdb_groups_sort(&s->groups);
		return;
	}
	put_away(s);
	s->row = gaspdb_sorter_next(&s->before);
}

const int64_t *gaspdb_sums_next(struct gaspdb_sums *s)
{
	const size_t n_keys = s->groups.n_keys;

	if (!s->sorted)
		sort(s);
	if (s->at < s->groups.n)
		return gaspdb_groups_row(&s->groups, s->at++);
	if (!s->row)
		return NULL;
	memcpy(s->joined, s->row, n_columns(s) * sizeof *s->row);
	while ((s->row = gaspdb_sorter_next(&s->before)) &&
	       !memcmp(s->joined, s->row, n_keys * sizeof *s->row))
		join(s, s->joined + n_keys, s->row + n_keys);
	return s->joined;
}

void gaspdb_sums_write(struct gaspdb_sums *s, const char *sql)
{
	sqlite3_stmt *stmt = gaspdb_prepare(s->before.run, sql);
	const int64_t *row;

	while (stmt && (row = gaspdb_sums_next(s)))
		gaspdb_write(s->before.run, stmt, n_columns(s), row, NULL);
	sqlite3_finalize(stmt);
}
