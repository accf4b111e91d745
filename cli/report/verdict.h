/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sentences of the report's summary. */
#ifndef GASPDB_CLI_REPORT_VERDICT_H
#define GASPDB_CLI_REPORT_VERDICT_H

#include <stddef.h>

struct gaspdb_report;
struct gaspdb_finding;

/* What was looked at, where nothing is found.  The caller frees it. */
char *gaspdb_verdict_nothing(struct gaspdb_report *r);

/* How many findings, from the first, are told as causes. */
size_t gaspdb_verdict_causes(struct gaspdb_report *r);

/* One finding in a sentence, and what fixing it saves.  The caller frees it.
 */
char *gaspdb_verdict_cause(struct gaspdb_report *r,
			   const struct gaspdb_finding *f);

#endif
