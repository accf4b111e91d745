/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Synchronizations as rows of a shared sorter, one row for each call and
   synchronization. */
#include "analysis/engine/syncs.h"

/* The kind in a number; the lower bits are the id. */
enum { KIND_SHIFT = 56 };

void gaspdb_syncs_open(struct gaspdb_syncs *syncs, struct gaspdb_run *run)
{
	syncs->rows = gaspdb_sorter_share(run, &run->shared.syncs,
					  GASPDB_SYNCS_COLUMNS, 1);
}

static inline void add(struct gaspdb_syncs *syncs, enum gaspdb_sync_kind kind,
		       int64_t id, int64_t event, unsigned roles, int64_t parts)
{
	int64_t *row;

	if (!syncs->rows || !roles)
		return;
	row = gaspdb_sorter_new_row(syncs->rows);
	if (!row)
		return;
	row[GASPDB_SYNCS_EVENT] = event;
	row[GASPDB_SYNCS_NUMBER] =
		((int64_t)roles << GASPDB_SYNCS_ROLES_SHIFT) +
		((int64_t)kind << KIND_SHIFT) + id;
	row[GASPDB_SYNCS_PARTS] = parts;
}

void gaspdb_syncs_add(struct gaspdb_syncs *syncs, enum gaspdb_sync_kind kind,
		      int64_t id, int64_t event, unsigned roles, int64_t parts)
{
	add(syncs, kind, id, event, roles, parts);
}

void gaspdb_syncs_pair(struct gaspdb_syncs *syncs, enum gaspdb_sync_kind kind,
		       int64_t id, int64_t by, int64_t released)
{
	add(syncs, kind, id, by, GASPDB_SYNC_RELEASES, 2);
	add(syncs, kind, id, released, GASPDB_SYNC_RELEASED, 2);
}

void gaspdb_syncs_empty(struct gaspdb_syncs *syncs)
{
	if (syncs->rows)
		gaspdb_sorter_empty(syncs->rows);
}
