/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of the thread being read, and their rows: entity_profile, entity_bin. */
#ifndef GASPDB_ANALYSIS_ENTITIES_SUMS_H
#define GASPDB_ANALYSIS_ENTITIES_SUMS_H

#include "analysis/engine/run.h"

/* A row of entity_profile; NONE: no entity, no source, no bytes. */
struct gaspdb_entity_sum {
	int64_t entity, source;
	int64_t calls, self_ns, inclusive_ns, shared_ns, wait_ns, bytes;
};

struct gaspdb_entity_sums {
	struct gaspdb_run *run;
	sqlite3_stmt *add_profile, *add_bin;
	struct gaspdb_map index; /* by entity and source */
	struct gaspdb_entity_sum *sum;
	size_t n, room;
	/* The current bin */
	int64_t width_ns, bin;
	struct gaspdb_entity_bin {
		int64_t self_ns, wait_ns;
		bool used;
	} * bins;      /* by entity */
	int64_t *used; /* entities in the bin */
	size_t n_used, used_room;
};

/* n: entity ids are below. */
void gaspdb_entity_sums_open(struct gaspdb_entity_sums *s,
			     struct gaspdb_run *run, int64_t n);
void gaspdb_entity_sums_close(struct gaspdb_entity_sums *s);

/* The sum of an entity and a source, valid until the next call; never NULL. */
struct gaspdb_entity_sum *gaspdb_entity_sum(struct gaspdb_entity_sums *s,
					    int64_t entity, int64_t source);

/* Enters the bin of t_ns, after writing the one before; lowers *until_ns to its
   end. */
void gaspdb_entity_bin_at(struct gaspdb_entity_sums *s, int64_t thread,
			  int64_t t_ns, int64_t *until_ns);
void gaspdb_entity_bin_add(struct gaspdb_entity_sums *s, int64_t entity,
			   int64_t ns, bool waits);

/* Writes the thread's rows. */
void gaspdb_entity_sums_flush(struct gaspdb_entity_sums *s, int64_t thread);

#endif
