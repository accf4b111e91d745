/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages about a run's losses and about defects that affect figures: the
   first few of each kind. Import and inspection give the same. */
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
	/* Kinds in order of appearance; number of losses. */
	enum gaspdb_quality_kind order[GASPDB_N_QUALITY];
	unsigned n_kinds;
	uint64_t losses;
};

/* Adds a defect; notes are ignored. rank GASPDB_NULL: of the run. model: of
   the thread, for its word; NULL: unknown. */
void gaspdb_diagnostics_add(struct gaspdb_diagnostics *diagnostics,
			    enum gaspdb_quality_kind kind, int64_t rank,
			    const char *model, const struct gaspdb_defect *d);

/* Reports a run without events, with the reason if known: not seen, lost or
   masked. Returns FAILED. */
enum gaspdb_status
gaspdb_diagnostics_empty(const struct gaspdb_diagnostics *diagnostics,
			 const char *run, const char *not_seen, uint64_t masked,
			 struct gaspdb_error *err);

/* Calls line() for each message, losses first. */
void gaspdb_diagnostics_each(const struct gaspdb_diagnostics *diagnostics,
			     void (*line)(const char *text));

void gaspdb_diagnostics_free(struct gaspdb_diagnostics *diagnostics);

#endif
