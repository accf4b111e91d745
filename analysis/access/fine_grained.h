/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds groups of small remote accesses that could be one. */
#ifndef GASPDB_ANALYSIS_ACCESS_FINE_GRAINED_H
#define GASPDB_ANALYSIS_ACCESS_FINE_GRAINED_H

#include "analysis/access/rereads.h"

struct gaspdb_fine_grained {
	struct gaspdb_run *run;
	sqlite3_stmt *insert;
	int64_t thread;
	struct gaspdb_groups peers; /* source, peer: struct of fine_grained.c */
};

void gaspdb_fine_grained_open(struct gaspdb_fine_grained *fine,
			      struct gaspdb_run *run);
/* A blocking access to another process's memory. */
void gaspdb_fine_grained_add(struct gaspdb_fine_grained *fine,
			     const struct gaspdb_access *access,
			     enum gaspdb_reread what);
/* Part of gaspdb_fine_grained_end(): there are some. */
void gaspdb_fine_grained_write(struct gaspdb_fine_grained *fine);
/* The thread synchronized, or another thread's events follow. */
static inline void gaspdb_fine_grained_end(struct gaspdb_fine_grained *fine)
{
	if (fine->peers.n)
		gaspdb_fine_grained_write(fine);
}
/* When access_line is written. */
void gaspdb_fine_grained_close(struct gaspdb_fine_grained *fine);

#endif
