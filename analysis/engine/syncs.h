/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synchronizations: calls of messages, collectives, locks and signals by which
 * some threads release others, whether or not a thread waited. The passes that
 * match these calls emit them, and the replay reads them.
 */
#ifndef GASPDB_ANALYSIS_ENGINE_SYNCS_H
#define GASPDB_ANALYSIS_ENGINE_SYNCS_H

#include "analysis/rows/shared_sorter.h"

/* The origin of a synchronization's number. */
enum gaspdb_sync_kind {
	GASPDB_SYNC_MESSAGE,	/* message.id */
	GASPDB_SYNC_COLLECTIVE, /* collective.id */
	GASPDB_SYNC_GROUP,  /* of an intercommunicator: 2 * collective.id + 0, 1
			     */
	GASPDB_SYNC_MEMBER, /* of a collective: its event */
	GASPDB_SYNC_LOCK,   /* lock_use.id */
	GASPDB_SYNC_SIGNAL, /* the waiting event */
	GASPDB_SYNC_WAIT    /* wait.id */
};

/* The roles of a call in a synchronization. */
enum {
	GASPDB_SYNC_RELEASES = 1, /* by its enter */
	GASPDB_SYNC_RELEASED = 2  /* it cannot leave before */
};

struct gaspdb_sync {
	int64_t event;
	int64_t number; /* of the synchronization: kind and id */
	unsigned roles;
	int64_t parts; /* number of roles of all its calls */
};

struct gaspdb_syncs {
	struct gaspdb_sorter *rows;
};

void gaspdb_syncs_open(struct gaspdb_syncs *syncs, struct gaspdb_run *run);
void gaspdb_syncs_add(struct gaspdb_syncs *syncs, enum gaspdb_sync_kind kind,
		      int64_t id, int64_t event, unsigned roles, int64_t parts);
/* One call releases one other. */
void gaspdb_syncs_pair(struct gaspdb_syncs *syncs, enum gaspdb_sync_kind kind,
		       int64_t id, int64_t by, int64_t released);

/* A row.  Roles are above its number. */
enum gaspdb_syncs_column {
	GASPDB_SYNCS_EVENT,
	GASPDB_SYNCS_NUMBER,
	GASPDB_SYNCS_PARTS,
	GASPDB_SYNCS_COLUMNS
};
enum { GASPDB_SYNCS_ROLES_SHIFT = 60 };

/* The next row, in the order of events. false: the end. */
static inline bool gaspdb_syncs_next(struct gaspdb_syncs *syncs,
				     struct gaspdb_sync *sync)
{
	const int64_t *row =
		syncs->rows ? gaspdb_sorter_next(syncs->rows) : NULL;
	int64_t number;

	if (!row)
		return false;
	number = row[GASPDB_SYNCS_NUMBER];
	sync->event = row[GASPDB_SYNCS_EVENT];
	sync->number = number & (((int64_t)1 << GASPDB_SYNCS_ROLES_SHIFT) - 1);
	sync->roles = (unsigned)(number >> GASPDB_SYNCS_ROLES_SHIFT);
	sync->parts = row[GASPDB_SYNCS_PARTS];
	return true;
}
/* Remove all rows. */
void gaspdb_syncs_empty(struct gaspdb_syncs *syncs);

#endif
