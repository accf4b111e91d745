/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions of durations by two keys, in bounded memory.  Percentiles are
 * exact while there are fewer than a million different durations; beyond that
 * they are rounded down, by less than 0.1 % in a run that anyone has seen.
 */
#ifndef GASPDB_ANALYSIS_DURATIONS_H
#define GASPDB_ANALYSIS_DURATIONS_H

#include "analysis/groups.h"

struct gaspdb_durations {
	struct gaspdb_groups counts; /* two keys, duration: how often */
	int digits;		     /* binary digits of a duration kept */
};

struct gaspdb_distribution {
	int64_t keys[2];
	int64_t min_ns, median_ns, p95_ns, max_ns;
};

void gaspdb_durations_init(struct gaspdb_durations *durations);
void gaspdb_durations_fini(struct gaspdb_durations *durations);
void gaspdb_durations_clear(struct gaspdb_durations *durations);
void gaspdb_durations_add(struct gaspdb_run *run,
			  struct gaspdb_durations *durations, int64_t key1,
			  int64_t key2, int64_t duration_ns, int64_t times);
/* To be called once before reading, and again after each clear. */
void gaspdb_durations_sort(struct gaspdb_durations *durations);
/*
 * The next distribution, in the order of the keys; *at is 0 at first.  False
 * at the end.
 */
bool gaspdb_durations_next(const struct gaspdb_durations *durations, size_t *at,
			   struct gaspdb_distribution *distribution);

#endif
