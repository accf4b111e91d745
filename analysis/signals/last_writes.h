/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was written last to each of some pieces of memory, and when a wait for
 * it returned first since then.  Writes and waits may cover all of them: each
 * costs the logarithm of how many pieces there are.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_LAST_WRITES_H
#define GASPDB_ANALYSIS_SIGNALS_LAST_WRITES_H

#include "analysis/engine/run.h"

struct gaspdb_write {
	int64_t event; /* 0: there is none */
	int64_t thread, at_ns;
};

#define GASPDB_NOT_RETURNED INT64_MAX

struct gaspdb_last_write {
	struct gaspdb_write write;
	int64_t returned_ns; /* when waits for all pieces that have it had
				returned; NOT_RETURNED: they have not */
};

struct gaspdb_last_writes {
	struct gaspdb_run *run;
	struct gaspdb_last_writes_node *nodes; /* of a tree, of which the pieces
						  are the leaves */
	size_t n, room;
};

/* Zeroed, but for the run.  n pieces, of which none has been written; false: a
   failure. */
bool gaspdb_last_writes_begin(struct gaspdb_last_writes *writes, size_t n);
/* The pieces in [from, until) were written. */
void gaspdb_last_writes_add(struct gaspdb_last_writes *writes, size_t from,
			    size_t until, const struct gaspdb_write *write);
/* The last write to any of them.  return_ns: a wait for them returns then,
   which is noted after it; NOT_RETURNED: none does.  Times never decrease. */
struct gaspdb_last_write
gaspdb_last_writes_to(struct gaspdb_last_writes *writes, size_t from,
		      size_t until, int64_t return_ns);
/* The later one, of what is known of some pieces and of others. */
struct gaspdb_last_write
gaspdb_last_write_of(const struct gaspdb_last_write *some,
		     const struct gaspdb_last_write *others);
void gaspdb_last_writes_free(struct gaspdb_last_writes *writes);

#endif
