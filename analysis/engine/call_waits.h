/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When calls waited, for a walk along them. */
#ifndef GASPDB_ANALYSIS_ENGINE_CALL_WAITS_H
#define GASPDB_ANALYSIS_ENGINE_CALL_WAITS_H

#include "analysis/engine/run.h"

struct gaspdb_call_waits {
	struct gaspdb_table table;
	struct gaspdb_cursor rows;
	int64_t event, start_ns, end_ns; /* the next; event INT64_MAX: none */
};

/* Wants table wait as its pass left it: in the order of events. */
void gaspdb_call_waits_open(struct gaspdb_call_waits *waits,
			    struct gaspdb_run *run);
/* Does the call wait at that time; calls one after the other, each in order of
   time.  *until_ns: at most until when that is so. */
bool gaspdb_call_waits_at(struct gaspdb_call_waits *waits, int64_t event,
			  int64_t at_ns, int64_t *until_ns);
void gaspdb_call_waits_close(struct gaspdb_call_waits *waits);

#endif
