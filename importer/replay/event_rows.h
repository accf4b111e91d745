/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writer of table event. An event gets its id when it starts, and its row when
 * it ends. Rows wait in a window, so that they are written in order of ids and
 * can still be changed: the bytes of a non-blocking receive are known when
 * another call completes it.
 */
#ifndef GASPDB_IMPORTER_REPLAY_EVENT_ROWS_H
#define GASPDB_IMPORTER_REPLAY_EVENT_ROWS_H

#include "sql/store/store.h"

#define GASPDB_EVENT_WINDOW 8192 /* a power of two */
#define GASPDB_EVENT_PIECE  1024 /* events per row of event_piece */

union gaspdb_event_row {
	struct {
		GASPDB_ROW_event
	};
	int64_t columns[GASPDB_EVENT_COLUMNS];
};

struct gaspdb_event_rows {
	struct gaspdb_store *store;
	int64_t first, next; /* ids in the window; next: to be assigned */
	int64_t stop;	     /* id at which gaspdb_event_rows_pause() is due */
	int64_t thread;
	/* Row of event_piece being filled; first 0: none. */
	struct {
		int64_t first, start_ns, last_start_ns;
	} piece;
	union gaspdb_event_row late; /* a row that has left the window */
	union gaspdb_event_row window[GASPDB_EVENT_WINDOW]; /* id 0: open */
};

/* Initialises rows, zeroed by calloc(), which does not touch the window. */
void gaspdb_event_rows_init(struct gaspdb_event_rows *rows,
			    struct gaspdb_store *store);
/* Makes room in the window, and begins a row of event_piece if due. Called when
   next reaches stop; ns: start of the next event. */
void gaspdb_event_rows_pause(struct gaspdb_event_rows *rows, int64_t ns);

/* Assigns the id, from 1, of an event that starts at ns. */
static inline int64_t gaspdb_event_rows_start(struct gaspdb_event_rows *rows,
					      int64_t ns)
{
	if (rows->next == rows->stop)
		gaspdb_event_rows_pause(rows, ns);
	rows->piece.last_start_ns = ns;
	return rows->next++;
}

/* Place for the row of an event that ends. */
static inline union gaspdb_event_row *
gaspdb_event_rows_at(struct gaspdb_event_rows *rows, int64_t id)
{
	return id >= rows->first ? &rows->window[id & (GASPDB_EVENT_WINDOW - 1)]
				 : &rows->late;
}

/* Writes the row, unless it waits in the window; notes long events. */
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

/* Changes an ended event: adds to bytes, and sets peer unless GASPDB_NULL. */
void gaspdb_event_rows_change(struct gaspdb_event_rows *rows, int64_t id,
			      int64_t bytes, int64_t peer);
/* Begins a thread. */
void gaspdb_event_rows_thread(struct gaspdb_event_rows *rows, int64_t thread);
/* Ends the thread: writes all rows of the window. */
void gaspdb_event_rows_flush(struct gaspdb_event_rows *rows);

#endif
