/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fine-grained accesses: groups of small remote accesses that one access could
   replace. */
#ifndef GASPDB_ANALYSIS_ACCESS_FINE_GRAINED_H
#define GASPDB_ANALYSIS_ACCESS_FINE_GRAINED_H

#include "analysis/access/rereads.h"

struct gaspdb_fine_grained {
	struct gaspdb_run *run;
	sqlite3_stmt *insert;
	int64_t thread;
	struct gaspdb_groups peers; /* source, peer: values of fine_grained.c */
};

void gaspdb_fine_grained_open(struct gaspdb_fine_grained *fine,
			      struct gaspdb_run *run);
/* Add a blocking access to another process's memory. */
void gaspdb_fine_grained_add(struct gaspdb_fine_grained *fine,
			     const struct gaspdb_access *access,
			     enum gaspdb_reread reread);
/* The slow path of gaspdb_fine_grained_end(): there are accesses. */
void gaspdb_fine_grained_write(struct gaspdb_fine_grained *fine);
/* End the groups: the thread synchronized, or its events end. */
static inline void gaspdb_fine_grained_end(struct gaspdb_fine_grained *fine)
{
	if (fine->peers.n)
		gaspdb_fine_grained_write(fine);
}
/* Write fine_grained_total, after access_line. */
void gaspdb_fine_grained_close(struct gaspdb_fine_grained *fine);

#endif
