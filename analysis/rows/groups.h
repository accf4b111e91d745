/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums by key, in memory: what SQL calls GROUP BY. */
#ifndef GASPDB_ANALYSIS_ROWS_GROUPS_H
#define GASPDB_ANALYSIS_ROWS_GROUPS_H

#include "analysis/engine/run.h"

struct gaspdb_groups {
	size_t n_keys, n_values; /* columns of a row */
	size_t n, room;		 /* rows */
	int64_t *rows;		 /* keys, then values */
	struct gaspdb_map index; /* numbers of rows */
};

void gaspdb_groups_init(struct gaspdb_groups *groups, size_t n_keys,
			size_t n_values);
void gaspdb_groups_fini(struct gaspdb_groups *groups);
/* Forget the rows, whose keys are as they were; keep the memory. */
void gaspdb_groups_clear(struct gaspdb_groups *groups);

/*
 * The values of a key, all 0 where it is new.  Borrowed until the next call.
 * NULL after a failure.
 */
int64_t *gaspdb_group(struct gaspdb_run *run, struct gaspdb_groups *groups,
		      const int64_t *keys);

/* The same of a key that is there; NULL: it is not. */
int64_t *gaspdb_groups_find(const struct gaspdb_groups *groups,
			    const int64_t *keys);

/* Bring the rows into the order of their keys; ends the use of gaspdb_group. */
void gaspdb_groups_sort(struct gaspdb_groups *groups);

static inline int64_t *gaspdb_groups_row(const struct gaspdb_groups *groups,
					 size_t i)
{
	return groups->rows + i * (groups->n_keys + groups->n_values);
}

/* Which row that is, until they are sorted: of values that gaspdb_group() gave.
 */
static inline size_t gaspdb_groups_number(const struct gaspdb_groups *groups,
					  const int64_t *values)
{
	return (size_t)(values - groups->rows) /
	       (groups->n_keys + groups->n_values);
}

/* gaspdb_group(), where the key is often that of a row that was found before:
 *recent is its number, or any other. */
static inline int64_t *gaspdb_group_again(struct gaspdb_run *run,
					  struct gaspdb_groups *groups,
					  const int64_t *keys, uint32_t *recent)
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

/* Sort, and write each row by a statement whose parameters are its columns. */
void gaspdb_groups_write(struct gaspdb_run *run, struct gaspdb_groups *groups,
			 const char *sql);

#endif
