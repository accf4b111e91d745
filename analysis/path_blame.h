/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the path lay on threads that were being waited for, by kind of
 * waiting and by what was waited for: the time in which the run as a whole, not
 * just the waiting thread, stood still for it.
 */
#ifndef GASPDB_ANALYSIS_PATH_BLAME_H
#define GASPDB_ANALYSIS_PATH_BLAME_H

#include "analysis/groups.h"
#include "analysis/path_walk.h"
#include "analysis/table.h"
#include "analysis/waits.h"

struct gaspdb_path_interval;

struct gaspdb_path_blame {
	struct gaspdb_run *run;
	struct gaspdb_sorter waits; /* by whom they are for, then start */
	const int64_t *next;	    /* the first unread; NULL: none */
	bool reading;
	struct gaspdb_table events, table; /* table: of the waits */
	int64_t event, event_source;	   /* looked up last */
	int64_t thread;
	struct gaspdb_path_interval *open; /* for that thread */
	size_t n_open, open_room;
	struct gaspdb_groups totals; /* kind, thread, source: ns */
};

void gaspdb_path_blame_open(struct gaspdb_path_blame *blame,
			    struct gaspdb_run *run);
/* A row of table wait, its kind, and the source of the call that was waited for
   (NONE: it is looked up); all of them before the first segment. */
void gaspdb_path_blame_wait(struct gaspdb_path_blame *blame,
			    const int64_t *wait, enum gaspdb_wait_kind kind,
			    int64_t cause_source);
/* All segments, by thread and time. */
void gaspdb_path_blame_segment(struct gaspdb_path_blame *blame,
			       const struct gaspdb_path_segment *segment);
/* Write path_wait. */
void gaspdb_path_blame_close(struct gaspdb_path_blame *blame);

#endif
