/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums by key, as groups.h has them, however many keys there are: what memory
 * has no room for goes to a file, and comes together when it is written.
 */
#ifndef GASPDB_ANALYSIS_SUMS_H
#define GASPDB_ANALYSIS_SUMS_H

#include "analysis/groups.h"
#include "analysis/sorter.h"

struct gaspdb_sums {
	struct gaspdb_groups groups; /* since the last time it was full */
	const char *how;
	struct gaspdb_sorter before; /* keys, values */
};

/* how: what becomes of each value where a key comes again: + sum, < the least,
   > the greatest.  It must outlive the sums. */
void gaspdb_sums_init(struct gaspdb_sums *sums, struct gaspdb_run *run,
		      size_t n_keys, const char *how);
/* The values of a key, as gaspdb_group(); all 0 where it is new, or was put
   away. */
int64_t *gaspdb_sums_of(struct gaspdb_sums *sums, const int64_t *keys);
/* Write each row, in the order of keys, by a statement whose parameters are its
   columns.  The sums are not used after it. */
void gaspdb_sums_write(struct gaspdb_sums *sums, const char *sql);
void gaspdb_sums_fini(struct gaspdb_sums *sums);

#endif
