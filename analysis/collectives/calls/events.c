/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gathering of collective calls with their arguments. A split phase is one
 * member, and so is a non-blocking call with the call that completes it.
 */
#include "analysis/collectives/calls/events.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/collectives/calls/call_order.h"
#include "analysis/collectives/calls/starts.h"
#include "analysis/collectives/calls/unnumbered_team.h"
#include "analysis/collectives/calls/upc_flags.h"
#include "analysis/engine/quality.h"
#include "analysis/engine/scan.h"
#include "analysis/waits/unknown_waits.h"
#include "collector/log/log_format.h"
#include "sql/passes/collectives.h"
#include "sql/passes/engine.h"
#include "sql/store/table.h"

/* Roles of arguments. */
enum argument {
	TEAM,
	SEQUENCE,
	ROOT,
	BYTES_RECEIVED,
	NAMED,
	EXPRESSION,
	FLAGS,
	SOURCE_THREAD,
	TARGET_THREAD,
	ELEMENTS,
	BLOCK_ELEMENTS,
	PERMUTATION,
	ADDRESS,
	OLD_ADDRESS,
	OTHER, /* any other argument */
	N_VALUES
};

static const char *const argument_names[] = {
	"team",		 "sequence",   "root",		 "bytes_received",
	"named",	 "expression", "flags",		 "source_thread",
	"target_thread", "elements",   "block_elements", "permutation",
	"address",	 "old_address"
};

/* Flags of a source. */
enum {
	COLLECTIVE = 1,
	COMMUNICATION = 2,
	ACCESS = 4,
	STARTS = 8,    /* starts persistent collectives */
	ENDS_ALL = 16, /* ends a UPC program */
	N_KINDS = 5
};

struct gather {
	struct gaspdb_run *run;
	struct gaspdb_members *members;
	struct gaspdb_table events;
	struct gaspdb_event_args arguments;
	sqlite3_stmt *request, *starts; /* NULL: no requests */
	int64_t unknown_thread, n_unknown_starts,
		first_unknown_start; /* starts of unknown collectives */
	unsigned char *role;	     /* enum argument, by argument.id */
	int64_t n_roles;
	int64_t none[N_VALUES];	 /* values of a call without arguments */
	unsigned char *gathered; /* flags, by source.id */
	bool any;		 /* a source is a collective */
	struct gaspdb_upc_flags flags;
	struct gaspdb_unknown_waits unknown_waits;
	sqlite3_stmt *gaps;
	int64_t gap_thread, gap_ns; /* the next gap; gap_thread NONE: none */
	bool *masked;		    /* by thread: calls are missing */
	int64_t others; /* the thread's communications and gaps so far */
	int64_t unnumbered_team;	/* NONE: not created yet */
	struct gaspdb_call_order order; /* open if the team is */
	int64_t thread, calls, ends;	/* the thread, its calls of that team */
	struct gaspdb_member pending;	/* a first half; event NONE: none */
};

static void load_sources(struct gather *g)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(g->run, gaspdb_sql_collective_sources);

	g->gathered = gaspdb_zeroed(g->run, (size_t)g->run->n_sources, 1);
	while (g->gathered && gaspdb_row(g->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);

		if (gaspdb_run_source(g->run, id)) {
			for (int flag = 0; flag < N_KINDS; flag++)
				if (sqlite3_column_int(stmt, flag + 1))
					g->gathered[id] |= 1 << flag;
			g->any |= g->gathered[id] & (COLLECTIVE | STARTS);
		}
	}
	sqlite3_finalize(stmt);
}

static void next_gap(struct gather *g)
{
	g->gap_thread = GASPDB_NONE;
	if (!gaspdb_row(g->run, g->gaps))
		return;
	g->gap_thread = sqlite3_column_int64(g->gaps, 0);
	g->gap_ns = sqlite3_column_int64(g->gaps, 1);
}

/* Count gaps as communication: the thread may have communicated in them. */
static void count_gaps(struct gather *g, const struct gaspdb_event *e)
{
	while (g->gap_thread != GASPDB_NONE &&
	       (g->gap_thread < e->thread ||
		(g->gap_thread == e->thread && g->gap_ns <= e->start_ns))) {
		g->others += g->gap_thread == e->thread;
		next_gap(g);
	}
}

/* Is the event a communication with another process? An access of unknown
   target counts as one. */
static bool communicates(const struct gather *g, const struct gaspdb_event *e,
			 int kind)
{
	if (!(kind & COMMUNICATION))
		return false;
	return !(kind & ACCESS) || e->peer == GASPDB_NONE ||
	       gaspdb_run_process(g->run, e->peer) !=
		       gaspdb_run_process(g->run, e->thread);
}

static void read_arguments(struct gather *g, int64_t event, int64_t *values)
{
	struct gaspdb_event_arg args[GASPDB_ARGS_OF_EVENT];
	const size_t n = gaspdb_event_args_read(&g->arguments, event, args);

	memcpy(values, g->none, sizeof g->none);
	for (size_t i = 0; i < n; i++)
		if (args[i].argument >= 0 && args[i].argument < g->n_roles)
			values[g->role[args[i].argument]] = args[i].value;
}

/* Set the call that completes a member's request; NONE: unknown. */
static void set_completion(struct gather *g, struct gaspdb_member *m,
			   int64_t done)
{
	int64_t call[GASPDB_EVENT_COLUMNS];
	const struct gaspdb_run_source *source;

	m->wait_event = m->wait_enter_ns = m->leave_ns = GASPDB_NONE;
	m->open_until_ns = GASPDB_NONE;
	if (done == GASPDB_NONE ||
	    !gaspdb_table_get(&g->events, done, GASPDB_EVENT_DURATION + 1,
			      call))
		return;
	source = gaspdb_run_source(g->run, call[GASPDB_EVENT_SOURCE]);
	m->wait_event = done;
	m->wait_enter_ns = call[GASPDB_EVENT_START];
	m->leave_ns = call[GASPDB_EVENT_START] + call[GASPDB_EVENT_DURATION];
	m->polled = source && source->type == GASPDB_TYPE_test;
	m->completed =
		!m->polled && (!source || source->type != GASPDB_TYPE_wait);
}

/* Find the call in which a non-blocking collective waits. */
static void follow_request(struct gather *g, struct gaspdb_member *m)
{
	if (!g->request)
		return;
	gaspdb_bind(g->run, g->request, 1, &m->event);
	if (gaspdb_row(g->run, g->request))
		set_completion(g, m, gaspdb_column(g->request, 0));
}

static void add_or_exclude(struct gather *g, const struct gaspdb_member *m)
{
	if (m->sequence == GASPDB_NONE)
		gaspdb_call_order_exclude(&g->order, m);
	else
		gaspdb_members_add(g->members, m);
}

/* Add a first half without a second. */
static void flush_pending(struct gather *g)
{
	if (g->pending.event == GASPDB_NONE)
		return;
	g->pending.wait_event = GASPDB_NONE;
	g->pending.wait_enter_ns = g->pending.leave_ns = GASPDB_NONE;
	if (g->pending.notify_leave_ns == GASPDB_NONE) /* its log ends in it */
		g->pending.notify_leave_ns = g->pending.open_until_ns;
	add_or_exclude(g, &g->pending);
	g->pending.event = GASPDB_NONE;
}

/* The sequence number of a call by the order of calls; NONE: unknown. */
static int64_t sequence_of(const struct gather *g,
			   const struct gaspdb_member *m)
{
	const int64_t lost =
		gaspdb_call_order_lost(&g->order, m->thread, m->wait_enter_ns);

	return lost == GASPDB_NONE ? GASPDB_NONE : g->calls + lost;
}

static int64_t unnumbered_team(struct gather *g, int64_t thread)
{
	if (g->unnumbered_team == GASPDB_NONE) {
		g->unnumbered_team = gaspdb_unnumbered_team(g->run, thread);
		gaspdb_call_order_open(&g->order, g->run, thread);
	}
	return g->unnumbered_team;
}

/* Number a member by the order of calls. */
static void number(struct gather *g, struct gaspdb_member *m)
{
	m->team = unnumbered_team(g, m->thread);
	m->sequence = sequence_of(g, m);
	g->calls++;
}

/* Is it the second half of the pending phase? Other calls may be lost between
   the two with a damaged block. */
static bool completes(struct gather *g, const struct gaspdb_member *m,
		      enum gaspdb_type type)
{
	const struct gaspdb_member *first = &g->pending;

	if (type != GASPDB_TYPE_barrier_wait || first->event == GASPDB_NONE)
		return false;
	if (!gaspdb_call_order_separated(&g->order, m->thread, first->enter_ns,
					 m->wait_enter_ns))
		return true;
	if (first->sequence == GASPDB_NONE ||
	    sequence_of(g, m) != first->sequence)
		return false;
	g->calls++; /* call_order.c counted each half */
	return true;
}

/* Is it the first half of a split collective on a file? Each half is an
   instance of its own: libraries do the work in either. */
static bool is_split(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_file_read_begin ||
	       type == GASPDB_TYPE_file_write_begin;
}

/* Add a call; the two halves of a split phase are one member. */
static void add(struct gather *g, struct gaspdb_member *m,
		enum gaspdb_type type)
{
	if (completes(g, m, type)) {
		m->event = g->pending.event;
		m->source = g->pending.source;
		m->enter_ns = g->pending.enter_ns;
		m->notify_leave_ns = g->pending.notify_leave_ns;
		m->others = g->pending.others;
		m->team = g->pending.team;
		m->sequence = g->pending.sequence;
		g->pending.event = GASPDB_NONE;
	} else {
		flush_pending(g);
		if (m->sequence == GASPDB_NONE || m->team == GASPDB_NONE)
			number(g, m);
		if (type == GASPDB_TYPE_barrier_wait) /* unrecorded first half
						       */
			m->enter_ns = GASPDB_NONE;
	}
	if (type == GASPDB_TYPE_notify) {
		m->notify_leave_ns = m->leave_ns;
		g->pending = *m;
		return;
	}
	if (!is_split(type))
		follow_request(g, m);
	add_or_exclude(g, m);
}

/* Add the last barrier of a UPC program: one instance, regardless of the number
   of earlier calls of each thread. */
static void add_end(struct gather *g, struct gaspdb_member *m)
{
	flush_pending(g);
	m->team = unnumbered_team(g, m->thread);
	m->sequence = GASPDB_COLLECTIVE_ENDS + g->ends++;
	gaspdb_members_add(g->members, m);
}

/* Does an allocation, free or finalize call contain a barrier? */
static bool contains_barrier(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_shared_alloc ||
	       type == GASPDB_TYPE_shared_free || type == GASPDB_TYPE_finalize;
}

/* Is a call excluded, because its instance is unknown? Its waiting time is
   unknown then, unless it is an allocation of nothing. */
static bool is_excluded(struct gather *g, const struct gaspdb_event *e,
			enum gaspdb_type type, const int64_t *argument)
{
	if (gaspdb_is_of_nothing(type, e->bytes, argument[ADDRESS],
				 argument[OLD_ADDRESS]))
		return true;
	if (argument[SEQUENCE] == GASPDB_NONE && gaspdb_counts_by_order(type))
		return false;
	if (argument[SEQUENCE] != GASPDB_NONE &&
	    (argument[TEAM] != GASPDB_NONE || !contains_barrier(type)))
		return false;
	gaspdb_unknown_waits_add(&g->unknown_waits, e->id);
	return true;
}

/* Set the members' roles in a collective of UPC. */
static void set_upc(const struct gather *g, struct gaspdb_member *m,
		    enum gaspdb_type type, const int64_t *argument)
{
	const int64_t elements = argument[ELEMENTS],
		      block = argument[BLOCK_ELEMENTS];

	m->sync = gaspdb_upc_flags_sync(&g->flags, argument[FLAGS]);
	switch (type) {
	case GASPDB_TYPE_broadcast:
	case GASPDB_TYPE_scatter:
		m->root = argument[SOURCE_THREAD];
		break;
	case GASPDB_TYPE_gather:
		m->root = argument[TARGET_THREAD];
		break;
	case GASPDB_TYPE_reduce:
		m->root = argument[TARGET_THREAD];
		/* fallthrough */
	case GASPDB_TYPE_scan:
		m->first = argument[SOURCE_THREAD];
		m->parts = elements > 0 && block > 0
				   ? (elements - 1) / block + 1
				   : 1;
		break;
	default:
		/* A block goes to one thread, which is not recorded. */
		if (argument[PERMUTATION] != GASPDB_NONE)
			m->parts = 1;
	}
}

static void report_unknown_starts(struct gather *g)
{
	if (g->n_unknown_starts)
		gaspdb_quality_add(g->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_QUALITY_PERSISTENT,
					   .thread = g->unknown_thread,
					   .event = g->first_unknown_start,
					   .count = g->n_unknown_starts,
					   .bytes = GASPDB_NONE,
					   .time_ns = GASPDB_NONE },
				   "starts");
	g->n_unknown_starts = 0;
}

static void count_unknown_start(struct gather *g, const struct gaspdb_event *e)
{
	if (g->unknown_thread != e->thread)
		report_unknown_starts(g);
	if (!g->n_unknown_starts++)
		g->first_unknown_start = e->id;
	g->unknown_thread = e->thread;
}

/*
 * Add the persistent collectives that a call starts. Each is an instance,
 * numbered by the call that created the request and by the start, if the log
 * has them. If its operation is unknown, it may synchronize or not.
 */
static void add_starts(struct gather *g, const struct gaspdb_event *e)
{
	struct gaspdb_member m = { .event = e->id,
				   .thread = e->thread,
				   .source = e->source,
				   .enter_ns = e->start_ns,
				   .notify_leave_ns = GASPDB_NONE,
				   .name = GASPDB_NONE,
				   .parts = GASPDB_NONE,
				   .first = GASPDB_NONE };
	bool any_unknown = false;

	m.others = m.others_done =
		g->masked[e->thread] ? GASPDB_NONE : g->others;
	gaspdb_bind(g->run, g->starts, 1, &e->id);
	while (gaspdb_row(g->run, g->starts)) {
		const bool is_known =
			gaspdb_collective_start_consume(g->starts, &m);

		m.completed = m.polled = 0;
		set_completion(g, &m, gaspdb_collective_start_end(g->starts));
		if (is_known) {
			gaspdb_members_add(g->members, &m);
			continue;
		}
		gaspdb_unknown_waits_add(&g->unknown_waits, m.wait_event);
		any_unknown = true;
	}
	if (any_unknown)
		count_unknown_start(g, e);
}

/* Add a call of a collective. */
static void gather_call(struct gather *g, const struct gaspdb_event *e)
{
	const enum gaspdb_type type = g->run->sources[e->source].type;
	const int64_t end_ns = e->start_ns + e->duration_ns;
	const int64_t others = g->masked[e->thread] ? GASPDB_NONE : g->others;
	int64_t argument[N_VALUES];
	struct gaspdb_member m;
	const bool ends_all = g->gathered[e->source] & ENDS_ALL;

	read_arguments(g, e->id, argument);
	if (!ends_all && is_excluded(g, e, type, argument))
		return;
	m = (struct gaspdb_member){
		.team = argument[TEAM],
		.sequence = argument[SEQUENCE],
		.thread = e->thread,
		.event = e->id,
		.source = e->source,
		.enter_ns = e->start_ns,
		.wait_event = e->id,
		.wait_enter_ns = e->start_ns,
		.leave_ns = e->open ? GASPDB_NONE : end_ns,
		.open_until_ns = e->open ? end_ns : GASPDB_NONE,
		.notify_leave_ns = GASPDB_NONE,
		.root = argument[ROOT],
		.bytes = e->bytes,
		.bytes_received = argument[BYTES_RECEIVED],
		.name = argument[NAMED] != GASPDB_NONE && argument[NAMED] != 0
				? argument[EXPRESSION]
				: GASPDB_NONE,
		.parts = GASPDB_NONE,
		.first = GASPDB_NONE,
		.others = others,
		.others_done = others
	};
	if (argument[SEQUENCE] == GASPDB_NONE)
		set_upc(g, &m, type, argument);
	if (ends_all)
		add_end(g, &m);
	else
		add(g, &m, type);
}

/* The rare case of consume_event(); not inlined. */
static __attribute__((noinline)) bool
gather_event(struct gather *g, const struct gaspdb_event *e, int kind)
{
	if (e->thread != g->thread) {
		flush_pending(g);
		g->thread = e->thread;
		g->calls = g->ends = g->others = 0;
	}
	count_gaps(g, e);
	g->others += communicates(g, e, kind);
	if (kind & STARTS)
		add_starts(g, e);
	if (kind & COLLECTIVE)
		gather_call(g, e);
	return g->run->status == GASPDB_OK;
}

/* Most events are ignored, or only counted. */
static bool consume_event(void *user, const int64_t *values)
{
	struct gather *g = user;
	const struct gaspdb_event *e = gaspdb_event_of(values);
	const int kind = (uint64_t)e->source < (uint64_t)g->run->n_sources
				 ? g->gathered[e->source]
				 : 0;

	if (!kind || e->nested)
		return true;
	if (kind != COMMUNICATION || e->thread != g->thread ||
	    g->gap_thread != GASPDB_NONE)
		return gather_event(g, e, kind);
	g->others++;
	return true;
}

static void prepare(struct gather *g)
{
	sqlite3_stmt *any =
		gaspdb_prepare(g->run, gaspdb_sql_any_collective_request);

	if (gaspdb_row(g->run, any)) {
		g->request = gaspdb_prepare(g->run,
					    gaspdb_sql_collective_completions);
		g->starts = gaspdb_collective_starts_prepare(g->run);
	}
	sqlite3_finalize(any);
	for (int i = 0; i < N_VALUES; i++)
		g->none[i] = GASPDB_NONE;
	g->gaps = gaspdb_prepare(g->run, gaspdb_sql_gap_starts);
	next_gap(g);
	g->masked = gaspdb_run_masked(g->run);
	gaspdb_table_open(&g->events, &g->run->tables, "event",
			  GASPDB_EVENT_COLUMNS);
	gaspdb_event_args_open(&g->arguments, g->run);
}

int64_t gaspdb_collective_events_gather(struct gaspdb_run *run,
					struct gaspdb_members *members)
{
	struct gather g = { .run = run,
			    .members = members,
			    .unnumbered_team = GASPDB_NONE,
			    .thread = GASPDB_NONE };

	g.pending.event = GASPDB_NONE;
	g.role =
		gaspdb_argument_roles(g.run, argument_names, OTHER, &g.n_roles);
	gaspdb_upc_flags_load(&g.flags, run);
	gaspdb_unknown_waits_open(&g.unknown_waits, run);
	prepare(&g);
	load_sources(&g);
	if (g.any && g.masked)
		gaspdb_table_scan(&g.events, consume_event, &g);
	flush_pending(&g);
	report_unknown_starts(&g);
	gaspdb_call_order_close(&g.order);
	gaspdb_table_close(&g.events);
	gaspdb_event_args_close(&g.arguments);
	sqlite3_finalize(g.request);
	sqlite3_finalize(g.starts);
	sqlite3_finalize(g.gaps);
	free(g.role);
	free(g.masked);
	free(g.gathered);
	return g.unnumbered_team;
}
