/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the commands that take a run have in common. */
#ifndef GASPDB_CLI_RUN_CHOICE_H
#define GASPDB_CLI_RUN_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "importer/quality/diagnostics.h"
#include "importer/run/runs.h"

#define GASPDB_INPUT_UNPACK_LIMIT_DOC \
	"what an archive may unpack to (1 GiB, or 200 times its size)"

/* The argument of --unpack-limit; false: it is no size. */
bool gaspdb_parse_limit(const char *text, uint64_t *limit);

/*
 * After a failure: if it was that a choice is to be made, list what there is,
 * and free the list.  Returns the exit status.
 */
int gaspdb_print_runs(struct gaspdb_run_list *runs);

/* What is wrong with the run, on stderr. */
void gaspdb_print_diagnostics(const struct gaspdb_diagnostics *diagnostics);

#endif
