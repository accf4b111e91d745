/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files without a name, beside the database: for what memory need not hold. */
#ifndef GASPDB_ANALYSIS_ROWS_SPOOL_H
#define GASPDB_ANALYSIS_ROWS_SPOOL_H

#include "analysis/engine/run.h"

struct gaspdb_spool;

/* NULL after a failure, which fails the run, as all do here. */
struct gaspdb_spool *gaspdb_spool_open(struct gaspdb_run *run);
/* NULL: nothing. */
void gaspdb_spool_close(struct gaspdb_spool *spool);

/* At the end of what is there. */
void gaspdb_spool_write(struct gaspdb_run *run, struct gaspdb_spool *spool,
			const void *bytes, size_t n);
/* How much has been written. */
int64_t gaspdb_spool_bytes(const struct gaspdb_spool *spool);

/* No more is written: read from the beginning on. */
void gaspdb_spool_rewind(struct gaspdb_run *run, struct gaspdb_spool *spool);
/* Where the last read ended.  false: not all is there, a failure. */
bool gaspdb_spool_read(struct gaspdb_run *run, struct gaspdb_spool *spool,
		       void *bytes, size_t n);
/* The same at an offset, after a rewind; more may be written after it. */
bool gaspdb_spool_read_at(struct gaspdb_run *run, struct gaspdb_spool *spool,
			  int64_t offset, void *bytes, size_t n);

#endif
