/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups; full ones go to a sorter, in which a key may stand several times. */
#include "analysis/sums.h"

#include <string.h>

#include "sum.h"

enum { MEMORY_BYTES = 4 << 20, COLUMNS_MAX = 16 }; /* of rows; of one */

void gaspdb_sums_init(struct gaspdb_sums *s, struct gaspdb_run *run,
		      size_t n_keys, const char *how)
{
	gaspdb_groups_init(&s->groups, n_keys, strlen(how));
	s->how = how;
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

int64_t *gaspdb_sums_of(struct gaspdb_sums *s, const int64_t *keys)
{
	if (s->groups.n * n_columns(s) * sizeof(int64_t) >= MEMORY_BYTES)
		put_away(s);
	return gaspdb_group(s->before.run, &s->groups, keys);
}

/* The values of another row of the same key join these. */
static void join(const struct gaspdb_sums *s, int64_t *values,
		 const int64_t *others)
{
	for (size_t i = 0; i < s->groups.n_values; i++)
		switch (s->how[i]) {
		case '+':
			gaspdb_add_to(&values[i], others[i]);
			break;
		case '<':
			values[i] = gaspdb_min(values[i], others[i]);
			break;
		default:
			values[i] = gaspdb_max(values[i], others[i]);
		}
}

static void write_joined(struct gaspdb_sums *s, sqlite3_stmt *stmt)
{
	const size_t n_keys = s->groups.n_keys;
	int64_t last[COLUMNS_MAX];
	const int64_t *row = gaspdb_sorter_next(&s->before);

	while (row) {
		memcpy(last, row, n_columns(s) * sizeof *row);
		while ((row = gaspdb_sorter_next(&s->before)) &&
		       !memcmp(last, row, n_keys * sizeof *row))
			join(s, last + n_keys, row + n_keys);
		gaspdb_write(s->before.run, stmt, n_columns(s), last, NULL);
	}
}

void gaspdb_sums_write(struct gaspdb_sums *s, const char *sql)
{
	sqlite3_stmt *stmt;

	if (!s->before.n && !s->before.n_parts) {
		gaspdb_groups_write(s->before.run, &s->groups, sql);
		return;
	}
	put_away(s);
	stmt = gaspdb_prepare(s->before.run, sql);
	write_joined(s, stmt);
	sqlite3_finalize(stmt);
}
