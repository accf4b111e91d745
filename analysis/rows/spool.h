/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spool files: temporary files without a name beside the database, written once
   and then read. */
#ifndef GASPDB_ANALYSIS_ROWS_SPOOL_H
#define GASPDB_ANALYSIS_ROWS_SPOOL_H

#include "analysis/engine/run.h"

struct gaspdb_spool;

/* Create a spool file, for gaspdb_spool_close(); NULL: a failure. All failures
   of spool files fail the run. */
struct gaspdb_spool *gaspdb_spool_open(struct gaspdb_run *run);
/* Close and delete it; NULL: no effect. */
void gaspdb_spool_close(struct gaspdb_spool *spool);

/* Append n bytes. */
void gaspdb_spool_write(struct gaspdb_run *run, struct gaspdb_spool *spool,
			const void *bytes, size_t n);
/* The bytes written so far. */
int64_t gaspdb_spool_bytes(const struct gaspdb_spool *spool);

/* End writing, and read from the beginning. */
void gaspdb_spool_rewind(struct gaspdb_run *run, struct gaspdb_spool *spool);
/* Read the next n bytes; false: a failure, or fewer are left. */
bool gaspdb_spool_read(struct gaspdb_run *run, struct gaspdb_spool *spool,
		       void *bytes, size_t n);
/* Read n bytes at an offset, after a rewind; the position of
   gaspdb_spool_read() stays. */
bool gaspdb_spool_read_at(struct gaspdb_run *run, struct gaspdb_spool *spool,
			  int64_t offset, void *bytes, size_t n);

#endif
