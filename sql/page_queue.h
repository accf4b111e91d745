/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows on their way to a thread that makes pages of them, in the order in which
 * they were put.  One thread puts.
 */
#ifndef GASPDB_PAGE_QUEUE_H
#define GASPDB_PAGE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value.h"

struct gaspdb_page_queue;
struct gaspdb_page_table;

/* What the thread does with what was put: n rows of integers, each beginning
   with its rowid; so many bytes of cells (gaspdb_pages_append_cells()); a row
   of anything.  They live no longer than the call. */
struct gaspdb_queue_calls {
	void (*rows)(struct gaspdb_page_table *table, const int64_t *rows,
		     size_t n);
	void (*cells)(struct gaspdb_page_table *table, const uint8_t *cells,
		      size_t bytes);
	void (*row)(struct gaspdb_page_table *table, int64_t rowid,
		    const struct gaspdb_value *values);
};

/* NULL: there cannot be a thread. */
struct gaspdb_page_queue *
gaspdb_page_queue_new(const struct gaspdb_queue_calls *calls);
/* Stops the thread (NULL: nothing), when it is done with what it has got. */
void gaspdb_page_queue_free(struct gaspdb_page_queue *q);

/* n rows of so many columns, which are copied. */
void gaspdb_page_queue_rows(struct gaspdb_page_queue *q,
			    struct gaspdb_page_table *table,
			    const int64_t *rows, size_t n, size_t columns);
/* A cell, at most GASPDB_CELL_MAX bytes, which are copied. */
void gaspdb_page_queue_cell(struct gaspdb_page_queue *q,
			    struct gaspdb_page_table *table,
			    const uint8_t *cell, size_t bytes);
/* false: it is too large; nothing waits any more, and the caller has the tables
   until it puts another row. */
bool gaspdb_page_queue_row(struct gaspdb_page_queue *q,
			   struct gaspdb_page_table *table, int64_t rowid,
			   const struct gaspdb_value *values, unsigned n);

/* Wait until all rows are done; then the caller has the tables, too. */
void gaspdb_page_queue_settle(struct gaspdb_page_queue *q);
/* There was no memory for a page: rows are thrown away from then on. */
bool gaspdb_page_queue_failed(const struct gaspdb_page_queue *q);

#endif
