/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Window of rows of table event; the row with id i is at i modulo its size. */
#include "importer/replay/event_rows.h"

#include <string.h>

#include "common/limits.h"
#include "common/sum.h"

/* Writes the rows before id. Rows of open events are skipped, and written out
   of order when they end. */
static void advance(struct gaspdb_event_rows *rows, int64_t id)
{
	while (rows->first < id) {
		union gaspdb_event_row *r =
			gaspdb_event_rows_at(rows, rows->first);
		/* contiguous in the window */
		const int64_t n =
			gaspdb_min(id - rows->first,
				   rows->window + GASPDB_EVENT_WINDOW - r);
		int64_t ended = 0;

		while (ended < n && r[ended].id)
			ended++;
		gaspdb_insert_rows(rows->store, GASPDB_INSERT_event, r->columns,
				   (size_t)ended);
		for (int64_t i = 0; i < ended; i++)
			r[i].id = 0;
		rows->first += ended + (ended < n);
	}
}

void gaspdb_event_rows_init(struct gaspdb_event_rows *rows,
			    struct gaspdb_store *store)
{
	rows->store = store;
	rows->first = rows->next = rows->stop = 1;
}

void gaspdb_event_rows_thread(struct gaspdb_event_rows *rows, int64_t thread)
{
	rows->thread = thread;
}

static void end_piece(struct gaspdb_event_rows *rows)
{
	if (rows->piece.first)
		gaspdb_insert(
			rows->store, GASPDB_INSERT_event_piece,
			GASPDB_VALUES(event_piece){
				[GASPDB_EVENT_PIECE_THREAD] =
					gaspdb_int(rows->thread),
				[GASPDB_EVENT_PIECE_START] =
					gaspdb_int(rows->piece.start_ns),
				[GASPDB_EVENT_PIECE_LAST_START] =
					gaspdb_int(rows->piece.last_start_ns),
				[GASPDB_EVENT_PIECE_FIRST_EVENT] =
					gaspdb_int(rows->piece.first),
				[GASPDB_EVENT_PIECE_LAST_EVENT] =
					gaspdb_int(rows->next - 1) });
	rows->piece.first = 0;
}

static void begin_piece(struct gaspdb_event_rows *rows, int64_t ns)
{
	end_piece(rows);
	rows->piece.first = rows->next;
	rows->piece.start_ns = ns;
}

void gaspdb_event_rows_pause(struct gaspdb_event_rows *rows, int64_t ns)
{
	const int64_t window = GASPDB_EVENT_WINDOW;

	if (!rows->piece.first ||
	    rows->next == rows->piece.first + GASPDB_EVENT_PIECE)
		begin_piece(rows, ns);
	/* Half of the window at a time, for full batches. */
	if (rows->next == rows->first + window)
		advance(rows, rows->first + window / 2);
	rows->stop = gaspdb_min(rows->first + window,
				rows->piece.first + GASPDB_EVENT_PIECE);
}

void gaspdb_event_rows_insert_late(struct gaspdb_event_rows *rows)
{
	gaspdb_insert_ints(rows->store, GASPDB_INSERT_event,
			   rows->late.columns);
}

void gaspdb_event_rows_insert_long(struct gaspdb_event_rows *rows,
				   const union gaspdb_event_row *row)
{
	gaspdb_insert(
		rows->store, GASPDB_INSERT_long_event,
		GASPDB_VALUES(long_event){
			[GASPDB_LONG_EVENT_THREAD] = gaspdb_int(rows->thread),
			[GASPDB_LONG_EVENT_END] =
				gaspdb_int(row->start_ns + row->duration_ns),
			[GASPDB_LONG_EVENT_EVENT] = gaspdb_int(row->id),
			[GASPDB_LONG_EVENT_START] =
				gaspdb_int(row->start_ns) });
}

void gaspdb_event_rows_change(struct gaspdb_event_rows *rows, int64_t id,
			      int64_t bytes, int64_t peer)
{
	union gaspdb_event_row *r = gaspdb_event_rows_at(rows, id);

	if (id < rows->first) {
		gaspdb_store_change(rows->store, id, bytes, peer);
	} else if (r->id == id) {
		gaspdb_add_known(&r->bytes, bytes);
		if (peer != GASPDB_NULL)
			r->peer = peer;
	}
}

void gaspdb_event_rows_flush(struct gaspdb_event_rows *rows)
{
	advance(rows, rows->next);
	end_piece(rows);
	rows->stop = rows->next;
}
