/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report: sentences of the summary. */
#ifndef GASPDB_CLI_REPORT_VERDICT_H
#define GASPDB_CLI_REPORT_VERDICT_H

#include <stddef.h>

struct gaspdb_report;
struct gaspdb_finding;

/* Sentence if nothing is found: what was examined. The caller frees it. */
char *gaspdb_verdict_nothing(struct gaspdb_report *r);

/* Number of findings in the summary, from the first. */
size_t gaspdb_verdict_causes(struct gaspdb_report *r);

/* A finding in a sentence, and what fixing it saves. The caller frees it. */
char *gaspdb_verdict_cause(struct gaspdb_report *r,
			   const struct gaspdb_finding *f);

#endif
