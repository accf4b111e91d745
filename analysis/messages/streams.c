/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Table p2p holds one thread after the other, each in the order of its posts:
 * so a stream is a place in the table.  The process that is furthest behind
 * goes on for a slice of rows, then the next one that is.  Threads of one
 * process are merged row by row.
 */
#include "analysis/messages/streams.h"

#include <stdlib.h>

#include "analysis/messages/streams_parts.h"
#include "common/heap.h"
#include "sql/passes/messages.h"

enum {
	SLICE_MAX = 128, /* rows */
	SLICE_MIN = 16,
	AHEAD = 1 << 18 /* of all processes together */
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

/* Ids have no gaps; else the event is looked up. */
static inline const int64_t *find_near(const struct near_events *near,
				       int64_t id)
{
	const uint64_t at = (uint64_t)id - (uint64_t)near->rows[0][0];

	return at < near->n && near->rows[at][0] == id ? near->rows[at] : NULL;
}

/*
 * What stands from a call that posts on.  A scan gives two events in less time
 * than one takes to be looked up: so it is worth it where every second was
 * wanted of those before, or posts are near to each other.
 */
static void read_near(struct streams *s, int64_t event)
{
	struct near_events *near = s->near;
	const bool worth = near->n ? near->wanted * 2 >= near->n
				   : event - near->last_post <= 6;

	near->n = near->wanted = 0;
	if (worth)
		near->n = gaspdb_table_read(&s->events, event, INT64_MAX,
					    NEAR_COLUMNS, near->room,
					    near->rows[0]);
}

static bool look_up(struct streams *s, int64_t event,
		    struct gaspdb_end_call *call)
{
	int64_t row[NEAR_COLUMNS];

	*call = (struct gaspdb_end_call){ GASPDB_NONE, GASPDB_NONE, GASPDB_NONE,
					  GASPDB_NONE };
	if (event == GASPDB_NONE ||
	    !gaspdb_table_get(&s->events, event, NEAR_COLUMNS, row))
		return false;
	*call = call_of(row);
	return true;
}

/* false: that event is not there. */
static inline bool get_call(struct streams *s, int64_t event,
			    struct gaspdb_end_call *call)
{
	const int64_t *near = find_near(s->near, event);

	if (!near)
		return look_up(s, event, call);
	s->near->wanted++;
	*call = call_of(near);
	return true;
}

/* The same of one that posts: they come in the order of their ids. */
static inline bool get_post(struct streams *s, int64_t event,
			    struct gaspdb_end_call *call)
{
	if (!find_near(s->near, event))
		read_near(s, event);
	s->near->last_post = event;
	return get_call(s, event, call);
}

/* --- what passes by ------------------------------------------------------ */

static int64_t either(int64_t a, int64_t b)
{
	return a != GASPDB_NONE ? a : b;
}

/* A request that nothing completed, nor freed. */
static bool is_open(const struct streams *s, const int64_t *v)
{
	return v[GASPDB_P2P_REQUEST] != GASPDB_NONE &&
	       v[GASPDB_P2P_STATE] == s->open;
}

static bool takes_part(const struct streams *s, const int64_t *v)
{
	return v[GASPDB_P2P_STATE] != s->cancelled &&
	       v[GASPDB_P2P_STATE] != s->null &&
	       v[GASPDB_P2P_TEAM] != GASPDB_NONE &&
	       either(v[GASPDB_P2P_PEER], v[GASPDB_P2P_POSTED_PEER]) !=
		       GASPDB_NONE &&
	       either(v[GASPDB_P2P_TAG], v[GASPDB_P2P_POSTED_TAG]) !=
		       GASPDB_NONE;
}

static void leave_out(struct streams *s, const int64_t *v)
{
	const bool null = v[GASPDB_P2P_STATE] == s->null;
	const bool receive = v[GASPDB_P2P_DIRECTION] == s->receive;
	const bool from_anyone = receive && v[GASPDB_P2P_TEAM] != GASPDB_NONE &&
				 v[GASPDB_P2P_COMPLETE_EVENT] == GASPDB_NONE;

	s->calls->left_out(
		s->calls->user,
		&(struct gaspdb_left_out){
			.kind = receive ? GASPDB_RECEIVE : GASPDB_SEND,
			.why = v[GASPDB_P2P_STATE] == s->cancelled
				       ? GASPDB_CANCELLED
			       : null	     ? GASPDB_NOBODY
			       : from_anyone ? GASPDB_ANYONE
					     : GASPDB_UNKNOWN_CHANNEL,
			.thread = v[GASPDB_P2P_THREAD],
			.event = v[GASPDB_P2P_POST_EVENT],
			.complete = v[GASPDB_P2P_COMPLETE_EVENT],
			.peer = either(v[GASPDB_P2P_PEER],
				       v[GASPDB_P2P_POSTED_PEER]),
			.bytes = null ? 0 : v[GASPDB_P2P_BYTES],
			.bytes_at_stake = either(v[GASPDB_P2P_BYTES],
						 v[GASPDB_P2P_LIMIT_BYTES]),
			.open = is_open(s, v),
			.restarts = v[GASPDB_P2P_NUMBER] != GASPDB_NONE });
}

static void tell_open(struct streams *s, const int64_t *v)
{
	s->calls->open_request(
		s->calls->user,
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
	struct gaspdb_arrival a; /* to clear it first takes as long */
	struct gaspdb_end *end = &a.end;

	if (v[GASPDB_P2P_REQUEST] != GASPDB_NONE &&
	    (v[GASPDB_P2P_STATE] == s->open || v[GASPDB_P2P_STATE] == s->freed))
		tell_open(s, v);
	if (!takes_part(s, v)) {
		leave_out(s, v);
		return;
	}
	if (!get_post(s, v[GASPDB_P2P_POST_EVENT], &end->post))
		return;
	if (v[GASPDB_P2P_COMPLETE_EVENT] ==
	    v[GASPDB_P2P_POST_EVENT]) /* it blocks */
		end->complete = end->post;
	else
		get_call(s, v[GASPDB_P2P_COMPLETE_EVENT], &end->complete);
	a.kind = receive ? GASPDB_RECEIVE : GASPDB_SEND;
	a.alone = s->now->n == 1;
	a.channel[0] = v[GASPDB_P2P_TEAM];
	a.channel[1] = receive ? other : s->now->id;
	a.channel[2] = receive ? s->now->id : other;
	a.channel[3] = either(v[GASPDB_P2P_TAG], v[GASPDB_P2P_POSTED_TAG]);
	end->at_ns = v[GASPDB_P2P_POSTED];
	end->count = 0;
	end->thread = v[GASPDB_P2P_THREAD];
	end->bytes = v[GASPDB_P2P_BYTES];
	end->limit_bytes = v[GASPDB_P2P_LIMIT_BYTES];
	end->error = v[GASPDB_P2P_ERROR] != 0;
	end->uncertain = end->guessed = false;
	end->open = is_open(s, v);
	s->calls->arrive(s->calls->user, &a);
}

static void deliver_marker(struct streams *s, const int64_t *v)
{
	struct gaspdb_arrival a = {
		.kind = (enum gaspdb_end_kind)v[M_KIND],
		.channel = { v[M_TEAM], v[M_SENDER], v[M_RECEIVER], v[M_TAG] },
		.end = { .at_ns = v[M_AT],
			 .count = v[M_COUNT],
			 .thread = v[M_THREAD],
			 .post = { v[M_EVENT], v[M_SOURCE], v[M_AT], v[M_END] },
			 .complete = { GASPDB_NONE, GASPDB_NONE, GASPDB_NONE,
				       GASPDB_NONE },
			 .bytes = GASPDB_NONE,
			 .limit_bytes = GASPDB_NONE,
			 .guessed = v[M_GUESSED] != 0 },
	};

	s->calls->arrive(s->calls->user, &a);
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

/* The row at a cursor; false: no more. */
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
			c->id++; /* some ids are of nothing */
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

/* The cursor whose row is the first; NULL: none has any. */
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

/* One row of several threads, or of markers; false: there are no more.  A
   matched probe comes before the receive that it posts. */
static bool take_first(struct streams *s, struct process *p)
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

/* Rows of the only thread of a process, those that are left where it had
   markers; false: that was the last. */
static bool run_rows(struct streams *s, struct cursor *c)
{
	int64_t rows[SLICE_MAX][GASPDB_P2P_COLUMNS];
	const size_t n =
		gaspdb_table_read(&s->p2p, c->id, c->last + 1,
				  GASPDB_P2P_COLUMNS, s->left, rows[0]);

	for (size_t i = 0; i < n && s->run->status == GASPDB_OK; i++) {
		s->last_ns = rows[i][GASPDB_P2P_POSTED];
		c->id = rows[i][GASPDB_P2P_ID] + 1;
		deliver(s, rows[i]);
	}
	return n == s->left && c->id <= c->last;
}

/* false: the process has come to its end. */
static bool run_slice(struct streams *s, struct process *p)
{
	bool more;

	s->now = p;
	s->near = &s->nears[p->number % FEW];
	if (p->n == 1 && p->marker > p->last_marker) {
		more = run_rows(s, &s->cursors[p->first]);
		p->at_ns = s->last_ns;
		return more;
	}
	while (s->left-- && s->run->status == GASPDB_OK)
		if (!take_first(s, p))
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
		s->calls->all_reached(s->calls->user, s->heap[0].at_ns);
		s->left = slice;
		if (!run_slice(s, &s->heap[0]))
			s->heap[0] = s->heap[--s->n_heap];
		processes_down(NULL, s->heap, s->n_heap, 0);
	}
	s->calls->all_reached(s->calls->user, INT64_MAX);
}

static void open_nears(struct streams *s)
{
	s->nears = gaspdb_zeroed(s->run, FEW, sizeof *s->nears);
	for (size_t i = 0; s->nears && i < FEW; i++)
		s->nears[i].room = s->n_heap <= FEW ? NEAR : NEAR_OF_MANY;
	for (size_t i = 0; i < s->n_heap; i++)
		s->heap[i].number = i;
}

void gaspdb_streams_run(struct gaspdb_run *run,
			const struct gaspdb_stream_calls *calls)
{
	struct streams s = {
		.run = run,
		.calls = calls,
		.receive = gaspdb_word("receive"),
		.cancelled = gaspdb_word("cancelled"),
		.null = gaspdb_word("null"),
		.open = gaspdb_word("open"),
		.freed = gaspdb_word("freed"),
	};

	gaspdb_table_open(&s.events, &run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_streams_survey(&s);
	gaspdb_streams_load(&s);
	open_nears(&s);
	run_all(&s);
	free(s.nears);
	gaspdb_table_close(&s.p2p);
	gaspdb_table_close(&s.events);
	gaspdb_table_close(&s.markers);
	gaspdb_exec(run, gaspdb_sql_streams_finish);
	free(s.cursors);
	free(s.heap);
}
