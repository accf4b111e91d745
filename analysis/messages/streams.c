/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reading of streams. Table p2p has the rows of one thread after another,
 * each thread's in the order of posts, so a stream is a position in the table.
 * The process with the earliest position reads a slice of rows, then the next
 * one. Threads of one process are merged row by row.
 */
#include "analysis/messages/streams.h"

#include <stdlib.h>

#include "analysis/messages/streams_parts.h"
#include "common/heap.h"
#include "sql/passes/messages.h"

enum {
	SLICE_MAX = 128, /* rows */
	SLICE_MIN = 16,
	AHEAD = 1 << 18 /* rows of all processes' slices together */
};

int64_t gaspdb_end_call_before(struct gaspdb_table *events,
			       const struct gaspdb_end_call *call,
			       int64_t at_ns)
{
	int64_t row[GASPDB_EVENT_COLUMNS];

	if (call->event == GASPDB_NONE || call->end_ns >= at_ns)
		return 0;
	if (gaspdb_table_get(events, call->event, GASPDB_EVENT_COLUMNS, row) &&
	    row[GASPDB_EVENT_OPEN])
		return 0;
	return at_ns - call->end_ns;
}

bool gaspdb_posted_by_probe(const struct gaspdb_run *run,
			    const struct gaspdb_end *receive)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(run, receive->post.source);

	return receive->post.event != receive->complete.event && source &&
	       (source->type == GASPDB_TYPE_probe ||
		source->type == GASPDB_TYPE_probe_nb);
}

int64_t gaspdb_received_before_sent(const struct gaspdb_run *run,
				    struct gaspdb_table *events,
				    const struct gaspdb_end *send,
				    const struct gaspdb_end *receive)
{
	const int64_t ns =
		gaspdb_end_call_before(events, &receive->complete, send->at_ns);

	if (ns || !gaspdb_posted_by_probe(run, receive))
		return ns;
	return gaspdb_end_call_before(events, &receive->post, send->at_ns);
}

/* --- rows ----------------------------------------------------------------- */

static struct gaspdb_end_call call_of(const int64_t *row)
{
	return (struct gaspdb_end_call){ row[GASPDB_EVENT_ID],
					 row[GASPDB_EVENT_SOURCE],
					 row[GASPDB_EVENT_START],
					 row[GASPDB_EVENT_START] +
						 row[GASPDB_EVENT_DURATION] };
}

/* The row of an event in the window; NULL: it must be looked up. Ids mostly
   have no gaps. */
static inline const int64_t *find_in_window(const struct event_window *window,
					    int64_t id)
{
	const uint64_t at = (uint64_t)id - (uint64_t)window->rows[0][0];

	return at < window->n && window->rows[at][0] == id ? window->rows[at]
							   : NULL;
}

/*
 * Fill the window with the events from a posting call on. A scan reads two
 * events faster than one look-up, so it pays if at least half of the last
 * window was used, or if the posts are close together.
 */
static void fill_window(struct streams *s, int64_t event)
{
	struct event_window *window = s->window;
	const bool pays = window->n ? window->n_used * 2 >= window->n
				    : event - window->last_post <= 6;

	window->n = window->n_used = 0;
	if (pays)
		window->n = gaspdb_table_read(&s->events, event, INT64_MAX,
					      WINDOW_COLUMNS, window->room,
					      window->rows[0]);
}

static bool look_up(struct streams *s, int64_t event,
		    struct gaspdb_end_call *call)
{
	int64_t row[WINDOW_COLUMNS];

	*call = (struct gaspdb_end_call){ GASPDB_NONE, GASPDB_NONE, GASPDB_NONE,
					  GASPDB_NONE };
	if (event == GASPDB_NONE ||
	    !gaspdb_table_get(&s->events, event, WINDOW_COLUMNS, row))
		return false;
	*call = call_of(row);
	return true;
}

/* Get the call of an event; false: no such event. */
static inline bool get_call(struct streams *s, int64_t event,
			    struct gaspdb_end_call *call)
{
	const int64_t *window = find_in_window(s->window, event);

	if (!window)
		return look_up(s, event, call);
	s->window->n_used++;
	*call = call_of(window);
	return true;
}

/* The same for a posting call; they come in the order of their ids. */
static inline bool get_post(struct streams *s, int64_t event,
			    struct gaspdb_end_call *call)
{
	if (!find_in_window(s->window, event))
		fill_window(s, event);
	s->window->last_post = event;
	return get_call(s, event, call);
}

/* --- delivery ------------------------------------------------------------ */

static int64_t either(int64_t a, int64_t b)
{
	return a != GASPDB_NONE ? a : b;
}

/* Is it a request that was neither completed nor freed? */
static bool is_open(const struct streams *s, const int64_t *v)
{
	return v[GASPDB_P2P_REQUEST] != GASPDB_NONE &&
	       v[GASPDB_P2P_STATE] == s->open;
}

/* Can it be matched? */
static bool is_matchable(const struct streams *s, const int64_t *v)
{
	return v[GASPDB_P2P_STATE] != s->cancelled &&
	       v[GASPDB_P2P_STATE] != s->null &&
	       v[GASPDB_P2P_TEAM] != GASPDB_NONE &&
	       either(v[GASPDB_P2P_PEER], v[GASPDB_P2P_POSTED_PEER]) !=
		       GASPDB_NONE &&
	       either(v[GASPDB_P2P_TAG], v[GASPDB_P2P_POSTED_TAG]) !=
		       GASPDB_NONE;
}

static void exclude(struct streams *s, const int64_t *v)
{
	const bool null = v[GASPDB_P2P_STATE] == s->null;
	const bool receive = v[GASPDB_P2P_DIRECTION] == s->receive;
	const bool wildcard = receive && v[GASPDB_P2P_TEAM] != GASPDB_NONE &&
			      v[GASPDB_P2P_COMPLETE_EVENT] == GASPDB_NONE;

	s->callbacks->excluded(
		s->callbacks->user,
		&(struct gaspdb_excluded_end){
			.kind = receive ? GASPDB_RECEIVE : GASPDB_SEND,
			.why = v[GASPDB_P2P_STATE] == s->cancelled
				       ? GASPDB_CANCELLED
			       : null	  ? GASPDB_NULL_PEER
			       : wildcard ? GASPDB_WILDCARD
					  : GASPDB_UNKNOWN_CHANNEL,
			.thread = v[GASPDB_P2P_THREAD],
			.event = v[GASPDB_P2P_POST_EVENT],
			.complete = v[GASPDB_P2P_COMPLETE_EVENT],
			.peer = either(v[GASPDB_P2P_PEER],
				       v[GASPDB_P2P_POSTED_PEER]),
			.bytes = null ? 0 : v[GASPDB_P2P_BYTES],
			.buffer_bytes = either(v[GASPDB_P2P_BYTES],
					       v[GASPDB_P2P_LIMIT_BYTES]),
			.open = is_open(s, v),
			.persistent = v[GASPDB_P2P_NUMBER] != GASPDB_NONE });
}

static void report_open(struct streams *s, const int64_t *v)
{
	s->callbacks->open_request(
		s->callbacks->user,
		&(struct gaspdb_open_request){
			.kind = v[GASPDB_P2P_DIRECTION] == s->receive
					? GASPDB_RECEIVE
					: GASPDB_SEND,
			.thread = v[GASPDB_P2P_THREAD],
			.event = v[GASPDB_P2P_POST_EVENT],
			.bytes = either(v[GASPDB_P2P_BYTES],
					v[GASPDB_P2P_LIMIT_BYTES]),
			.posted_ns = v[GASPDB_P2P_POSTED],
			.freed = v[GASPDB_P2P_STATE] == s->freed });
}

static void deliver(struct streams *s, const int64_t *v)
{
	const bool receive = v[GASPDB_P2P_DIRECTION] == s->receive;
	const int64_t other =
		either(v[GASPDB_P2P_PEER], v[GASPDB_P2P_POSTED_PEER]);
	struct gaspdb_arrival a; /* uninitialized: clearing it is slow */
	struct gaspdb_end *end = &a.end;

	if (v[GASPDB_P2P_REQUEST] != GASPDB_NONE &&
	    (v[GASPDB_P2P_STATE] == s->open || v[GASPDB_P2P_STATE] == s->freed))
		report_open(s, v);
	if (!is_matchable(s, v)) {
		exclude(s, v);
		return;
	}
	if (!get_post(s, v[GASPDB_P2P_POST_EVENT], &end->post))
		return;
	if (v[GASPDB_P2P_COMPLETE_EVENT] ==
	    v[GASPDB_P2P_POST_EVENT]) /* a blocking call */
		end->complete = end->post;
	else
		get_call(s, v[GASPDB_P2P_COMPLETE_EVENT], &end->complete);
	a.kind = receive ? GASPDB_RECEIVE : GASPDB_SEND;
	a.alone = s->current->n == 1;
	a.channel[0] = v[GASPDB_P2P_TEAM];
	a.channel[1] = receive ? other : s->current->id;
	a.channel[2] = receive ? s->current->id : other;
	a.channel[3] = either(v[GASPDB_P2P_TAG], v[GASPDB_P2P_POSTED_TAG]);
	end->at_ns = v[GASPDB_P2P_POSTED];
	end->n_unrecorded = 0;
	end->thread = v[GASPDB_P2P_THREAD];
	end->bytes = v[GASPDB_P2P_BYTES];
	end->limit_bytes = v[GASPDB_P2P_LIMIT_BYTES];
	end->error = v[GASPDB_P2P_ERROR] != 0;
	end->uncertain = end->inferred = false;
	end->open = is_open(s, v);
	s->callbacks->arrive(s->callbacks->user, &a);
}

static void deliver_marker(struct streams *s, const int64_t *v)
{
	struct gaspdb_arrival a = {
		.kind = (enum gaspdb_end_kind)v[M_KIND],
		.channel = { v[M_TEAM], v[M_SENDER], v[M_RECEIVER], v[M_TAG] },
		.end = { .at_ns = v[M_AT],
			 .n_unrecorded = v[M_COUNT],
			 .thread = v[M_THREAD],
			 .post = { v[M_EVENT], v[M_SOURCE], v[M_AT], v[M_END] },
			 .complete = { GASPDB_NONE, GASPDB_NONE, GASPDB_NONE,
				       GASPDB_NONE },
			 .bytes = GASPDB_NONE,
			 .limit_bytes = GASPDB_NONE,
			 .inferred = v[M_GUESSED] != 0 },
	};

	s->callbacks->arrive(s->callbacks->user, &a);
}

/* --- processes ------------------------------------------------------------ */

static inline bool process_before(const void *of, const struct process *a,
				  const struct process *b)
{
	(void)of;
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->id < b->id;
}

GASPDB_HEAP_DOWN(processes, struct process, process_before)

/* --- slices --------------------------------------------------------------- */

/* Read time and event of the row at a cursor; false: no more. */
static bool peek(struct streams *s, struct cursor *c)
{
	int64_t v[GASPDB_P2P_COLUMNS];

	while (!c->known && c->id <= c->last && s->run->status == GASPDB_OK) {
		c->known = gaspdb_table_get(&s->p2p, c->id,
					    GASPDB_P2P_POSTED + 1, v);
		if (c->known) {
			c->at_ns = v[GASPDB_P2P_POSTED];
			c->event = v[GASPDB_P2P_POST_EVENT];
		} else {
			c->id++; /* ids may have gaps */
		}
	}
	return c->known;
}

static bool peek_marker(struct streams *s, struct process *p)
{
	int64_t v[M_COLUMNS];

	if (!p->marker_known && p->marker <= p->last_marker &&
	    gaspdb_table_get(&s->markers, p->marker, M_EVENT + 1, v)) {
		p->marker_at_ns = v[M_AT];
		p->marker_event = v[M_EVENT];
		p->marker_known = true;
	}
	return p->marker_known;
}

/* The cursor of a process with the earliest row; NULL: no more rows. */
static struct cursor *first_cursor(struct streams *s, const struct process *p)
{
	struct cursor *first = NULL;

	for (size_t i = p->first; i < p->first + p->n; i++) {
		struct cursor *c = &s->cursors[i];

		if (peek(s, c) &&
		    (!first || c->at_ns < first->at_ns ||
		     (c->at_ns == first->at_ns && c->id < first->id)))
			first = c;
	}
	return first;
}

/* Deliver the earliest row or marker of a process; false: no more. A matched
   probe precedes the receive that it posts. */
static bool deliver_first(struct streams *s, struct process *p)
{
	struct cursor *c = first_cursor(s, p);
	int64_t v[GASPDB_TABLE_COLUMNS_MAX];

	if (peek_marker(s, p) &&
	    (!c || p->marker_at_ns < c->at_ns ||
	     (p->marker_at_ns == c->at_ns && p->marker_event <= c->event))) {
		s->last_ns = p->marker_at_ns;
		p->marker_known = false;
		if (gaspdb_table_get(&s->markers, p->marker++, M_COLUMNS, v))
			deliver_marker(s, v);
		return true;
	}
	if (!c)
		return false;
	s->last_ns = c->at_ns;
	c->known = false;
	if (gaspdb_table_get(&s->p2p, c->id++, GASPDB_P2P_COLUMNS, v))
		deliver(s, v);
	return true;
}

/* Deliver a slice of a process with one thread and no more markers; false: the
   last. */
static bool run_rows(struct streams *s, struct cursor *c)
{
	int64_t rows[SLICE_MAX][GASPDB_P2P_COLUMNS];
	const size_t n =
		gaspdb_table_read(&s->p2p, c->id, c->last + 1,
				  GASPDB_P2P_COLUMNS, s->slice_left, rows[0]);

	for (size_t i = 0; i < n && s->run->status == GASPDB_OK; i++) {
		s->last_ns = rows[i][GASPDB_P2P_POSTED];
		c->id = rows[i][GASPDB_P2P_ID] + 1;
		deliver(s, rows[i]);
	}
	return n == s->slice_left && c->id <= c->last;
}

/* Deliver a slice of a process; false: the last. */
static bool run_slice(struct streams *s, struct process *p)
{
	bool more;

	s->current = p;
	s->window = &s->windows[p->number % WINDOWS];
	if (p->n == 1 && p->marker > p->last_marker) {
		more = run_rows(s, &s->cursors[p->first]);
		p->at_ns = s->last_ns;
		return more;
	}
	while (s->slice_left-- && s->run->status == GASPDB_OK)
		if (!deliver_first(s, p))
			return false;
	p->at_ns = s->last_ns;
	return true;
}

static void run_all(struct streams *s)
{
	size_t slice = s->n_heap ? AHEAD / s->n_heap : 0;

	if (slice > SLICE_MAX)
		slice = SLICE_MAX;
	if (slice < SLICE_MIN)
		slice = SLICE_MIN;
	for (size_t i = s->n_heap; i-- > 0;)
		processes_down(NULL, s->heap, s->n_heap, i);
	while (s->n_heap && s->run->status == GASPDB_OK) {
		s->callbacks->watermark(s->callbacks->user, s->heap[0].at_ns);
		s->slice_left = slice;
		if (!run_slice(s, &s->heap[0]))
			s->heap[0] = s->heap[--s->n_heap];
		processes_down(NULL, s->heap, s->n_heap, 0);
	}
	s->callbacks->watermark(s->callbacks->user, INT64_MAX);
}

static void open_windows(struct streams *s)
{
	s->windows = gaspdb_zeroed(s->run, WINDOWS, sizeof *s->windows);
	for (size_t i = 0; s->windows && i < WINDOWS; i++)
		s->windows[i].room =
			s->n_heap <= WINDOWS ? WINDOW_ROWS : WINDOW_ROWS_SMALL;
	for (size_t i = 0; i < s->n_heap; i++)
		s->heap[i].number = i;
}

void gaspdb_streams_run(struct gaspdb_run *run,
			const struct gaspdb_stream_callbacks *callbacks)
{
	struct streams s = {
		.run = run,
		.callbacks = callbacks,
		.receive = gaspdb_word("receive"),
		.cancelled = gaspdb_word("cancelled"),
		.null = gaspdb_word("null"),
		.open = gaspdb_word("open"),
		.freed = gaspdb_word("freed"),
	};

	gaspdb_table_open(&s.events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_streams_open_cursors(&s);
	gaspdb_streams_open_processes(&s);
	open_windows(&s);
	run_all(&s);
	free(s.windows);
	gaspdb_table_close(&s.p2p);
	gaspdb_table_close(&s.events);
	gaspdb_table_close(&s.markers);
	gaspdb_exec(run, gaspdb_sql_streams_finish);
	free(s.cursors);
	free(s.heap);
}
