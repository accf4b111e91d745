/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Epochs of windows: from a start to its complete (access), from a post to its
 * wait (exposure).  Each becomes a row for each process that it names, so
 * sorted that an access and the exposure it belongs to follow each other: the
 * n-th start of one process that names another with the n-th post of that one
 * that names the first.
 */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOW_EPOCHS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOW_EPOCHS_H

#include "analysis/rows/sorter.h"

enum gaspdb_epoch_role { GASPDB_EPOCH_ACCESS, GASPDB_EPOCH_EXPOSURE };

enum gaspdb_epoch_column {
	GASPDB_EPOCH_TEAM,   /* NONE: the window is not known */
	GASPDB_EPOCH_ORIGIN, /* processes; NONE: not known */
	GASPDB_EPOCH_TARGET,
	GASPDB_EPOCH_NUMBER, /* NONE: not known */
	GASPDB_EPOCH_ROLE,   /* the last that they are sorted by */
	GASPDB_EPOCH_EVENT,  /* the start, the post */
	GASPDB_EPOCH_AT,     /* its enter */
	GASPDB_EPOCH_THREAD,
	GASPDB_EPOCH_WINDOW,	/* as the process numbers it */
	GASPDB_EPOCH_END_EVENT, /* the complete, the wait or test; NONE: none */
	GASPDB_EPOCH_END_AT,	/* its enter */
	GASPDB_EPOCH_END_NS,	/* its leave */
	GASPDB_EPOCH_END_THREAD,
	GASPDB_EPOCH_END_OPEN,
	GASPDB_EPOCH_END_TESTS,
	GASPDB_EPOCH_LAST_NS, /* access: the last leave of one; NONE */
	GASPDB_EPOCH_COLUMNS
};

/* Fill a sorter that is initialized from window_calls.h's. */
void gaspdb_window_epochs(struct gaspdb_run *run, struct gaspdb_sorter *calls,
			  struct gaspdb_sorter *epochs);

#endif
