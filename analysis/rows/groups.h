/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key in memory, like GROUP BY in SQL. */
#ifndef GASPDB_ANALYSIS_ROWS_GROUPS_H
#define GASPDB_ANALYSIS_ROWS_GROUPS_H

#include "analysis/engine/run.h"

struct gaspdb_groups {
	size_t n_keys, n_values; /* columns of a row */
	size_t n, room;		 /* rows */
	int64_t *rows;		 /* keys, then values */
	struct gaspdb_map index; /* by hash of the keys: index of the row */
};

void gaspdb_groups_init(struct gaspdb_groups *groups, size_t n_keys,
			size_t n_values);
void gaspdb_groups_fini(struct gaspdb_groups *groups);
/* Remove the rows; the memory stays allocated. */
void gaspdb_groups_clear(struct gaspdb_groups *groups);

/*
 * The values of a key; a new key is added with values 0. Borrowed until the
 * next call. NULL: a failure.
 */
int64_t *gaspdb_group(struct gaspdb_run *run, struct gaspdb_groups *groups,
		      const int64_t *keys);

/* Look-up of the values of a key; NULL: not there. */
int64_t *gaspdb_groups_find(const struct gaspdb_groups *groups,
			    const int64_t *keys);

/* Sort the rows by their keys. gaspdb_group() and gaspdb_groups_find() must not
   follow. */
void gaspdb_groups_sort(struct gaspdb_groups *groups);

static inline int64_t *gaspdb_groups_row(const struct gaspdb_groups *groups,
					 size_t i)
{
	return groups->rows + i * (groups->n_keys + groups->n_values);
}

/* The index of the row whose values gaspdb_group() returned, until sorting. */
static inline size_t gaspdb_groups_number(const struct gaspdb_groups *groups,
					  const int64_t *values)
{
	return (size_t)(values - groups->rows) /
	       (groups->n_keys + groups->n_values);
}

/* gaspdb_group() with a cache of one row: *recent is the index of the row that
   was found last, or any number. */
static inline int64_t *gaspdb_group_cached(struct gaspdb_run *run,
					   struct gaspdb_groups *groups,
					   const int64_t *keys,
					   uint32_t *recent)
{
	int64_t *values;
	size_t i = 0;

	if (*recent < groups->n) {
		values = gaspdb_groups_row(groups, *recent);
		while (i < groups->n_keys && values[i] == keys[i])
			i++;
		if (i == groups->n_keys)
			return values + i;
	}
	values = gaspdb_group(run, groups, keys);
	if (values)
		*recent = (uint32_t)gaspdb_groups_number(groups, values);
	return values;
}

/* Sort the rows, and execute a statement for each; its parameters are the
   columns. */
void gaspdb_groups_write(struct gaspdb_run *run, struct gaspdb_groups *groups,
			 const char *sql);

#endif
