/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merge of the threads of one process in the order of time: events, with their
 * arguments and posted requests, and starts of gaps. The walk also keeps each
 * thread's computation so far.
 */
#ifndef GASPDB_ANALYSIS_COMPLETION_THREADS_H
#define GASPDB_ANALYSIS_COMPLETION_THREADS_H

#include "analysis/completion/computation.h"
#include "analysis/completion/open_transfers.h"
#include "analysis/completion/rules.h"
#include "analysis/engine/run.h"
#include "analysis/engine/scan.h"

/* A row of table p2p that is a request. */
struct gaspdb_posted_request {
	int64_t request;
	int64_t complete_event; /* NONE: not completed, or unseen */
	bool unseen;		/* its completion was not recorded */
	int64_t bytes;
	bool transfers; /* neither cancelled nor to MPI_PROC_NULL */
};

/* A sample of a thread's computation at a time, for a transfer. */
struct gaspdb_sample {
	int64_t ns;
	uint32_t transfer;
	uint64_t serial;
	bool data_end; /* for data_computed_ns, else computed_ns */
};

struct gaspdb_walk_thread {
	int64_t id, last_event, last_ns;
	const int64_t *event; /* the next; NULL: none */
	int64_t next_ns;      /* start of the next event or gap */
	bool next_is_gap;
	const int64_t *post; /* the next row of p2p; NULL: none */
	struct gaspdb_cursor events, posts;
	struct gaspdb_computation computation;
	struct gaspdb_sample *samples; /* a heap, the next at the top */
	size_t n_samples, samples_room;
	const struct gaspdb_interval *gaps; /* unrecorded intervals to come */
	size_t n_gaps;
	int64_t last_gap_ns; /* end of the last one; INT64_MIN: none */
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
	struct gaspdb_interval *pauses, *unrecorded; /* of this process */
	size_t n_pauses, pauses_room, n_unrecorded, unrecorded_room;
	struct gaspdb_walk_thread *threads; /* in the order of their ids */
	size_t n_threads, n_allocated, threads_room;
	struct gaspdb_walk_thread **heap; /* threads with events or gaps to
					     come, by next_ns */
	size_t n_heap, heap_room;
	bool returned; /* gaspdb_walk_next() has returned the top */
};

void gaspdb_walk_open(struct gaspdb_walk *w, struct gaspdb_run *run,
		      const struct gaspdb_completion_rules *rules,
		      struct gaspdb_open_transfers *open);
void gaspdb_walk_close(struct gaspdb_walk *w);

/* Begin the process of threads first to last. Processes come in order. */
void gaspdb_walk_process(struct gaspdb_walk *w, int64_t first, int64_t last);

/*
 * The thread with the next event or gap, valid until the next call; NULL: the
 * end. The order is by time, events before gaps, then by thread. If next_is_gap
 * a gap starts at next_ns; otherwise `event` is the event, and the thread's
 * computation is up to its start.
 */
struct gaspdb_walk_thread *gaspdb_walk_next(struct gaspdb_walk *w);
/* Enter the thread's event, which takes time of the thread. Most calls have no
   events inside. */
static inline void gaspdb_walk_enter(struct gaspdb_walk *w,
				     struct gaspdb_walk_thread *t,
				     int64_t end_ns, bool function)
{
	const int64_t *after = gaspdb_cursor_ahead(&t->events);

	if (!function && after && after[GASPDB_EVENT_START] >= end_ns)
		gaspdb_computation_skip(&t->computation, end_ns);
	else
		gaspdb_computation_enter(w->run, &t->computation, end_ns,
					 function);
}

/* A thread of this process; NULL: another process's. */
struct gaspdb_walk_thread *gaspdb_walk_thread(struct gaspdb_walk *w,
					      int64_t id);
/* The slow path of gaspdb_walk_computed(): take the samples up to ns. */
void gaspdb_walk_take_samples(struct gaspdb_walk *w,
			      struct gaspdb_walk_thread *t, int64_t ns);
/* A thread's computation up to a time. Times never decrease. */
static inline int64_t gaspdb_walk_computed(struct gaspdb_walk *w,
					   struct gaspdb_walk_thread *t,
					   int64_t ns)
{
	/* No computation after the thread's end. */
	if (ns > t->last_ns)
		ns = t->last_ns;
	if (t->n_samples)
		gaspdb_walk_take_samples(w, t, ns);
	return gaspdb_computation_to(&t->computation, ns);
}
/* Add a sample, which sets a transfer's computed_ns or data_computed_ns. */
void gaspdb_walk_sample(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			const struct gaspdb_sample *sample);

/* The arguments of the thread's event, by enum gaspdb_transfer_argument; NONE:
   absent. */
void gaspdb_walk_arguments(struct gaspdb_walk *w, struct gaspdb_walk_thread *t,
			   int64_t *values);
/* The slow path of gaspdb_walk_posted(). */
bool gaspdb_walk_find_posted(struct gaspdb_walk *w,
			     struct gaspdb_walk_thread *t,
			     struct gaspdb_posted_request *posted);
/* The next request that the thread's event posted; false: none. */
static inline bool gaspdb_walk_posted(struct gaspdb_walk *w,
				      struct gaspdb_walk_thread *t,
				      struct gaspdb_posted_request *posted)
{
	return t->post &&
	       t->post[GASPDB_P2P_POST_EVENT] <= t->event[GASPDB_EVENT_ID] &&
	       gaspdb_walk_find_posted(w, t, posted);
}

#endif
