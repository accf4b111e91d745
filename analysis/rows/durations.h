/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Distributions of durations by group, in bounded memory. Percentiles are exact
 * while there are fewer than a million different durations. Beyond that they
 * are rounded down, by less than 0.1 % in all runs measured.
 *
 * A group is a number that the caller chooses, from 0 without gaps.
 */
#ifndef GASPDB_ANALYSIS_ROWS_DURATIONS_H
#define GASPDB_ANALYSIS_ROWS_DURATIONS_H

#include "analysis/engine/run.h"
#include "common/radix_sort.h"

struct gaspdb_durations {
	/* key: duration in ns, row: group, more: its count. The first n_sorted
	   are in the order of group and duration. */
	struct gaspdb_radix_row *rows;
	size_t n, room, n_sorted;
	/* Counts of the durations below short_ns of the groups below
	   groups_max, counts[group * short_ns + ns]; NULL: no table. Groups
	   from n_groups on have none. */
	uint32_t *counts;
	uint32_t short_ns, groups_max, n_groups;
	uint32_t *first; /* after sorting: first row by group, and one more */
	size_t n_first, first_room;
	int digits; /* leading binary digits kept of a duration */
};

enum { GASPDB_DURATIONS_EXACT = 63 }; /* digits: all */

struct gaspdb_distribution {
	int64_t min_ns, median_ns, p95_ns, max_ns;
};

void gaspdb_durations_init(struct gaspdb_durations *durations);
void gaspdb_durations_fini(struct gaspdb_durations *durations);
/* Remove all durations; the memory stays allocated. */
void gaspdb_durations_clear(struct gaspdb_durations *durations);
/* The slow path of gaspdb_durations_add(): no room, or rounded durations. */
void gaspdb_durations_add_slowly(struct gaspdb_run *run,
				 struct gaspdb_durations *durations,
				 uint32_t group, int64_t ns, uint32_t times);
/* Add `times` durations of ns each, not negative. */
static inline void gaspdb_durations_add(struct gaspdb_run *run,
					struct gaspdb_durations *d,
					uint32_t group, int64_t ns,
					uint32_t times)
{
	if (d->n < d->room && d->digits == GASPDB_DURATIONS_EXACT)
		d->rows[d->n++] = (struct gaspdb_radix_row){
			.key = (uint64_t)ns, .row = group, .more = times
		};
	else
		gaspdb_durations_add_slowly(run, d, group, ns, times);
}

/* Prepare for reading: call it after the last add. */
void gaspdb_durations_sort(struct gaspdb_run *run,
			   struct gaspdb_durations *durations);
/* The distribution of a group; all 0: it is empty. Percentiles are of the
   nearest rank. */
struct gaspdb_distribution
gaspdb_durations_of(const struct gaspdb_durations *durations, uint32_t group);
/* Add the durations of a sorted group to a group of another multiset. */
void gaspdb_durations_copy(struct gaspdb_run *run, struct gaspdb_durations *to,
			   uint32_t to_group,
			   const struct gaspdb_durations *from,
			   uint32_t from_group);

#endif
