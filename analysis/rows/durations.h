/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions of durations by group, in bounded memory.  Percentiles are
 * exact while there are fewer than a million different durations; beyond that
 * they are rounded down, by less than 0.1 % in a run that anyone has seen.
 *
 * Groups are numbers that the caller gives, from 0 without gaps, so that it
 * looks up whatever they stand for only once.
 */
#ifndef GASPDB_ANALYSIS_ROWS_DURATIONS_H
#define GASPDB_ANALYSIS_ROWS_DURATIONS_H

#include "analysis/engine/run.h"
#include "common/radix_sort.h"

struct gaspdb_durations {
	/* Key: ns, row: group, more: times; by group and ns, and those that
	   came since. */
	struct gaspdb_radix_row *rows;
	size_t n, room, n_sorted;
	/* How many of each duration below short_ns there are, by group below
	   groups_max; NULL: all are rows.  Groups below n_groups have some. */
	uint32_t *counts;
	uint32_t short_ns, groups_max, n_groups;
	uint32_t *first; /* by group, and one more; when they are read */
	size_t n_first, first_room;
	int digits; /* binary digits of a duration kept */
};

enum { GASPDB_DURATIONS_EXACT = 63 }; /* digits: all */

struct gaspdb_distribution {
	int64_t min_ns, median_ns, p95_ns, max_ns;
};

void gaspdb_durations_init(struct gaspdb_durations *durations);
void gaspdb_durations_fini(struct gaspdb_durations *durations);
/* Forget them, keep the memory. */
void gaspdb_durations_clear(struct gaspdb_durations *durations);
/* Part of gaspdb_durations_add(): there is no room, or they are rounded. */
void gaspdb_durations_add_now(struct gaspdb_run *run,
			      struct gaspdb_durations *durations,
			      uint32_t group, int64_t ns, uint32_t times);
/* ns: 0 or more. */
static inline void gaspdb_durations_add(struct gaspdb_run *run,
					struct gaspdb_durations *d,
					uint32_t group, int64_t ns,
					uint32_t times)
{
	if (d->n < d->room && d->digits == GASPDB_DURATIONS_EXACT)
		d->rows[d->n++] = (struct gaspdb_radix_row){
			.key = (uint64_t)ns, .row = group, .more = times };
	else
		gaspdb_durations_add_now(run, d, group, ns, times);
}

/* To be called once before reading, and again after each clear. */
void gaspdb_durations_sort(struct gaspdb_run *run,
			   struct gaspdb_durations *durations);
/* Of a group that has some; all 0 of another. */
struct gaspdb_distribution
gaspdb_durations_of(const struct gaspdb_durations *durations, uint32_t group);
/* Add a group's durations to another's, elsewhere. */
void gaspdb_durations_copy(struct gaspdb_run *run, struct gaspdb_durations *to,
			   uint32_t to_group,
			   const struct gaspdb_durations *from,
			   uint32_t from_group);

#endif
