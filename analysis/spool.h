/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files without a name, beside the database: for what memory need not hold. */
#ifndef GASPDB_ANALYSIS_SPOOL_H
#define GASPDB_ANALYSIS_SPOOL_H

#include <stdio.h>

#include "analysis/run.h"

/* Fails the run, by errno. */
void gaspdb_spool_fail(struct gaspdb_run *run);

/* NULL after a failure.  The caller closes it. */
FILE *gaspdb_spool_open(struct gaspdb_run *run);
void gaspdb_spool_write(struct gaspdb_run *run, FILE *spool, const void *bytes,
			size_t n);
/* Where the last read or write ended.  false: not all is there, a failure. */
bool gaspdb_spool_read(struct gaspdb_run *run, FILE *spool, void *bytes,
		       size_t n);
/* The same at an offset, of what was written before a flush. */
bool gaspdb_spool_read_at(struct gaspdb_run *run, FILE *spool, off_t offset,
			  void *bytes, size_t n);

#endif
