/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All events in a row. */
#ifndef GASPDB_ANALYSIS_ENGINE_SCAN_H
#define GASPDB_ANALYSIS_ENGINE_SCAN_H

#include "analysis/engine/run.h"

/* A row of table event; NONE: NULL. */
struct gaspdb_event {
	GASPDB_ROW_event
};

/* It is not copied: that would take as long as to read it. */
static inline const struct gaspdb_event *gaspdb_event_of(const int64_t *row)
{
	return (const void *)row;
}

/* Ids of table event_arg are event * 64 + position. */
enum { GASPDB_ARGS_OF_EVENT = 64 };

struct gaspdb_event_arg {
	GASPDB_ROW_event_arg
};

/* Reads table event_arg, ahead while events are asked for in order.  It is not to
   be moved while open. */
struct gaspdb_event_args {
	struct gaspdb_table table;
	struct gaspdb_cursor cursor;
};

void gaspdb_event_args_open(struct gaspdb_event_args *reader,
			    struct gaspdb_run *run);
void gaspdb_event_args_close(struct gaspdb_event_args *reader);
/* An event's arguments; returns how many. */
size_t gaspdb_event_args_read(struct gaspdb_event_args *reader, int64_t event,
			      struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT]);

typedef void (*gaspdb_event_fn)(void *user, const struct gaspdb_event *event);

/* What event_arg.argument_id means to a pass: by argument.id, which of the n
   names the argument has, n: none of them.  Allocated; *n_ids: how many.  NULL:
   there are no arguments, or it failed: then *n_ids is 0. */
unsigned char *gaspdb_argument_roles(struct gaspdb_run *run,
				     const char *const *names, unsigned char n,
				     int64_t *n_ids);

/* Every event but nested ones, in the order of their ids. */
void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user);

/* A pass that does no more than this. */
struct gaspdb_event_pass {
	void *(*open)(struct gaspdb_run *run); /* NULL: there is nothing to do,
						  or a failure */
	gaspdb_event_fn take;		       /* every event but nested ones */
	void (*close)(void *pass);
};

enum { GASPDB_EVENT_PASSES_MAX = 4 };

/* Some of them by one scan: none reads what another writes.  They are opened,
   and closed, in their order. */
void gaspdb_run_event_passes(struct gaspdb_run *run,
			     const struct gaspdb_event_pass *const *passes,
			     size_t n);

#endif
