/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * External merge sort of rows of integers, for any number of rows: sorted parts
 * go to a file, and a k-way merge reads them back.
 */
#ifndef GASPDB_ANALYSIS_ROWS_SORTER_H
#define GASPDB_ANALYSIS_ROWS_SORTER_H

#include "analysis/engine/run.h"

struct gaspdb_radix_row;
struct gaspdb_sorter_part;
struct gaspdb_sorter_head;
struct gaspdb_spool;

struct gaspdb_sorter {
	struct gaspdb_run *run;
	size_t columns, keys;
	int64_t *rows; /* in memory */
	size_t n, room;
	struct gaspdb_radix_row *order; /* sorted indices of the rows in memory;
					   NULL: rows are in order */
	size_t n_read;			/* of order */
	/* Without order: the rows that may be read directly, while their first
	   column is below the limit. */
	const int64_t *next, *end;
	int64_t limit;
	struct gaspdb_spool *spool;	  /* file of the parts */
	struct gaspdb_sorter_part *parts; /* sorted parts in the file */
	int64_t *last;			  /* copy of the last part's last row */
	size_t n_parts, parts_room;
	struct gaspdb_sorter_head *heap; /* of the merge */
	size_t n_heap;
	struct gaspdb_sorter_head *second; /* least after the top of the heap;
					      NULL: only one part is left */
	bool sorted;
};

/* Rows are sorted by their first `keys` columns. */
void gaspdb_sorter_init(struct gaspdb_sorter *sorter, struct gaspdb_run *run,
			size_t columns, size_t keys);
/* The slow path of gaspdb_sorter_new_row(): no room. false: a failure. */
bool gaspdb_sorter_make_room(struct gaspdb_sorter *sorter);
/* A new row, uninitialized: the caller must set all columns before its next
   call. NULL: a failure. */
static inline int64_t *gaspdb_sorter_new_row(struct gaspdb_sorter *sorter)
{
	if (sorter->n == sorter->room && !gaspdb_sorter_make_room(sorter))
		return NULL;
	return sorter->rows + sorter->n++ * sorter->columns;
}
static inline void gaspdb_sorter_add(struct gaspdb_sorter *sorter,
				     const int64_t *row)
{
	int64_t *to = gaspdb_sorter_new_row(sorter);

	for (size_t i = 0; to && i < sorter->columns; i++)
		to[i] = row[i];
}
/* The number of rows; before the first is read. */
size_t gaspdb_sorter_rows(const struct gaspdb_sorter *sorter);
/* The slow path of gaspdb_sorter_next(). */
const int64_t *gaspdb_sorter_find_next(struct gaspdb_sorter *sorter);
/*
 * The next row, borrowed until the next call; NULL: the end, or a failure. No
 * rows may be added after the first call. The sort is stable.
 */
static inline const int64_t *gaspdb_sorter_next(struct gaspdb_sorter *sorter)
{
	const int64_t *row = sorter->next;

	if (row == sorter->end || *row >= sorter->limit ||
	    gaspdb_run_stopped(sorter->run))
		return gaspdb_sorter_find_next(sorter);
	sorter->next = row + sorter->columns;
	return row;
}
/* Start again at the first row. */
void gaspdb_sorter_rewind(struct gaspdb_sorter *sorter);
void gaspdb_sorter_fini(struct gaspdb_sorter *sorter);

#endif
