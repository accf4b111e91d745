/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of an event, decoded by the plan of its operation. */
#ifndef GASPDB_IMPORTER_LOG_ARGUMENTS_H
#define GASPDB_IMPORTER_LOG_ARGUMENTS_H

#include "importer/log/definitions.h"

struct gaspdb_segments;
struct gaspdb_teams;

enum { GASPDB_ARGUMENTS_BATCH = 256 }; /* rows written together */

/* Writer of table event_arg: arguments that are not columns of event. */
struct gaspdb_argument_rows {
	struct gaspdb_store *store;
	struct gaspdb_teams *teams;
	struct gaspdb_segments *segments;
	uint64_t dropped;      /* arguments beyond an event's limit */
	int64_t first_dropped; /* first event with dropped arguments */
	/* Batch of rows of integers, not written yet. */
	size_t n;
	struct gaspdb_argument_ints {
		int64_t id, argument, value; /* in the order of the columns */
	} batch[GASPDB_ARGUMENTS_BATCH];
};

/* Decodes the arguments of an event's record. Those with a role go to roles;
   all that are not columns of event go to event_arg. rows NULL: no rows. */
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

/* Adds a row of event_arg. */
void gaspdb_argument_row(struct gaspdb_argument_rows *rows, int64_t event,
			 struct gaspdb_roles *roles, uint32_t argument,
			 struct gaspdb_value value);

/* Writes the batch, at the end of a thread. */
void gaspdb_arguments_flush(struct gaspdb_argument_rows *rows);

#endif
