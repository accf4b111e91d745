/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waits of calls, for a pass over calls in order. */
#ifndef GASPDB_ANALYSIS_WAITS_CALL_WAITS_H
#define GASPDB_ANALYSIS_WAITS_CALL_WAITS_H

#include "analysis/engine/run.h"

struct gaspdb_call_waits {
	struct gaspdb_table table;
	struct gaspdb_cursor rows;
	int64_t event, start_ns,
		end_ns; /* the next wait; event INT64_MAX: none */
};

/* Needs table wait in the order of events. */
void gaspdb_call_waits_open(struct gaspdb_call_waits *waits,
			    struct gaspdb_run *run);
/* Does the call wait at that time? Queries come in the order of calls, and of
   time within a call. *until_ns: the answer holds until then. */
bool gaspdb_call_waits_at(struct gaspdb_call_waits *waits, int64_t event,
			  int64_t at_ns, int64_t *until_ns);
void gaspdb_call_waits_close(struct gaspdb_call_waits *waits);

#endif
