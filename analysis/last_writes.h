/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was written last to each of some words.  A write may cover all of them:
 * it is noted in a few places, and looked for in a few, both the logarithm of
 * how many words there are.
 */
#ifndef GASPDB_ANALYSIS_LAST_WRITES_H
#define GASPDB_ANALYSIS_LAST_WRITES_H

#include "analysis/run.h"

struct gaspdb_write {
	int64_t event; /* 0: there is none */
	int64_t thread, at_ns;
};

struct gaspdb_last_writes {
	struct gaspdb_run *run;
	struct gaspdb_write *nodes; /* of a tree: of the i-th, the children are
				       2 i and 2 i + 1; the words are the last
				       n */
	size_t n, room;
};

/* Zeroed, but for the run.  n words, of which none has been written; false: a
   failure. */
bool gaspdb_last_writes_begin(struct gaspdb_last_writes *writes, size_t n);
/* The words in [from, until) were written. */
void gaspdb_last_writes_add(struct gaspdb_last_writes *writes, size_t from,
			    size_t until, const struct gaspdb_write *write);
struct gaspdb_write
gaspdb_last_writes_to(const struct gaspdb_last_writes *writes, size_t word);
void gaspdb_last_writes_free(struct gaspdb_last_writes *writes);

#endif
