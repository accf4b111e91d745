/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Analyses of sql/ as analyze and the shell describe them. */
#ifndef GASPDB_CLI_ANALYSIS_HELP_H
#define GASPDB_CLI_ANALYSIS_HELP_H

#include "cli/output/output.h"
#include "sql/sql.h"

/* Message about an unknown analysis, with the nearest name and what lists them.
   The caller frees it. */
char *gaspdb_analysis_unknown(const char *name, const char *who_lists);

/* Prints the list, by group, and the documentation of one analysis. */
void gaspdb_analysis_list(FILE *out, const struct gaspdb_output_style *style);
void gaspdb_analysis_help(FILE *out, const struct gaspdb_analysis *a);

#endif
