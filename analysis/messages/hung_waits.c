/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hung waits, process by process: the open requests of a process are summed up,
 * and each of its threads that hangs is taken to wait for them.
 */
#include "analysis/messages/hung_waits.h"

#include <string.h>

#include "common/sum.h"
#include "sql/passes/waits.h"

/* State of the matching end of a request. */
enum state { UNMATCHED, MATCHED, UNKNOWN };

/* A row of a request. From AT on columns are of MATCHED requests: the time,
   event and source of the matching end, the source that posted the request. */
enum column { PROCESS, KIND, STATE, PEER, AT, EVENT, SOURCE, PARTNER, COLUMNS };

/* The open requests of a process. */
struct requests {
	int64_t n;
	struct {
		int64_t n_unmatched;
		int64_t peer; /* of all unmatched; NONE: several, or any */
		int64_t last_matched[COLUMNS];
		bool any_matched;
	} of[2]; /* by enum gaspdb_end_kind */
	bool any_unknown;
};

void gaspdb_hung_waits_open(struct gaspdb_hung_waits *hung,
			    struct gaspdb_run *run,
			    struct gaspdb_wait_writer *writer,
			    struct gaspdb_table *events)
{
	*hung = (struct gaspdb_hung_waits){ .run = run,
					    .writer = writer,
					    .events = events };
	gaspdb_sorter_init(&hung->requests, run, COLUMNS, COLUMNS);
	gaspdb_polls_open(&hung->polls, run);
	hung->request_count = gaspdb_prepare(run, gaspdb_sql_request_count);
}

static void add(struct gaspdb_hung_waits *hung, const int64_t *row)
{
	if (row[PROCESS] != GASPDB_NONE)
		gaspdb_sorter_add(&hung->requests, row);
}

void gaspdb_hung_waits_add_unmatched(struct gaspdb_hung_waits *hung,
				     int64_t thread, enum gaspdb_end_kind kind,
				     int64_t peer)
{
	add(hung, (int64_t[COLUMNS]){
			  [PROCESS] = gaspdb_run_process(hung->run, thread),
			  [KIND] = kind,
			  [STATE] = UNMATCHED,
			  [PEER] = peer });
}

void gaspdb_hung_waits_add_matched(struct gaspdb_hung_waits *hung,
				   int64_t thread, enum gaspdb_end_kind kind,
				   int64_t source,
				   const struct gaspdb_end *other)
{
	add(hung, (int64_t[COLUMNS]){
			  [PROCESS] = gaspdb_run_process(hung->run, thread),
			  [KIND] = kind,
			  [STATE] = MATCHED,
			  [PEER] = other->thread,
			  [AT] = other->at_ns,
			  [EVENT] = other->post.event,
			  [SOURCE] = other->post.source,
			  [PARTNER] = source });
}

void gaspdb_hung_waits_add_unknown(struct gaspdb_hung_waits *hung,
				   int64_t thread)
{
	add(hung, (int64_t[COLUMNS]){
			  [PROCESS] = gaspdb_run_process(hung->run, thread),
			  [STATE] = UNKNOWN });
}

/* --- one process ---------------------------------------------------------- */

static void add_request(struct requests *r, const int64_t *row)
{
	const int kind = (int)row[KIND];

	r->n++;
	switch ((enum state)row[STATE]) {
	case UNMATCHED:
		if (!r->of[kind].n_unmatched++)
			r->of[kind].peer = row[PEER];
		else if (r->of[kind].peer != row[PEER])
			r->of[kind].peer = GASPDB_NONE;
		break;
	case MATCHED:
		/* Rows of the same time come in the order of events. */
		if (!r->of[kind].any_matched ||
		    row[AT] > r->of[kind].last_matched[AT])
			memcpy(r->of[kind].last_matched, row,
			       sizeof r->of[kind].last_matched);
		r->of[kind].any_matched = true;
		break;
	default:
		r->any_unknown = true;
	}
}

static enum gaspdb_type type_of(const struct gaspdb_hung_waits *hung,
				const int64_t *event)
{
	return gaspdb_source_type(hung->run, event[GASPDB_EVENT_SOURCE]);
}

/* Is it an unsuccessful test at which an incomplete log ends? In a complete log
   the thread gave up testing. */
static bool is_last_test(struct gaspdb_hung_waits *hung, const int64_t *event)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(hung->run, event[GASPDB_EVENT_THREAD]);

	return t && !t->to_the_end &&
	       event[GASPDB_EVENT_START] + event[GASPDB_EVENT_DURATION] ==
		       t->last_ns &&
	       gaspdb_polls_failed(&hung->polls, event[GASPDB_EVENT_ID]);
}

/* Is it a call that still waits for requests at the end of the log? */
static bool hangs(struct gaspdb_hung_waits *hung, const int64_t *event)
{
	const enum gaspdb_type type = type_of(hung, event);

	if (event[GASPDB_EVENT_NESTED])
		return false;
	if (event[GASPDB_EVENT_OPEN])
		return type == GASPDB_TYPE_wait || type == GASPDB_TYPE_test;
	return type == GASPDB_TYPE_test && is_last_test(hung, event);
}

static bool is_user_event(const struct gaspdb_hung_waits *hung,
			  const int64_t *event)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(hung->run, event[GASPDB_EVENT_SOURCE]);

	return source && !source->call && !source->computes;
}

/* Find the call in which a thread hangs: its last call, or one that encloses
   it. User events enclose no calls. */
static bool find_hung(struct gaspdb_hung_waits *hung, int64_t thread,
		      int64_t *event)
{
	const struct gaspdb_run_thread *t = &hung->run->threads[thread];
	int64_t id = t->last_event;

	while (id != GASPDB_NONE && id >= t->first_event &&
	       gaspdb_table_get(hung->events, id, GASPDB_EVENT_COLUMNS,
				event)) {
		if (hangs(hung, event))
			return true;
		id = is_user_event(hung, event) ? id - 1
						: event[GASPDB_EVENT_PARENT];
	}
	return false;
}

/* Why a call hangs. */
struct reason {
	struct gaspdb_hung_waits *hung;
	enum gaspdb_wait_kind kind;
	int64_t thread;
	int64_t peer;		/* thread of the missing end; NONE: unknown */
	const int64_t *matched; /* row of the last request whose other end came;
				   NULL: an end is missing */
};

static void propose_part(void *user, int64_t event, int64_t start_ns,
			 int64_t end_ns)
{
	const struct reason *r = user;
	struct gaspdb_wait w = { .kind = r->kind,
				 .thread = r->thread,
				 .event = event,
				 .start_ns = start_ns,
				 .end_ns = end_ns,
				 .cause_thread = r->peer,
				 .cause_event = GASPDB_NONE,
				 .cause_ns = GASPDB_NONE,
				 .bound = !r->matched };

	if (r->matched) {
		w.end_ns = gaspdb_min(r->matched[AT], end_ns);
		w.cause_thread = r->matched[PEER];
		w.cause_event = r->matched[EVENT];
		w.cause_source = r->matched[SOURCE];
		w.has_cause_source = true;
		w.partner = r->matched[PARTNER];
		w.cause_ns = r->matched[AT];
	}
	gaspdb_wait_propose(r->hung->writer, &w);
}

/* Propose the wait of a call; of a test, also of the unsuccessful tests before
   it. */
static void propose_for(struct gaspdb_hung_waits *hung, const int64_t *event,
			enum gaspdb_wait_kind kind, int64_t peer,
			const int64_t *matched)
{
	struct reason r = { hung, kind, event[GASPDB_EVENT_THREAD], peer,
			    matched };
	const int64_t id = event[GASPDB_EVENT_ID];
	const int64_t start_ns = event[GASPDB_EVENT_START];

	propose_part(&r, id, start_ns, start_ns + event[GASPDB_EVENT_DURATION]);
	if (type_of(hung, event) == GASPDB_TYPE_test)
		gaspdb_polls_before(&hung->polls, id, propose_part, &r);
}

/* The number of requests passed to a call. */
static int64_t count_requests(struct gaspdb_hung_waits *hung, int64_t event)
{
	gaspdb_bind(hung->run, hung->request_count, 1, &event);
	return gaspdb_row(hung->run, hung->request_count)
		       ? gaspdb_column(hung->request_count, 0)
		       : 0;
}

/*
 * Propose the waits of a hung call. A call with at least as many requests as
 * are open waits for all of them, another for some. It hangs on the unmatched
 * requests if there are any; which kind they are must be clear.
 */
static void propose(struct gaspdb_hung_waits *hung, const int64_t *event,
		    const struct requests *r)
{
	const bool all = count_requests(hung, event[GASPDB_EVENT_ID]) >= r->n;
	const int64_t receives = r->of[GASPDB_RECEIVE].n_unmatched,
		      sends = r->of[GASPDB_SEND].n_unmatched;

	if (r->any_unknown || (!all && (!receives == !sends)))
		return;
	if (receives)
		propose_for(hung, event, GASPDB_WAIT_LATE_SENDER,
			    r->of[GASPDB_RECEIVE].peer, NULL);
	else if (sends)
		propose_for(hung, event, GASPDB_WAIT_LATE_RECEIVER,
			    r->of[GASPDB_SEND].peer, NULL);
	if (receives || sends)
		return;
	if (r->of[GASPDB_RECEIVE].any_matched)
		propose_for(hung, event, GASPDB_WAIT_LATE_SENDER, GASPDB_NONE,
			    r->of[GASPDB_RECEIVE].last_matched);
	if (r->of[GASPDB_SEND].any_matched)
		propose_for(hung, event, GASPDB_WAIT_LATE_RECEIVER, GASPDB_NONE,
			    r->of[GASPDB_SEND].last_matched);
}

/* The ids of a process's threads are consecutive. */
static void finish_process(struct gaspdb_hung_waits *hung, int64_t process,
			   const struct requests *r)
{
	int64_t event[GASPDB_EVENT_COLUMNS];

	for (int64_t t = process;
	     r->n && gaspdb_run_process(hung->run, t) == process; t++)
		if (find_hung(hung, t, event))
			propose(hung, event, r);
}

void gaspdb_hung_waits_close(struct gaspdb_hung_waits *hung)
{
	struct requests r = { 0 };
	int64_t process = GASPDB_NONE;
	const int64_t *row;

	while ((row = gaspdb_sorter_next(&hung->requests))) {
		if (row[PROCESS] != process) {
			finish_process(hung, process, &r);
			r = (struct requests){ 0 };
			process = row[PROCESS];
		}
		add_request(&r, row);
	}
	finish_process(hung, process, &r);
	gaspdb_sorter_fini(&hung->requests);
	gaspdb_polls_close(&hung->polls);
	sqlite3_finalize(hung->request_count);
}
