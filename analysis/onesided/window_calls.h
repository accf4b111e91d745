/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What each process did with each one-sided window, by the types of its calls:
 * gathered from the events and their arguments, and read window by window, in
 * the order of time.
 */
#ifndef GASPDB_ANALYSIS_ONESIDED_WINDOW_CALLS_H
#define GASPDB_ANALYSIS_ONESIDED_WINDOW_CALLS_H

#include "analysis/rows/sorter.h"

enum gaspdb_window_what {
	GASPDB_WINDOW_NOTHING,
	GASPDB_WINDOW_START, /* members follow it */
	GASPDB_WINDOW_POST,  /* members follow it */
	GASPDB_WINDOW_MEMBER,
	GASPDB_WINDOW_ACCESS,
	GASPDB_WINDOW_COMPLETE,
	GASPDB_WINDOW_WAIT,
	GASPDB_WINDOW_TEST, /* one that ended the epoch */
	GASPDB_WINDOW_LOCK,
	GASPDB_WINDOW_UNLOCK,
	GASPDB_WINDOW_SYNC, /* a flush, a fence */
};

/* The columns of a row; those before the event are its place. */
enum gaspdb_window_column {
	GASPDB_WINDOW_PROCESS,
	GASPDB_WINDOW_NUMBER, /* the process's own, of the window */
	GASPDB_WINDOW_AT,     /* enter */
	GASPDB_WINDOW_EVENT,
	GASPDB_WINDOW_WHAT,
	GASPDB_WINDOW_THREAD,
	GASPDB_WINDOW_END,
	GASPDB_WINDOW_OPEN,
	GASPDB_WINDOW_TEAM,  /* the window's, known to all; or NONE */
	GASPDB_WINDOW_PEER,  /* accesses, members: the process; NONE: not
				known.  Locks, flushes: NONE is all */
	GASPDB_WINDOW_EPOCH, /* start, post: running number with each of its
				members; 0: not the same with all */
	GASPDB_WINDOW_SOURCE,
	GASPDB_WINDOW_EXCLUSIVE, /* lock */
	GASPDB_WINDOW_COLUMNS
};

/* Fill a sorter, which the caller frees. */
void gaspdb_window_calls_gather(struct gaspdb_run *run,
				struct gaspdb_sorter *calls);

#endif
