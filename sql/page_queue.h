/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows on their way to a thread that makes pages of them, in the order in which
 * they were put.  One thread puts.
 */
#ifndef GASPDB_PAGE_QUEUE_H
#define GASPDB_PAGE_QUEUE_H

#include <stdbool.h>

#include "value.h"

struct gaspdb_page_queue;
struct gaspdb_page_table;

/* What the thread does with a row; values live no longer than the call. */
typedef void (*gaspdb_queue_ints_fn)(struct gaspdb_page_table *table,
				     int64_t rowid, const int64_t *values);
typedef void (*gaspdb_queue_row_fn)(struct gaspdb_page_table *table,
				    int64_t rowid,
				    const struct gaspdb_value *values);

/* NULL: there cannot be a thread. */
struct gaspdb_page_queue *gaspdb_page_queue_new(gaspdb_queue_ints_fn ints,
						gaspdb_queue_row_fn row);
/* Stops the thread (NULL: nothing), when it is done with what it has got. */
void gaspdb_page_queue_free(struct gaspdb_page_queue *q);

/* A row of n values, which are copied. */
void gaspdb_page_queue_ints(struct gaspdb_page_queue *q,
			    struct gaspdb_page_table *table, int64_t rowid,
			    const int64_t *values, unsigned n);
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
