/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.txt of a run directory, for the commands. */
#ifndef GASPDB_CLI_RUN_FACTS_H
#define GASPDB_CLI_RUN_FACTS_H

#include "importer/run/facts.h"

/* Value of a key in a directory's run.txt, or NULL. The caller frees it. */
char *gaspdb_run_fact(const char *directory, const char *key);

/* Writes words quoted for a shell. */
void gaspdb_run_quote(FILE *out, char *const *words);

#endif
