/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The threads of one process, walked side by side in order of time: events with
 * their arguments and what they posted, moments without recording, computation
 * so far.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_THREADS_H
#define GASPDB_ANALYSIS_COMPLETION_THREADS_H

#include "analysis/completion/computing.h"
#include "analysis/completion/open_transfers.h"
#include "analysis/completion/rules.h"
#include "analysis/engine/run.h"
#include "analysis/engine/scan.h"

/* A row of table p2p that is a request. */
struct gaspdb_posted_request {
	int64_t request;
	int64_t complete_event; /* NONE: nothing did, or it is */
	bool unseen;		/* as that was not recorded */
	int64_t bytes;
	bool transfers; /* neither cancelled nor to nobody */
};

/* When a thread's computation so far is wanted by a transfer. */
struct gaspdb_alarm {
	int64_t ns;
	uint32_t transfer;
	uint64_t serial;
	bool data_end; /* for data_computed_ns, else computed_ns */
};

struct gaspdb_walk_thread {
	int64_t id, last_event, last_ns;
	const int64_t *event; /* the next; NULL: there is none */
	int64_t next_ns;      /* of that, or of the next gap */
	bool next_is_gap;
	const int64_t *post; /* the next row of p2p; NULL: there is none */
	struct gaspdb_cursor events, posts;
	struct gaspdb_computing computing;
	struct gaspdb_alarm *alarms; /* a heap, the next at the top */
	size_t n_alarms, alarms_room;
	const struct gaspdb_interval *gaps; /* without recording; to come */
	size_t n_gaps;
	int64_t last_gap_ns; /* end of its last; INT64_MIN: none */
};

struct gaspdb_walk {
	struct gaspdb_run *run;
	const struct gaspdb_completion_rules *rules;
	struct gaspdb_open_transfers *open;
	struct gaspdb_table events, p2p;
	struct gaspdb_event_args arguments;
	sqlite3_stmt *gaps;
	bool has_gap; /* a row of it */
	int64_t max_p2p;
	int64_t null, cancelled, unseen;	     /* words of p2p */
	struct gaspdb_interval *silent, *unrecorded; /* of this process */
	size_t n_silent, silent_room, n_unrecorded, unrecorded_room;
	struct gaspdb_walk_thread *threads; /* in the order of their ids */
	size_t n_threads, n_made, threads_room;
	struct gaspdb_walk_thread **heap; /* those with something to come, what
					     comes next at the top */
	size_t n_heap, heap_room;
	bool given; /* what comes next of the top */
};

void gaspdb_walk_open(struct gaspdb_walk *w, struct gaspdb_run *run,
		      const struct gaspdb_completion_rules *rules,
		      struct gaspdb_open_transfers *open);
void gaspdb_walk_close(struct gaspdb_walk *w);

/* Begin with the process of threads first .. last; in order of processes. */
void gaspdb_walk_process(struct gaspdb_walk *w, int64_t first, int64_t last);

/*
 * What comes next: by time, events before moments without recording, then by
 * thread.  The thread, until the next call; NULL at the end.  If next_is_gap it
 * stops being recorded at next_ns; else its event is in event, and its
 * computation is up to there.
 */
struct gaspdb_walk_thread *gaspdb_walk_next(struct gaspdb_walk *w);
/* The thread's event begins, and takes time of it.  Most calls begin nothing
   themselves. */
static inline void gaspdb_walk_enter(struct gaspdb_walk *w,
				     struct gaspdb_walk_thread *t,
				     int64_t end_ns, bool function)
{
	const int64_t *after = gaspdb_cursor_ahead(&t->events);

	if (!function && after && after[GASPDB_EVENT_START] >= end_ns)
		gaspdb_computing_skip(&t->computing, end_ns);
	else
		gaspdb_computing_enter(w->run, &t->computing, end_ns, function);
}

/* A thread of this process; NULL: it is none. */
struct gaspdb_walk_thread *gaspdb_walk_thread(struct gaspdb_walk *w,
					      int64_t id);
/* Part of gaspdb_walk_computed(): alarms up to then. */
void gaspdb_walk_ring(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
		      int64_t ns);
/* Its computation up to then, which is not before any earlier call's. */
static inline int64_t gaspdb_walk_computed(struct gaspdb_walk *w,
					   struct gaspdb_walk_thread *t,
					   int64_t ns)
{
	/* A thread that is over computes no more. */
	if (ns > t->last_ns)
		ns = t->last_ns;
	if (t->n_alarms)
		gaspdb_walk_ring(w, t, ns);
	return gaspdb_computing_to(&t->computing, ns);
}
/* Set a transfer's computed_ns, or data_computed_ns, when its thread is at
   that moment. */
void gaspdb_walk_alarm(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
		       const struct gaspdb_alarm *alarm);

/* The arguments of the thread's event, by enum gaspdb_transfer_argument; NONE:
   not there. */
void gaspdb_walk_arguments(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			   int64_t *values);
/* Part of gaspdb_walk_posted(): there are posts. */
bool gaspdb_walk_find_posted(struct gaspdb_walk *w,
			     struct gaspdb_walk_thread *t,
			     struct gaspdb_posted_request *posted);
/* The next request that the thread's event posted; false: there is none. */
static inline bool gaspdb_walk_posted(struct gaspdb_walk *w,
				      struct gaspdb_walk_thread *t,
				      struct gaspdb_posted_request *posted)
{
	return t->post &&
	       t->post[GASPDB_P2P_POST_EVENT] <= t->event[GASPDB_EVENT_ID] &&
	       gaspdb_walk_find_posted(w, t, posted);
}

#endif
