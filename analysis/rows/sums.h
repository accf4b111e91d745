/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums by key, as in groups.h, for any number of keys: partial sums that exceed
 * the memory limit go to a file, and are merged when they are read.
 */
#ifndef GASPDB_ANALYSIS_ROWS_SUMS_H
#define GASPDB_ANALYSIS_ROWS_SUMS_H

#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

enum { GASPDB_SUMS_COLUMNS = 16 }; /* keys and values, at most */

struct gaspdb_sums {
	struct gaspdb_groups groups; /* partial sums in memory */
	const char *aggregates;
	struct gaspdb_sorter spilled; /* partial sums: keys, values */
	/* While reading: */
	bool sorted;
	size_t next;		    /* of groups, if none were spilled */
	const int64_t *spilled_row; /* else the next row of the sorter */
	int64_t merged[GASPDB_SUMS_COLUMNS];
};

/* aggregates: a character per value that says how partial sums are merged: +
   sum, < minimum, > maximum, ^ the value of the row that gave the minimum or
   maximum before it, the first of equal ones. Borrowed. */
void gaspdb_sums_init(struct gaspdb_sums *sums, struct gaspdb_run *run,
		      size_t n_keys, const char *aggregates);
/* The values of a key, like gaspdb_group(): all 0 if the key is new or its
   values have been spilled. */
int64_t *gaspdb_sums_of(struct gaspdb_sums *sums, const int64_t *keys);
/* The same with a cache, like gaspdb_group_cached(). */
int64_t *gaspdb_sums_cached(struct gaspdb_sums *sums, const int64_t *keys,
			    uint32_t *recent);
/* The next row in the order of keys, borrowed until the next call; NULL: no
   more. Nothing may be added after the first call. */
const int64_t *gaspdb_sums_next(struct gaspdb_sums *sums);
/* Execute a statement for each row; its parameters are the columns. */
void gaspdb_sums_write(struct gaspdb_sums *sums, const char *sql);
void gaspdb_sums_fini(struct gaspdb_sums *sums);

#endif
