/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where in table event collectives may stand, or others' communication. */
#ifndef GASPDB_ANALYSIS_COLLECTIVE_MARKS_H
#define GASPDB_ANALYSIS_COLLECTIVE_MARKS_H

#include "analysis/run.h"

struct gaspdb_collective_marks {
	const struct gaspdb_event_marks *events; /* NULL: anywhere */
	uint64_t collective, other;		 /* of sources */
	int64_t until; /* find: events before that are of interest, too */
};

/* No source has any. */
void gaspdb_collective_marks_open(struct gaspdb_collective_marks *marks,
				  const struct gaspdb_run *run);
/* A source's calls are collectives, or others', or both. */
void gaspdb_collective_marks_source(struct gaspdb_collective_marks *marks,
				    int64_t source, bool collective,
				    bool other);
/* The first id from that one on that may be a collective's, or, if they are of
   interest, that of others' calls.  NONE: there is none. */
int64_t gaspdb_collective_marks_find(struct gaspdb_collective_marks *marks,
				     int64_t id, bool others);

#endif
