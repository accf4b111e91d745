/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared sorters: they live as long as the run, beyond the passes. */
#include "analysis/rows/shared_sorter.h"

#include <stdlib.h>

struct gaspdb_sorter *gaspdb_sorter_share(struct gaspdb_run *run,
					  struct gaspdb_sorter **place,
					  size_t columns, size_t keys)
{
	if (run->status != GASPDB_OK)
		return NULL;
	if (!*place) {
		*place = gaspdb_zeroed(run, 1, sizeof **place);
		if (*place)
			gaspdb_sorter_init(*place, run, columns, keys);
	}
	return *place;
}

void gaspdb_sorter_empty(struct gaspdb_sorter *sorter)
{
	struct gaspdb_run *run = sorter->run;
	const size_t columns = sorter->columns, keys = sorter->keys;

	gaspdb_sorter_fini(sorter);
	gaspdb_sorter_init(sorter, run, columns, keys);
}

static void free_one(struct gaspdb_sorter *sorter)
{
	if (sorter)
		gaspdb_sorter_fini(sorter);
	free(sorter);
}

void gaspdb_shared_rows_free(struct gaspdb_shared_rows *shared)
{
	free_one(shared->wait_proposals);
	free_one(shared->polled_proposals);
	free_one(shared->wait_causes);
	free_one(shared->syncs);
	free_one(shared->barriers);
	free_one(shared->arrivals);
	free_one(shared->arrival_cuts);
	free_one(shared->unknown_waits);
	free_one(shared->deliveries);
	free_one(shared->path_blame);
}
