/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality, by the kinds of importer/quality.tbl.h. */
#ifndef GASPDB_ANALYSIS_QUALITY_H
#define GASPDB_ANALYSIS_QUALITY_H

#include "analysis/run.h"

enum gaspdb_defect {
#define QUALITY(ident, kind, severity, summary, advice) GASPDB_DEFECT_##ident,
#include "importer/quality.tbl.h"
};

struct gaspdb_quality_row {
	enum gaspdb_defect kind;
	int64_t thread, event; /* NONE: not of one */
	int64_t count, bytes, time_ns;
};

/* Write one row; fmt makes its detail. */
void gaspdb_quality_add(struct gaspdb_run *run,
			const struct gaspdb_quality_row *row, const char *fmt,
			...) __attribute__((format(printf, 3, 4)));

#endif
