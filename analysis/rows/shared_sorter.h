/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorters of the run: rows that several passes add to and a later one reads. */
#ifndef GASPDB_ANALYSIS_ROWS_SHARED_SORTER_H
#define GASPDB_ANALYSIS_ROWS_SHARED_SORTER_H

#include "analysis/rows/sorter.h"

/* The sorter at a place in run->shared, which the first call makes and
   gaspdb_run_close() frees.  NULL after a failure. */
struct gaspdb_sorter *gaspdb_sorter_share(struct gaspdb_run *run,
					  struct gaspdb_sorter **place,
					  size_t columns, size_t keys);
/* Forget its rows; it can be filled anew. */
void gaspdb_sorter_empty(struct gaspdb_sorter *sorter);
/* Part of gaspdb_run_close(). */
void gaspdb_shared_rows_free(struct gaspdb_shared_rows *shared);

#endif
