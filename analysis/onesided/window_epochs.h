/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Epochs of general active target synchronization: access epochs, from start to
 * complete, and exposure epochs, from post to wait. An epoch is one row for
 * each member of its group. The n-th start of an origin for a target belongs to
 * the n-th post of that target for the origin; the sort order makes the two
 * rows neighbours.
 */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOW_EPOCHS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOW_EPOCHS_H

#include "analysis/rows/sorter.h"

enum gaspdb_epoch_role { GASPDB_EPOCH_ACCESS, GASPDB_EPOCH_EXPOSURE };

enum gaspdb_epoch_column {
	/* Sorted by these columns; NONE: unknown. */
	GASPDB_EPOCH_TEAM, /* of the window */
	GASPDB_EPOCH_ORIGIN,
	GASPDB_EPOCH_TARGET,
	GASPDB_EPOCH_NUMBER, /* n, for this origin and target */
	GASPDB_EPOCH_ROLE,
	/* The start or post. */
	GASPDB_EPOCH_EVENT,
	GASPDB_EPOCH_ENTER,
	GASPDB_EPOCH_THREAD,
	GASPDB_EPOCH_WINDOW, /* the process's own number */
	/* The complete, wait or test. */
	GASPDB_EPOCH_END_EVENT, /* NONE: none */
	GASPDB_EPOCH_END_ENTER,
	GASPDB_EPOCH_END_LEAVE,
	GASPDB_EPOCH_END_THREAD,
	GASPDB_EPOCH_END_OPEN, /* the log ends in the call */
	GASPDB_EPOCH_END_IS_TEST,
	GASPDB_EPOCH_LAST_ACCESS, /* leave of the last access; NONE: none */
	GASPDB_EPOCH_COLUMNS
};

/* Fill an initialized sorter with the epochs of window calls. */
void gaspdb_window_epochs(struct gaspdb_run *run, struct gaspdb_sorter *calls,
			  struct gaspdb_sorter *epochs);

#endif
