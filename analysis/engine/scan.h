/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scan of all events, in order. */
#ifndef GASPDB_ANALYSIS_ENGINE_SCAN_H
#define GASPDB_ANALYSIS_ENGINE_SCAN_H

#include "analysis/engine/run.h"

/* A row of table event; NONE: NULL. */
struct gaspdb_event {
	GASPDB_ROW_event
};

/* A view of a row without a copy, which would take as long as the read. */
static inline const struct gaspdb_event *gaspdb_event_of(const int64_t *row)
{
	return (const void *)row;
}

/* Ids of table event_arg are event * 64 + position. */
enum { GASPDB_ARGS_OF_EVENT = 64 };

struct gaspdb_event_arg {
	GASPDB_ROW_event_arg
};

/* Reader of table event_arg, with read-ahead for events in order. It must not
   move while open. */
struct gaspdb_event_args {
	struct gaspdb_table table;
	struct gaspdb_cursor cursor;
};

void gaspdb_event_args_open(struct gaspdb_event_args *reader,
			    struct gaspdb_run *run);
void gaspdb_event_args_close(struct gaspdb_event_args *reader);
/* An event's arguments; returns how many. */
size_t
gaspdb_event_args_read(struct gaspdb_event_args *reader, int64_t event,
		       struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT]);

typedef void (*gaspdb_event_fn)(void *user, const struct gaspdb_event *event);

/*
 * The roles of arguments for a pass: by argument.id the index of its name among
 * n names; n: another name. Allocated; *n_ids: their number. NULL and *n_ids 0:
 * no arguments, or failed.
 */
unsigned char *gaspdb_argument_roles(struct gaspdb_run *run,
				     const char *const *names, unsigned char n,
				     int64_t *n_ids);

/* By source.id: has the source's operation an argument of this name? For
   free(); NULL: failed. */
bool *gaspdb_sources_with(struct gaspdb_run *run, const char *name);

/* Call fn for every event in the order of ids, except nested ones. */
void gaspdb_scan_events(struct gaspdb_run *run, gaspdb_event_fn fn, void *user);

/* A pass over events only. */
struct gaspdb_event_pass {
	void *(*open)(
		struct gaspdb_run *run); /* NULL: nothing to do, or failed */
	gaspdb_event_fn take; /* called for every event that is not nested */
	void (*close)(void *pass);
};

enum { GASPDB_EVENT_PASSES_MAX = 4 };

/* Run several passes in one scan. None may read the output of another. They are
   opened and closed in order. */
void gaspdb_run_event_passes(struct gaspdb_run *run,
			     const struct gaspdb_event_pass *const *passes,
			     size_t n);

#endif
