/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the streams consist of: streams_survey.c (what there is), streams.c (how
   it passes by). */
#ifndef GASPDB_ANALYSIS_MESSAGES_STREAMS_PARTS_H
#define GASPDB_ANALYSIS_MESSAGES_STREAMS_PARTS_H

#include "analysis/engine/run.h"
#include "analysis/engine/scan.h"
#include "analysis/messages/streams.h"

/* What else stands between them: probes, what passed unrecorded or was lost. */
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

/* A thread's place in p2p. */
struct cursor {
	int64_t process, thread;
	int64_t id, last;
	int64_t at_ns, event; /* of the row there */
	bool known;	      /* these are */
};

struct process {
	int64_t id, at_ns; /* what is to come is not earlier */
	size_t number;
	size_t first, n; /* cursors */
	int64_t marker, last_marker;
	int64_t marker_at_ns, marker_event;
	bool marker_known;
};

/* Events in a row, read ahead: most calls that post and complete stand there.
 */
enum {
	NEAR = 512,
	NEAR_OF_MANY = 128,
	NEAR_COLUMNS = GASPDB_EVENT_DURATION + 1
};

struct near_events {
	int64_t rows[NEAR][NEAR_COLUMNS];
	size_t n, wanted; /* are there; were asked for, since it was filled */
	size_t room;
	int64_t last_post; /* event of the row of before */
};

/* If there are no more processes each has what is read ahead for itself, and a
   page is read once or twice, not at each turn. */
enum { FEW = 16 };

struct streams {
	struct gaspdb_run *run;
	const struct gaspdb_stream_calls *calls;
	struct gaspdb_table p2p, events, markers;
	struct near_events *nears; /* FEW, by the processes' numbers */
	int64_t receive, cancelled, null, open, freed; /* words of p2p */
	struct cursor *cursors;
	size_t n_cursors, cursors_room;
	bool unordered; /* rows of p2p */
	struct process *heap;
	size_t n_heap, heap_room;
	int64_t last_ns;
	const struct process *now;
	struct near_events *near; /* its */
	size_t left;		  /* of the slice */
};

/* Open p2p, or a copy in order of a table that is not; the cursors. */
void gaspdb_streams_survey(struct streams *streams);
/* Make temp.gaspdb_lost: what was lost with damaged blocks, if there are any,
   as such markers (process, at, kind, team, sender, receiver, tag, count,
   thread).
 */
void gaspdb_streams_lost(struct streams *streams, bool damaged);
/* All processes that have cursors or markers, into the heap, by their ids. */
void gaspdb_streams_load(struct streams *streams);

#endif
