/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An object of the connection (analysis/shared.h). */
#include "analysis/shared_sorter.h"

#include <stdlib.h>

#include "analysis/shared.h"

static void free_sorter(void *sorter)
{
	gaspdb_sorter_fini(sorter);
	free(sorter);
}

static struct gaspdb_sorter *make(struct gaspdb_run *run, const char *name,
				  size_t columns, size_t keys)
{
	struct gaspdb_sorter *made = gaspdb_zeroed(run, 1, sizeof *made);

	if (!made)
		return NULL;
	gaspdb_sorter_init(made, run, columns, keys);
	return gaspdb_shared_put(run, name, made, free_sorter) ? made : NULL;
}

struct gaspdb_sorter *gaspdb_sorter_share(struct gaspdb_run *run,
					  const char *name, size_t columns,
					  size_t keys)
{
	struct gaspdb_sorter *sorter;

	if (run->status != GASPDB_OK)
		return NULL;
	sorter = gaspdb_shared_get(run, name);
	if (!sorter && run->status == GASPDB_OK)
		sorter = make(run, name, columns, keys);
	if (sorter)
		sorter->run = run;
	return sorter;
}

void gaspdb_sorter_empty(struct gaspdb_sorter *sorter)
{
	struct gaspdb_run *run = sorter->run;
	const size_t columns = sorter->columns, keys = sorter->keys;

	gaspdb_sorter_fini(sorter);
	gaspdb_sorter_init(sorter, run, columns, keys);
}
