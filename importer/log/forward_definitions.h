/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After damage: what a log defines, it mostly says again later on
 * (docs/log-format.md), and the events up to there need it.
 */
#ifndef GASPDB_IMPORTER_LOG_FORWARD_DEFINITIONS_H
#define GASPDB_IMPORTER_LOG_FORWARD_DEFINITIONS_H

#include "importer/run/source.h"

/*
 * Read the rest of the log that at reads, at stays where it is.  take gets the
 * definitions but for members of teams, in the log's order; fields as in
 * log_format.h, borrowed.  What they refer to need not be known.
 */
void gaspdb_forward_definitions(const struct gaspdb_source *s,
				const struct gaspdb_log_file *log,
				const struct gaspdb_reader *at,
				void (*take)(void *user, unsigned kind,
					     const struct gaspdb_field *fields),
				void *user);

#endif
