/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Process by process: its open requests together, then the calls of its
 * threads that never returned.
 */
#include "analysis/waits/hung_waits.h"

#include "common/sum.h"
#include "sql/passes/waits.h"

/* What became of the other end of a request. */
enum what { NEVER, CAME, UNKNOWN };

/* A request; PEER of one whose other end came: the thread of that. */
enum column { PROCESS, KIND, WHAT, PEER, AT, EVENT, SOURCE, PARTNER, COLUMNS };

/* The requests of a process. */
struct requests {
	int64_t n;
	struct {
		int64_t n_never;
		int64_t peer;	       /* of all of these; NONE: several */
		int64_t late[COLUMNS]; /* the last that came */
		bool any;	       /* one did */
	} of[2];		       /* by enum gaspdb_end_kind */
	bool others;		       /* of some nothing is known */
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
	hung->argument = gaspdb_prepare(run, gaspdb_sql_requests_of);
}

static void add(struct gaspdb_hung_waits *hung, const int64_t *row)
{
	if (row[PROCESS] != GASPDB_NONE)
		gaspdb_sorter_add(&hung->requests, row);
}

void gaspdb_hung_waits_never(struct gaspdb_hung_waits *hung, int64_t thread,
			     enum gaspdb_end_kind kind, int64_t peer)
{
	add(hung, (int64_t[COLUMNS]){
			  [PROCESS] = gaspdb_run_process(hung->run, thread),
			  [KIND] = kind,
			  [WHAT] = NEVER,
			  [PEER] = peer });
}

void gaspdb_hung_waits_came(struct gaspdb_hung_waits *hung, int64_t thread,
			    enum gaspdb_end_kind kind, int64_t source,
			    const struct gaspdb_end *other)
{
	add(hung, (int64_t[COLUMNS]){
			  [PROCESS] = gaspdb_run_process(hung->run, thread),
			  [KIND] = kind,
			  [WHAT] = CAME,
			  [PEER] = other->thread,
			  [AT] = other->at_ns,
			  [EVENT] = other->post.event,
			  [SOURCE] = other->post.source,
			  [PARTNER] = source });
}

void gaspdb_hung_waits_unknown(struct gaspdb_hung_waits *hung, int64_t thread)
{
	add(hung, (int64_t[COLUMNS]){
			  [PROCESS] = gaspdb_run_process(hung->run, thread),
			  [WHAT] = UNKNOWN });
}

/* --- one process ---------------------------------------------------------- */

static void sum_up(struct requests *r, const int64_t *row)
{
	const int kind = (int)row[KIND];

	r->n++;
	switch ((enum what)row[WHAT]) {
	case NEVER:
		if (!r->of[kind].n_never++)
			r->of[kind].peer = row[PEER];
		else if (r->of[kind].peer != row[PEER])
			r->of[kind].peer = GASPDB_NONE;
		break;
	case CAME:
		/* Of one time they come by their events. */
		if (!r->of[kind].any || row[AT] > r->of[kind].late[AT])
			for (int i = 0; i < COLUMNS; i++)
				r->of[kind].late[i] = row[i];
		r->of[kind].any = true;
		break;
	default:
		r->others = true;
	}
}

static enum gaspdb_type type_of(const struct gaspdb_hung_waits *hung,
				const int64_t *event)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(hung->run, event[GASPDB_EVENT_SOURCE]);

	return source ? source->type : GASPDB_N_TYPES;
}

/* Does its log break off with the end of that test in vain?  Of one that does
   not its thread gave up. */
static bool breaks_off(struct gaspdb_hung_waits *hung, const int64_t *event)
{
	const struct gaspdb_run_thread *t =
		gaspdb_run_thread(hung->run, event[GASPDB_EVENT_THREAD]);

	return t && !t->to_the_end &&
	       event[GASPDB_EVENT_START] + event[GASPDB_EVENT_DURATION] ==
		       t->last_ns &&
	       gaspdb_polls_in_vain(&hung->polls, event[GASPDB_EVENT_ID]);
}

static bool waits(struct gaspdb_hung_waits *hung, const int64_t *event)
{
	const enum gaspdb_type type = type_of(hung, event);

	if (event[GASPDB_EVENT_NESTED])
		return false;
	if (event[GASPDB_EVENT_OPEN])
		return type == GASPDB_TYPE_wait || type == GASPDB_TYPE_test;
	return type == GASPDB_TYPE_test && breaks_off(hung, event);
}

static bool is_overlay(const struct gaspdb_hung_waits *hung,
		       const int64_t *event)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(hung->run, event[GASPDB_EVENT_SOURCE]);

	return source && !source->call && !source->computes;
}

/* A call that never returned is the last that its thread began, or around
   that.  User events are around nothing. */
static bool find_hung(struct gaspdb_hung_waits *hung, int64_t thread,
		      int64_t *event)
{
	const struct gaspdb_run_thread *t = &hung->run->threads[thread];
	int64_t id = t->last_event;

	while (id != GASPDB_NONE && id >= t->first_event &&
	       gaspdb_table_get(hung->events, id, GASPDB_EVENT_COLUMNS,
				event)) {
		if (waits(hung, event))
			return true;
		id = is_overlay(hung, event) ? id - 1
					     : event[GASPDB_EVENT_PARENT];
	}
	return false;
}

/* What a call hangs on. */
struct reason {
	struct gaspdb_hung_waits *hung;
	enum gaspdb_wait_kind kind;
	int64_t thread;
	int64_t peer;	     /* who never came; NONE: not known */
	const int64_t *late; /* who came late; NULL: nobody came */
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
				 .bound = !r->late };

	if (r->late) {
		w.end_ns = gaspdb_min(r->late[AT], end_ns);
		w.cause_thread = r->late[PEER];
		w.cause_event = r->late[EVENT];
		w.cause_source = r->late[SOURCE];
		w.tells_source = true;
		w.partner = r->late[PARTNER];
		w.cause_ns = r->late[AT];
	}
	gaspdb_wait_propose(r->hung->writer, &w);
}

/* A test hangs like a wait, and so do those in vain before it. */
static void propose_for(struct gaspdb_hung_waits *hung, const int64_t *event,
			enum gaspdb_wait_kind kind, int64_t peer,
			const int64_t *late)
{
	struct reason r = { hung, kind, event[GASPDB_EVENT_THREAD], peer,
			    late };
	const int64_t id = event[GASPDB_EVENT_ID];
	const int64_t start_ns = event[GASPDB_EVENT_START];

	propose_part(&r, id, start_ns, start_ns + event[GASPDB_EVENT_DURATION]);
	if (type_of(hung, event) == GASPDB_TYPE_test)
		gaspdb_polls_before(&hung->polls, id, propose_part, &r);
}

/* How many requests was it given? */
static int64_t count_requests(struct gaspdb_hung_waits *hung, int64_t event)
{
	gaspdb_bind(hung->run, hung->argument, 1, &event);
	return gaspdb_row(hung->run, hung->argument)
		       ? gaspdb_column(hung->argument, 0)
		       : 0;
}

/*
 * One that was given as many requests as are open is taken to be for all of
 * them; else it is for some of them.  Requests that never find their other end
 * are what it hangs on, if there are any.
 */
static void propose(struct gaspdb_hung_waits *hung, const int64_t *event,
		    const struct requests *r)
{
	const bool all = count_requests(hung, event[GASPDB_EVENT_ID]) >= r->n;
	const int64_t receives = r->of[GASPDB_RECEIVE].n_never,
		      sends = r->of[GASPDB_SEND].n_never;

	if (r->others || (!all && (!receives == !sends)))
		return;
	if (receives)
		propose_for(hung, event, GASPDB_WAIT_LATE_SENDER,
			    r->of[GASPDB_RECEIVE].peer, NULL);
	else if (sends)
		propose_for(hung, event, GASPDB_WAIT_LATE_RECEIVER,
			    r->of[GASPDB_SEND].peer, NULL);
	if (receives || sends)
		return;
	if (r->of[GASPDB_RECEIVE].any)
		propose_for(hung, event, GASPDB_WAIT_LATE_SENDER, GASPDB_NONE,
			    r->of[GASPDB_RECEIVE].late);
	if (r->of[GASPDB_SEND].any)
		propose_for(hung, event, GASPDB_WAIT_LATE_RECEIVER, GASPDB_NONE,
			    r->of[GASPDB_SEND].late);
}

/* Threads of a process have ids in a row. */
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
		sum_up(&r, row);
	}
	finish_process(hung, process, &r);
	gaspdb_sorter_fini(&hung->requests);
	gaspdb_polls_close(&hung->polls);
	sqlite3_finalize(hung->argument);
}
