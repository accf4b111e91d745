/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entities that share a mix, and how they split an amount.  A split is in whole
 * units and exact: each part's sum stays within one unit of its share, by
 * fractions that are carried to the mix's next split on the thread.
 */
#ifndef GASPDB_ANALYSIS_ENTITIES_SHARES_H
#define GASPDB_ANALYSIS_ENTITIES_SHARES_H

#include "analysis/engine/run.h"
#include "collector/log/log_format.h"

/* What is split: each has fractions of its own. */
enum gaspdb_split {
	GASPDB_SPLIT_SELF,
	GASPDB_SPLIT_OUTER, /* time of entities inside the mix */
	GASPDB_SPLIT_BYTES,
	GASPDB_N_SPLITS
};

struct gaspdb_shares {
	int64_t n; /* entity ids are below */
	struct gaspdb_mix {
		size_t first, n; /* parts; n 0: an entity, its own part */
		uint64_t sum;	 /* of their weights */
		int64_t thread;	 /* whose fractions they have */
	} * mix;		 /* by entity */
	struct gaspdb_mix_part {
		int64_t entity;
		uint64_t weight;
		int64_t credit[GASPDB_N_SPLITS]; /* owed, in units / sum */
	} * part;
	size_t n_parts, part_room;
};

/* One entity's part of an amount. */
struct gaspdb_share {
	int64_t entity, amount;
};

/* Reads the mixes. */
void gaspdb_shares_open(struct gaspdb_shares *s, struct gaspdb_run *run);
void gaspdb_shares_close(struct gaspdb_shares *s);

static inline bool gaspdb_is_mix(const struct gaspdb_shares *s, int64_t entity)
{
	return s->mix[entity].n > 0;
}

/* Splits an amount, 0 or more, of an entity or mix on a thread; returns the
   number of shares. */
size_t gaspdb_split(struct gaspdb_shares *s, int64_t thread, int64_t entity,
		    enum gaspdb_split what, int64_t amount,
		    struct gaspdb_share shares[GASPDB_MIX_PARTS_MAX]);

#endif
