/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What outlives a pass: objects of the connection, by name.  Such an object is
 * what a function of SQL owns, which hands out the pointer.
 */
#ifndef GASPDB_ANALYSIS_SHARED_H
#define GASPDB_ANALYSIS_SHARED_H

#include "analysis/run.h"

/* The connection's object of that name, which must do for a function of SQL;
   NULL: there is none, or a failure. */
void *gaspdb_shared_get(struct gaspdb_run *run, const char *name);
/*
 * Make it the connection's, which destroys it when it is closed.  NULL: forget
 * the one of that name.  false: a failure, and it is destroyed.
 */
bool gaspdb_shared_put(struct gaspdb_run *run, const char *name, void *object,
		       void (*destroy)(void *));
/* Another connection's, too: from then on one of both uses it at a time, and
   the first outlives the other. */
void gaspdb_shared_lend(struct gaspdb_run *from, struct gaspdb_run *to,
			const char *name);

#endif
