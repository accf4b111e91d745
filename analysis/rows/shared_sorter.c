/* SPDX-License-Identifier: GPL-3.0-or-later */
/* They live as long as the run. */
#include "analysis/rows/shared_sorter.h"

#include <stdlib.h>

struct gaspdb_sorter *gaspdb_sorter_share(struct gaspdb_run *run,
					  enum gaspdb_shared which,
					  size_t columns, size_t keys)
{
	struct gaspdb_sorter **sorter = &run->shared[which];

	if (run->status != GASPDB_OK)
		return NULL;
	if (!*sorter) {
		*sorter = gaspdb_zeroed(run, 1, sizeof **sorter);
		if (*sorter)
			gaspdb_sorter_init(*sorter, run, columns, keys);
	}
	return *sorter;
}

void gaspdb_sorter_empty(struct gaspdb_sorter *sorter)
{
	struct gaspdb_run *run = sorter->run;
	const size_t columns = sorter->columns, keys = sorter->keys;

	gaspdb_sorter_fini(sorter);
	gaspdb_sorter_init(sorter, run, columns, keys);
}

void gaspdb_sorters_free(struct gaspdb_run *run)
{
	for (int i = 0; i < GASPDB_N_SHARED; i++)
		if (run->shared[i]) {
			gaspdb_sorter_fini(run->shared[i]);
			free(run->shared[i]);
			run->shared[i] = NULL;
		}
}
