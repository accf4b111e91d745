/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the commands that take a run. */
#ifndef GASPDB_CLI_RUN_CHOICE_H
#define GASPDB_CLI_RUN_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "importer/quality/diagnostics.h"
#include "importer/run/runs.h"

#define GASPDB_INPUT_UNPACK_LIMIT_DOC \
	"what an archive may unpack to (1 GiB, or 200 times its size)"

/* Parses the argument of --unpack-limit; false: not a size. */
bool gaspdb_parse_limit(const char *text, uint64_t *limit);

/* Lists the runs to choose from after a failure, if there are any, and frees
   the list. Returns the exit status. */
int gaspdb_print_runs(struct gaspdb_run_list *runs);

/* Prints the diagnostics of a run on stderr. */
void gaspdb_print_diagnostics(const struct gaspdb_diagnostics *diagnostics);

#endif
