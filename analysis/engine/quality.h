/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of table quality, by the kinds of common/quality.tbl.h. */
#ifndef GASPDB_ANALYSIS_ENGINE_QUALITY_H
#define GASPDB_ANALYSIS_ENGINE_QUALITY_H

#include "analysis/rows/groups.h"
#include "common/quality.h"

struct gaspdb_quality_message {
	int64_t peer, tag; /* peer: the other end's thread */
};

struct gaspdb_quality_row {
	enum gaspdb_quality_kind kind;
	int64_t thread, event; /* NONE: not of one */
	int64_t count, bytes, time_ns;
	const struct gaspdb_quality_message *message; /* NULL: of none */
};

/* Write one row; fmt makes its detail, where {thread} becomes what the run's
   threads are called (view run_word). */
void gaspdb_quality_add(struct gaspdb_run *run,
			const struct gaspdb_quality_row *row, const char *fmt,
			...) __attribute__((format(printf, 3, 4)));

/*
 * Where clocks contradict: how often a thread saw an effect before what another
 * had yet to do, and how long.
 */
struct gaspdb_contradictions {
	struct gaspdb_run *run;
	enum gaspdb_quality_kind kind;   /* CLOCK, unless it is set */
	struct gaspdb_groups sums; /* thread, cause: times, ns */
};

void gaspdb_contradictions_open(struct gaspdb_contradictions *contradictions,
				struct gaspdb_run *run);
void gaspdb_contradictions_add(struct gaspdb_contradictions *contradictions,
			       int64_t thread, int64_t cause, int64_t ns);
/* Write a row each: `before` and `after` stand around the cause's number. */
void gaspdb_contradictions_close(struct gaspdb_contradictions *contradictions,
				 const char *before, const char *after);

#endif
