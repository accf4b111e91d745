/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arguments of an event, decoded by the plan of its operation. */
#ifndef GASPDB_IMPORTER_LOG_ARGUMENTS_H
#define GASPDB_IMPORTER_LOG_ARGUMENTS_H

#include "importer/log/definitions.h"

struct gaspdb_segments;
struct gaspdb_teams;

enum { GASPDB_ARGUMENTS_BATCH = 256 }; /* rows that are written together */

/* Where an event's further arguments go: rows of event_arg. */
struct gaspdb_argument_rows {
	struct gaspdb_store *store;
	struct gaspdb_teams *teams;
	struct gaspdb_segments *segments;
	uint64_t dropped;      /* arguments beyond what an event can have */
	int64_t first_dropped; /* an event that has such */
	/* Rows that are not written yet, and have but integers. */
	size_t n;
	struct gaspdb_argument_ints {
		int64_t id, argument, value; /* in the order of the columns */
	} batch[GASPDB_ARGUMENTS_BATCH];
};

/*
 * Decode the arguments of an event's record: those with a role go to roles,
 * the others (and some of those) to event_arg.  rows NULL: none are wanted.
 */
void gaspdb_arguments_read(struct gaspdb_definitions *d,
			   struct gaspdb_log_site *site,
			   const struct gaspdb_record *rec, int64_t event,
			   struct gaspdb_roles *roles,
			   struct gaspdb_argument_rows *rows);
static inline void gaspdb_arguments(struct gaspdb_definitions *d,
				    struct gaspdb_log_site *site,
				    const struct gaspdb_record *rec,
				    int64_t event, struct gaspdb_roles *roles,
				    struct gaspdb_argument_rows *rows)
{
	if (rec->n_args)
		gaspdb_arguments_read(d, site, rec, event, roles, rows);
}

/* One row of event_arg. */
void gaspdb_argument_row(struct gaspdb_argument_rows *rows, int64_t event,
			 struct gaspdb_roles *roles, uint32_t argument,
			 struct gaspdb_value value);

/* The thread is over: write what waits. */
void gaspdb_arguments_flush(struct gaspdb_argument_rows *rows);

#endif
