/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Search for definitions after damage. A log repeats most definitions in later
   blocks (docs/log-format.md), and events before these need them. */
#ifndef GASPDB_IMPORTER_LOG_FORWARD_DEFINITIONS_H
#define GASPDB_IMPORTER_LOG_FORWARD_DEFINITIONS_H

#include "importer/run/source.h"

/*
 * Reads the rest of the log from the position of `at`, which does not move.
 * take() gets each definition, except members of teams, in the log's order;
 * fields as in log_format.h, borrowed. Definitions may refer to ones that are
 * unknown.
 */
void gaspdb_forward_definitions(const struct gaspdb_source *s,
				const struct gaspdb_log_file *log,
				const struct gaspdb_reader *at,
				void (*take)(void *user, unsigned kind,
					     const struct gaspdb_field *fields),
				void *user);

#endif
