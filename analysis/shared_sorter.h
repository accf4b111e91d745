/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that several passes add to and a later one reads. */
#ifndef GASPDB_ANALYSIS_SHARED_SORTER_H
#define GASPDB_ANALYSIS_SHARED_SORTER_H

#include "analysis/sorter.h"

/*
 * The connection's sorter of that name, made if there is none; the name must
 * do for a function of SQL.  It is the connection's, which frees it, and serves
 * this run from now on.  NULL after a failure.
 */
struct gaspdb_sorter *gaspdb_sorter_share(struct gaspdb_run *run,
					  const char *name, size_t columns,
					  size_t keys);
/* Forget its rows; it can be filled anew. */
void gaspdb_sorter_empty(struct gaspdb_sorter *sorter);

#endif
