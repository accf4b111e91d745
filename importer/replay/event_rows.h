/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of table event.  Events get their ids when they start and their rows
 * when they end; the rows wait in a window, so that they are written in order
 * of their ids, and can still be changed (what a non-blocking receive brought
 * is known when another call completes it).
 */
#ifndef GASPDB_IMPORTER_REPLAY_EVENT_ROWS_H
#define GASPDB_IMPORTER_REPLAY_EVENT_ROWS_H

#include "sql/store/store.h"

#define GASPDB_EVENT_WINDOW 8192 /* a power of two */
#define GASPDB_EVENT_PIECE  1024 /* events of a row of event_piece */

union gaspdb_event_row {
	struct {
		GASPDB_ROW_event
	};
	int64_t columns[GASPDB_EVENT_COLUMNS];
};

struct gaspdb_event_rows {
	struct gaspdb_store *store;
	int64_t first, next; /* ids in the window; next is the next to give */
	int64_t stop; /* before that is given, a row is due or none has room */
	int64_t thread;
	/* The row of event_piece that is being filled; first 0: none. */
	struct {
		int64_t first, start_ns, last_start_ns;
	} piece;
	union gaspdb_event_row late; /* one that is no longer in the window */
	union gaspdb_event_row window[GASPDB_EVENT_WINDOW]; /* id 0: open */
};

/* rows: zeroed, as by calloc(), which touches none of the window. */
void gaspdb_event_rows_init(struct gaspdb_event_rows *rows,
			    struct gaspdb_store *store);
/* At rows->stop: an event starts then. */
void gaspdb_event_rows_pause(struct gaspdb_event_rows *rows, int64_t ns);

/* The id of an event that starts then: from 1. */
static inline int64_t gaspdb_event_rows_start(struct gaspdb_event_rows *rows,
					      int64_t ns)
{
	if (rows->next == rows->stop)
		gaspdb_event_rows_pause(rows, ns);
	rows->piece.last_start_ns = ns;
	return rows->next++;
}

/* Where the row of an event is to be made that ends. */
static inline union gaspdb_event_row *
gaspdb_event_rows_at(struct gaspdb_event_rows *rows, int64_t id)
{
	return id >= rows->first ? &rows->window[id & (GASPDB_EVENT_WINDOW - 1)]
				 : &rows->late;
}

/* It is made. */
void gaspdb_event_rows_insert_late(struct gaspdb_event_rows *rows);
void gaspdb_event_rows_insert_long(struct gaspdb_event_rows *rows,
				   const union gaspdb_event_row *row);
static inline void gaspdb_event_rows_end(struct gaspdb_event_rows *rows,
					 const union gaspdb_event_row *row)
{
	if (row->id < rows->piece.first)
		gaspdb_event_rows_insert_long(rows, row);
	if (row == &rows->late)
		gaspdb_event_rows_insert_late(rows);
}

/* Add to bytes, and set peer unless GASPDB_NULL, of an event that has ended. */
void gaspdb_event_rows_change(struct gaspdb_event_rows *rows, int64_t id,
			      int64_t bytes, int64_t peer);
/* A thread begins. */
void gaspdb_event_rows_thread(struct gaspdb_event_rows *rows, int64_t thread);
/* It is over: write what waits. */
void gaspdb_event_rows_flush(struct gaspdb_event_rows *rows);

#endif
