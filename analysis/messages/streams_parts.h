/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The data of streams, for streams_open.c, which opens them, and streams.c,
   which reads them. */
#ifndef GASPDB_ANALYSIS_MESSAGES_STREAMS_PARTS_H
#define GASPDB_ANALYSIS_MESSAGES_STREAMS_PARTS_H

#include "analysis/engine/run.h"
#include "analysis/engine/scan.h"
#include "analysis/messages/streams.h"

/* Columns of a marker: a probe, or messages that were not recorded or lost. */
enum gaspdb_marker {
	M_ID,
	M_PROCESS,
	M_AT,
	M_EVENT, /* of a probe */
	M_KIND,
	M_TEAM,
	M_SENDER,
	M_RECEIVER,
	M_TAG,
	M_COUNT,
	M_THREAD,
	M_SOURCE,
	M_END,
	M_GUESSED,
	M_COLUMNS
};

/* The position of a thread in p2p. */
struct cursor {
	int64_t process, thread;
	int64_t id, last;     /* next row, last row */
	int64_t at_ns, event; /* of the next row, if known */
	bool known;
};

struct process {
	int64_t id, at_ns; /* no row to come is earlier than at_ns */
	size_t number;
	size_t first, n; /* cursors */
	int64_t marker, last_marker;
	int64_t marker_at_ns, marker_event;
	bool marker_known;
};

/* A window of consecutive events, read ahead: it has most posting and
   completing calls. */
enum {
	WINDOW_ROWS = 512,
	WINDOW_ROWS_SMALL = 128,
	WINDOW_COLUMNS = GASPDB_EVENT_DURATION + 1
};

struct event_window {
	int64_t rows[WINDOW_ROWS][WINDOW_COLUMNS];
	size_t n, n_used; /* rows, queries answered since it was filled */
	size_t room;
	int64_t last_post; /* the last posting call */
};

/* Number of windows. Up to as many processes have a window each, so that a page
   is read once or twice and not at each slice. */
enum { WINDOWS = 16 };

struct streams {
	struct gaspdb_run *run;
	const struct gaspdb_stream_callbacks *callbacks;
	struct gaspdb_table p2p, events, markers;
	struct event_window *windows; /* by process number modulo WINDOWS */
	int64_t receive, cancelled, null, open, freed; /* words of p2p */
	struct cursor *cursors;
	size_t n_cursors, cursors_room;
	bool unordered; /* rows of p2p are not in the order of posts */
	struct process *heap;
	size_t n_heap, heap_room;
	int64_t last_ns;
	const struct process *current; /* the process being read */
	struct event_window *window;   /* its window */
	size_t slice_left;	       /* rows left of its slice */
};

/* Open p2p, or a sorted copy if it is not in order, and create the cursors. */
void gaspdb_streams_open_cursors(struct streams *streams);
/* Create temp.gaspdb_lost: markers of messages lost with damaged blocks
   (process, at, kind, team, sender, receiver, tag, count, thread). */
void gaspdb_streams_lost(struct streams *streams, bool damaged);
/* Create the heap: the processes with cursors or markers, in order of ids. */
void gaspdb_streams_open_processes(struct streams *streams);

#endif
