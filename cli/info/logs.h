/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gaspdb info says of all logs of a run together. */
#ifndef GASPDB_CLI_INFO_LOGS_H
#define GASPDB_CLI_INFO_LOGS_H

#include "importer/inspect/inspect.h"
#include "cli/database/words.h"

/* Words for the members of the run, by the models in their logs. */
void gaspdb_info_words(const struct gaspdb_inspection *s,
		       struct gaspdb_run_words *words);

/* The program; of several each, with the number of its logs. */
void gaspdb_info_programs(const struct gaspdb_inspection *s,
			  const struct gaspdb_run_words *words);

/* How fast they grew, and what an hour of that would take; nothing if too
 * little was recorded to tell. */
void gaspdb_info_rates(const struct gaspdb_inspection *s,
		       const struct gaspdb_run_words *words);

#endif
