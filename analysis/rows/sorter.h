/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of integers brought into order, however many: what memory has no room
 * for is sorted in parts that a file holds, and merged when read.
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
	struct gaspdb_radix_row *slots;	  /* their order; NULL: as they are */
	size_t at;			  /* the next of them to be read */
	const int64_t *next, *end;	  /* else this, of rows in memory, as */
	int64_t limit;			  /* long as its first is less */
	struct gaspdb_spool *spool;
	struct gaspdb_sorter_part *parts; /* in it */
	int64_t *last;			  /* row of the last of them */
	size_t n_parts, parts_room;
	struct gaspdb_sorter_head *heap; /* while they are merged */
	size_t n_heap;
	struct gaspdb_sorter_head *second; /* of it; NULL: there is but one */
	bool sorted;
};

/* Rows are sorted by their first columns, as many as keys. */
void gaspdb_sorter_init(struct gaspdb_sorter *sorter, struct gaspdb_run *run,
			size_t columns, size_t keys);
/* Part of gaspdb_sorter_place(): there is no room.  false: a failure. */
bool gaspdb_sorter_make_room(struct gaspdb_sorter *sorter);
/* Where one more row is to be put, all of it, before anything else is done.
   NULL: a failure. */
static inline int64_t *gaspdb_sorter_place(struct gaspdb_sorter *sorter)
{
	if (sorter->n == sorter->room && !gaspdb_sorter_make_room(sorter))
		return NULL;
	return sorter->rows + sorter->n++ * sorter->columns;
}
static inline void gaspdb_sorter_add(struct gaspdb_sorter *sorter,
				     const int64_t *row)
{
	int64_t *to = gaspdb_sorter_place(sorter);

	for (size_t i = 0; to && i < sorter->columns; i++)
		to[i] = row[i];
}
/* How many have been added, before the first is read. */
size_t gaspdb_sorter_rows(const struct gaspdb_sorter *sorter);
/* Part of gaspdb_sorter_next(): not known to be the one that follows in memory.
 */
const int64_t *gaspdb_sorter_find_next(struct gaspdb_sorter *sorter);
/*
 * The next row, borrowed until the next call; NULL at the end.  No more can be
 * added after the first.  The order of equal rows is that of their adding.
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
/* Read all again, from the first row on. */
void gaspdb_sorter_rewind(struct gaspdb_sorter *sorter);
void gaspdb_sorter_fini(struct gaspdb_sorter *sorter);

#endif
