/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums by key, as groups.h has them, however many keys there are: what memory
 * has no room for goes to a file, and comes together when it is written.
 */
#ifndef GASPDB_ANALYSIS_ROWS_SUMS_H
#define GASPDB_ANALYSIS_ROWS_SUMS_H

#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"

enum { GASPDB_SUMS_COLUMNS = 16 }; /* keys and values, at most */

struct gaspdb_sums {
	struct gaspdb_groups groups; /* since the last time it was full */
	const char *how;
	struct gaspdb_sorter before; /* keys, values */
	/* reading: */
	bool sorted;
	size_t at;	    /* in groups, if they were never full */
	const int64_t *row; /* else of the sorter, the next */
	int64_t joined[GASPDB_SUMS_COLUMNS];
};

/* how: what becomes of each value where a key comes again: + sum, < the least,
   > the greatest, ^ that of the row whose value before it was taken, the first
   of equal ones.  It must outlive the sums. */
void gaspdb_sums_init(struct gaspdb_sums *sums, struct gaspdb_run *run,
		      size_t n_keys, const char *how);
/* The values of a key, as gaspdb_group(); all 0 where it is new, or was put
   away. */
int64_t *gaspdb_sums_of(struct gaspdb_sums *sums, const int64_t *keys);
/* The same as gaspdb_group_again(). */
int64_t *gaspdb_sums_again(struct gaspdb_sums *sums, const int64_t *keys,
			   uint32_t *recent);
/* The next row, in the order of keys, borrowed until the next call; NULL: there
   are no more.  Nothing is added after the first. */
const int64_t *gaspdb_sums_next(struct gaspdb_sums *sums);
/* Write each row by a statement whose parameters are its columns. */
void gaspdb_sums_write(struct gaspdb_sums *sums, const char *sql);
void gaspdb_sums_fini(struct gaspdb_sums *sums);

#endif
