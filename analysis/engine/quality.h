/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality from passes. */
#ifndef GASPDB_ANALYSIS_ENGINE_QUALITY_H
#define GASPDB_ANALYSIS_ENGINE_QUALITY_H

#include "analysis/rows/groups.h"
#include "sql/quality_row.h"

/* Count one more defect in a row. The row keeps the first one's thread and
   event. ns is added to its time, unless that is NONE. */
void gaspdb_quality_count(struct gaspdb_quality_row *row, int64_t thread,
			  int64_t event, int64_t ns);
/* Write one row. fmt is the format of its detail, of 255 bytes at most, where
   {thread} becomes the run's word for its members (view run_word); NULL: it has
   none but that of row. */
void gaspdb_quality_add(struct gaspdb_run *run,
			const struct gaspdb_quality_row *row, const char *fmt,
			...) __attribute__((format(printf, 3, 4)));

/* Clock contradictions: the number of effects that a thread saw before their
   cause on another thread, and the time between. */
struct gaspdb_contradictions {
	struct gaspdb_run *run;
	enum gaspdb_quality_kind kind; /* CLOCK by default */
	struct gaspdb_groups sums;     /* thread, cause: count, ns */
};

void gaspdb_contradictions_open(struct gaspdb_contradictions *contradictions,
				struct gaspdb_run *run);
void gaspdb_contradictions_add(struct gaspdb_contradictions *contradictions,
			       int64_t thread, int64_t cause, int64_t ns);
/*
 * Write a row for each pair: `before` and `after` enclose the cause's number.
 */
void gaspdb_contradictions_close(struct gaspdb_contradictions *contradictions,
				 const char *before, const char *after);

#endif
