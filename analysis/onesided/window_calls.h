/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window calls: calls on MPI windows, with their arguments, sorted by process,
   window and time. */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOW_CALLS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOW_CALLS_H

#include "analysis/rows/sorter.h"

enum gaspdb_window_kind {
	GASPDB_WINDOW_NO_CALL,
	GASPDB_WINDOW_START,  /* its group's members follow */
	GASPDB_WINDOW_POST,   /* its group's members follow */
	GASPDB_WINDOW_MEMBER, /* not a call: a process of that group */
	GASPDB_WINDOW_ACCESS,
	GASPDB_WINDOW_COMPLETE,
	GASPDB_WINDOW_WAIT,
	GASPDB_WINDOW_TEST, /* with success: it ended the epoch */
	GASPDB_WINDOW_LOCK,
	GASPDB_WINDOW_UNLOCK,
	GASPDB_WINDOW_SYNC, /* a flush, a fence */
};

/* Columns of a row, sorted by those up to the event. */
enum gaspdb_window_column {
	GASPDB_WINDOW_PROCESS,
	GASPDB_WINDOW_NUMBER, /* the process's own number of the window */
	GASPDB_WINDOW_ENTER,  /* ns */
	GASPDB_WINDOW_EVENT,
	GASPDB_WINDOW_KIND,
	GASPDB_WINDOW_THREAD,
	GASPDB_WINDOW_LEAVE, /* ns */
	GASPDB_WINDOW_OPEN,  /* the log ends in the call */
	GASPDB_WINDOW_TEAM,  /* of the window; NONE: unknown */
	GASPDB_WINDOW_PEER,  /* accesses, members: process; NONE: unknown.
				Locks, flushes: target; NONE: all */
	GASPDB_WINDOW_EPOCH, /* start, post: number of epochs so far with each
				member; 0: members have different numbers */
	GASPDB_WINDOW_SOURCE,
	GASPDB_WINDOW_EXCLUSIVE, /* lock */
	GASPDB_WINDOW_COLUMNS
};

/* Initialize a sorter and fill it; the caller frees it. */
void gaspdb_window_calls_gather(struct gaspdb_run *run,
				struct gaspdb_sorter *calls);

#endif
