/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a person is told of a run's losses, and of what affects its figures:
 * the first few of each kind, the same whether they were found by an import or
 * by a look at the run.
 */
#ifndef GASPDB_IMPORTER_QUALITY_DIAGNOSTICS_H
#define GASPDB_IMPORTER_QUALITY_DIAGNOSTICS_H

#include "common/error.h"
#include "importer/quality/quality.h"

enum { GASPDB_DIAGNOSTICS_OF_KIND = 3 };

struct gaspdb_diagnostics {
	struct {
		char *line[GASPDB_DIAGNOSTICS_OF_KIND];
		unsigned n;
		uint64_t more;
	} kind[GASPDB_N_QUALITY];
	/* Kinds in their order, and the number of rows that are losses. */
	enum gaspdb_quality_kind order[GASPDB_N_QUALITY];
	unsigned n_kinds;
	uint64_t losses;
};

/* A defect; notes are passed over.  rank GASPDB_NULL: of none. */
void gaspdb_diagnostics_add(struct gaspdb_diagnostics *complaints,
			    enum gaspdb_quality_kind kind, int64_t rank,
			    const struct gaspdb_defect *d);

/* FAILED: a run that holds no events, because these were not seen or masked, or
   of a loss, or nobody knows why. */
enum gaspdb_status
gaspdb_diagnostics_empty(const struct gaspdb_diagnostics *complaints,
			 const char *run, const char *not_seen, uint64_t masked,
			 struct gaspdb_error *err);

/* Each line, first those of losses. */
void gaspdb_diagnostics_each(const struct gaspdb_diagnostics *complaints,
			     void (*line)(const char *text));

void gaspdb_diagnostics_free(struct gaspdb_diagnostics *complaints);

#endif
