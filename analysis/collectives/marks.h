/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in table event collectives may stand, or others' communication. */
#ifndef GASPDB_ANALYSIS_COLLECTIVES_MARKS_H
#define GASPDB_ANALYSIS_COLLECTIVES_MARKS_H

#include "analysis/engine/run.h"
#include "sql/store/btree/page_reader.h"

struct gaspdb_collective_marks {
	const struct gaspdb_event_marks *events; /* NULL: anywhere */
	uint64_t collective, other;		 /* of sources */
};

/* No source has any. */
void gaspdb_collective_marks_open(struct gaspdb_collective_marks *marks,
				  const struct gaspdb_run *run);
/* A source's calls are collectives, or others', or both. */
void gaspdb_collective_marks_source(struct gaspdb_collective_marks *marks,
				    int64_t source, bool collective,
				    bool other);
/*
 * Rows of table event, in their order, of which those that may be collectives
 * are all there; and, while they are of interest, those that may be others'
 * calls: whoever takes them says that when it has taken one.  others NULL: they
 * never are.
 */
void gaspdb_collective_marks_scan(const struct gaspdb_collective_marks *marks,
				  struct gaspdb_run *run, gaspdb_row_fn take,
				  bool (*others)(const void *user), void *user);

#endif
