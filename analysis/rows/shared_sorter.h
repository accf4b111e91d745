/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared sorters of a run: several passes add rows, a later pass reads them. */
#ifndef GASPDB_ANALYSIS_ROWS_SHARED_SORTER_H
#define GASPDB_ANALYSIS_ROWS_SHARED_SORTER_H

#include "analysis/rows/sorter.h"

/* The sorter at a place in run->shared. The first call creates it;
   gaspdb_run_close() frees it. NULL: a failure. */
struct gaspdb_sorter *gaspdb_sorter_share(struct gaspdb_run *run,
					  struct gaspdb_sorter **place,
					  size_t columns, size_t keys);
/* Remove all rows, so that it can be filled again. */
void gaspdb_sorter_empty(struct gaspdb_sorter *sorter);
/* Part of gaspdb_run_close(). */
void gaspdb_shared_rows_free(struct gaspdb_shared_rows *shared);

#endif
