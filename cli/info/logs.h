/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about all logs of a run. */
#ifndef GASPDB_CLI_INFO_LOGS_H
#define GASPDB_CLI_INFO_LOGS_H

#include "importer/inspect/inspect.h"
#include "cli/database/words.h"

/* Words for the members of a run, by the models in its logs. */
void gaspdb_info_words(const struct gaspdb_inspection *s,
		       struct gaspdb_run_words *words);

/* Prints the program; of several each, with its number of logs. */
void gaspdb_info_programs(const struct gaspdb_inspection *s,
			  const struct gaspdb_run_words *words);

/* Prints the growth rate, and the size for an hour; nothing if too little was
   recorded. */
void gaspdb_info_rates(const struct gaspdb_inspection *s,
		       const struct gaspdb_run_words *words);

#endif
