/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last write to each piece of memory, and the first return of a wait after
 * it. A write or wait may cover any range of pieces, in time logarithmic in
 * their number.
 */
#ifndef GASPDB_ANALYSIS_SIGNALS_LAST_WRITES_H
#define GASPDB_ANALYSIS_SIGNALS_LAST_WRITES_H

#include "analysis/engine/run.h"

struct gaspdb_write {
	int64_t event; /* 0: none */
	int64_t thread, at_ns;
};

#define GASPDB_NOT_RETURNED INT64_MAX

struct gaspdb_last_write {
	struct gaspdb_write write;
	int64_t returned_ns; /* when waits for all pieces with this write had
				returned; NOT_RETURNED: not yet */
};

struct gaspdb_last_writes {
	struct gaspdb_run *run;
	struct gaspdb_last_writes_node *nodes; /* tree; pieces are leaves */
	size_t n, room;
};

/* Set n pieces without a write. The structure was zeroed except for run. false:
   a failure. */
bool gaspdb_last_writes_begin(struct gaspdb_last_writes *writes, size_t n);
/* Add a write to the pieces in [from, until). */
void gaspdb_last_writes_add(struct gaspdb_last_writes *writes, size_t from,
			    size_t until, const struct gaspdb_write *write);
/* The last write to any of the pieces. return_ns: a wait for them returns then,
   noted after the query; NOT_RETURNED: none. Returns never decrease. */
struct gaspdb_last_write
gaspdb_last_writes_query(struct gaspdb_last_writes *writes, size_t from,
			 size_t until, int64_t return_ns);
/* The later of two last writes, of different pieces. */
struct gaspdb_last_write
gaspdb_last_write_later(const struct gaspdb_last_write *some,
			const struct gaspdb_last_write *others);
void gaspdb_last_writes_free(struct gaspdb_last_writes *writes);

#endif
