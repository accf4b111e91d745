/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers the calls of collective operations with their arguments.  A split
 * phase is one member, and so is a non-blocking call with the call that
 * completes it.
 */
#include "analysis/collectives/events.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/collectives/call_order.h"
#include "analysis/collectives/starts.h"
#include "analysis/collectives/unnumbered_team.h"
#include "analysis/collectives/upc_flags.h"
#include "analysis/engine/quality.h"
#include "analysis/engine/scan.h"
#include "analysis/waits/unknown_waits.h"
#include "collector/log/log_format.h"
#include "sql/passes/collectives.h"
#include "sql/passes/engine.h"
#include "sql/store/table.h"

/* Arguments that are looked at. */
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
	OTHER, /* the last of these: whatever it is */
	N_VALUES
};

static const char *const argument_names[] = {
	"team",		 "sequence",   "root",		 "bytes_received",
	"named",	 "expression", "flags",		 "source_thread",
	"target_thread", "elements",   "block_elements", "permutation",
	"address",	 "old_address"
};

/* What calls from a source are to the gathering. */
enum {
	COLLECTIVE = 1,
	COMMUNICATION = 2,
	ACCESS = 4,
	STARTS = 8,    /* persistent collectives */
	ENDS_ALL = 16, /* a UPC program */
	N_KINDS = 5
};

struct gather {
	struct gaspdb_run *run;
	struct gaspdb_members *members;
	struct gaspdb_table events;
	struct gaspdb_event_args arguments;
	sqlite3_stmt *request, *starts; /* NULL: there are none */
	int64_t untold_thread, n_untold, first_untold; /* starts of a thread */
	unsigned char *role; /* enum argument, by argument.id */
	int64_t n_roles;
	int64_t none[N_VALUES];	 /* of a call without arguments */
	unsigned char *gathered; /* flags, by source.id */
	bool any;		 /* of them: collectives */
	struct gaspdb_upc_flags flags;
	struct gaspdb_unknown_waits untold;
	sqlite3_stmt *gaps;	    /* the next, of all threads, is at hand */
	int64_t gap_thread, gap_ns; /* gap_thread NONE: no more */
	bool *masked;		    /* by thread: calls are missing */
	int64_t others;		    /* of this thread, so far */
	int64_t unnumbered_team;    /* NONE until one is needed */
	struct gaspdb_call_order order; /* then, too */
	int64_t thread, calls, ends;  /* of that team, so far, of this thread */
	struct gaspdb_member pending; /* a first half; event NONE: none */
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

/* What a thread did while it was not recorded may have been anything. */
static void count_gaps(struct gather *g, const struct gaspdb_event *e)
{
	while (g->gap_thread != GASPDB_NONE &&
	       (g->gap_thread < e->thread ||
		(g->gap_thread == e->thread && g->gap_ns <= e->start_ns))) {
		g->others += g->gap_thread == e->thread;
		next_gap(g);
	}
}

/* Communication, or synchronization, with others, as far as is known. */
static bool reaches_out(const struct gather *g, const struct gaspdb_event *e,
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

/* That call completes a member's request; NONE: none is known. */
static void complete_by(struct gather *g, struct gaspdb_member *m, int64_t done)
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

/* Where a non-blocking call's waiting lies. */
static void follow_request(struct gather *g, struct gaspdb_member *m)
{
	if (!g->request)
		return;
	gaspdb_bind(g->run, g->request, 1, &m->event);
	if (gaspdb_row(g->run, g->request))
		complete_by(g, m, gaspdb_column(g->request, 0));
}

static void put(struct gather *g, const struct gaspdb_member *m)
{
	if (m->sequence == GASPDB_NONE)
		gaspdb_call_order_leave_out(&g->order, m);
	else
		gaspdb_members_add(g->members, m);
}

/* A first half whose second never came. */
static void flush_pending(struct gather *g)
{
	if (g->pending.event == GASPDB_NONE)
		return;
	g->pending.wait_event = GASPDB_NONE;
	g->pending.wait_enter_ns = g->pending.leave_ns = GASPDB_NONE;
	if (g->pending.notify_leave_ns == GASPDB_NONE) /* its log ends in it */
		g->pending.notify_leave_ns = g->pending.open_until_ns;
	put(g, &g->pending);
	g->pending.event = GASPDB_NONE;
}

/* Its place in the order of calls; NONE: nobody knows. */
static int64_t place(const struct gather *g, const struct gaspdb_member *m)
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

/* Number it by the order of calls. */
static void number(struct gather *g, struct gaspdb_member *m)
{
	m->team = unnumbered_team(g, m->thread);
	m->sequence = place(g, m);
	g->calls++;
}

/* Is it the second half of what is pending?  Between the two others may be
   lost with a damaged block. */
static bool completes(struct gather *g, const struct gaspdb_member *m,
		      enum gaspdb_type type)
{
	const struct gaspdb_member *first = &g->pending;

	if (type != GASPDB_TYPE_barrier_wait || first->event == GASPDB_NONE)
		return false;
	if (!gaspdb_call_order_apart(&g->order, m->thread, first->enter_ns,
				     m->wait_enter_ns))
		return true;
	if (first->sequence == GASPDB_NONE || place(g, m) != first->sequence)
		return false;
	g->calls++; /* each was counted */
	return true;
}

/* Each half of a split collective on a file is an instance of its own: some
   libraries do all in the first, others nothing. */
static bool is_split(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_file_read_begin ||
	       type == GASPDB_TYPE_file_write_begin;
}

/* The two halves of a split phase are one member. */
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
		if (type == GASPDB_TYPE_barrier_wait) /* its first half came
							 before, unrecorded */
			m->enter_ns = GASPDB_NONE;
	}
	if (type == GASPDB_TYPE_notify) {
		m->notify_leave_ns = m->leave_ns;
		g->pending = *m;
		return;
	}
	if (!is_split(type))
		follow_request(g, m);
	put(g, m);
}

/* The last barrier of a UPC program is one, however many others each thread
   was seen in. */
static void add_end(struct gather *g, struct gaspdb_member *m)
{
	flush_pending(g);
	m->team = unnumbered_team(g, m->thread);
	m->sequence = GASPDB_COLLECTIVE_ENDS + g->ends++;
	gaspdb_members_add(g->members, m);
}

/* Allocation, freeing, the end. */
static bool contains_barrier(enum gaspdb_type type)
{
	return type == GASPDB_TYPE_shared_alloc ||
	       type == GASPDB_TYPE_shared_free || type == GASPDB_TYPE_finalize;
}

/* Does nothing tell which instance it is part of?  Then nobody knows how long
   it waited. */
static bool is_apart(struct gather *g, const struct gaspdb_event *e,
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
	gaspdb_unknown_waits_add(&g->untold, e->id);
	return true;
}

/* What UPC's collectives say of who needs whom. */
static void take_upc(const struct gather *g, struct gaspdb_member *m,
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
		/* A block goes to one thread, and which is not in the log. */
		if (argument[PERMUTATION] != GASPDB_NONE)
			m->parts = 1;
	}
}

static void tell_untold(struct gather *g)
{
	if (g->n_untold)
		gaspdb_quality_add(g->run,
				   &(struct gaspdb_quality_row){
					   .kind = GASPDB_QUALITY_PERSISTENT,
					   .thread = g->untold_thread,
					   .event = g->first_untold,
					   .count = g->n_untold,
					   .bytes = GASPDB_NONE,
					   .time_ns = GASPDB_NONE },
				   "starts");
	g->n_untold = 0;
}

static void count_untold(struct gather *g, const struct gaspdb_event *e)
{
	if (g->untold_thread != e->thread)
		tell_untold(g);
	if (!g->n_untold++)
		g->first_untold = e->id;
	g->untold_thread = e->thread;
}

/*
 * Each persistent collective that a call starts is an instance of its own, if
 * the log has how it was made: numbered by that and by the start.  Where that
 * does not tell what it does it may synchronize or not.
 */
static void take_starts(struct gather *g, const struct gaspdb_event *e)
{
	struct gaspdb_member m = { .event = e->id,
				   .thread = e->thread,
				   .source = e->source,
				   .enter_ns = e->start_ns,
				   .notify_leave_ns = GASPDB_NONE,
				   .name = GASPDB_NONE,
				   .parts = GASPDB_NONE,
				   .first = GASPDB_NONE };
	bool untold = false;

	m.others = m.others_done =
		g->masked[e->thread] ? GASPDB_NONE : g->others;
	gaspdb_bind(g->run, g->starts, 1, &e->id);
	while (gaspdb_row(g->run, g->starts)) {
		const bool is_known =
			gaspdb_collective_start_consume(g->starts, &m);

		m.completed = m.polled = 0;
		complete_by(g, &m, gaspdb_collective_start_end(g->starts));
		if (is_known) {
			gaspdb_members_add(g->members, &m);
			continue;
		}
		gaspdb_unknown_waits_add(&g->untold, m.wait_event);
		untold = true;
	}
	if (untold)
		count_untold(g, e);
}

/* A call of a collective. */
static void gather_call(struct gather *g, const struct gaspdb_event *e)
{
	const enum gaspdb_type type = g->run->sources[e->source].type;
	const int64_t end_ns = e->start_ns + e->duration_ns;
	const int64_t others = g->masked[e->thread] ? GASPDB_NONE : g->others;
	int64_t argument[N_VALUES];
	struct gaspdb_member m;

	const bool ends_all = g->gathered[e->source] & ENDS_ALL;

	read_arguments(g, e->id, argument);
	if (!ends_all && is_apart(g, e, type, argument))
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
		take_upc(g, &m, type, argument);
	if (ends_all)
		add_end(g, &m);
	else
		add(g, &m, type);
}

/* No part of take_event(), which goes no further with most. */
static __attribute__((noinline)) bool
gather_event(struct gather *g, const struct gaspdb_event *e, int kind)
{
	if (e->thread != g->thread) {
		flush_pending(g);
		g->thread = e->thread;
		g->calls = g->ends = g->others = 0;
	}
	count_gaps(g, e);
	g->others += reaches_out(g, e, kind);
	if (kind & STARTS)
		take_starts(g, e);
	if (kind & COLLECTIVE)
		gather_call(g, e);
	return g->run->status == GASPDB_OK;
}

/* Most events are of no interest, or only counted. */
static bool take_event(void *user, const int64_t *values)
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
	gaspdb_unknown_waits_open(&g.untold, run);
	prepare(&g);
	load_sources(&g);
	if (g.any && g.masked)
		gaspdb_table_scan(&g.events, take_event, &g);
	flush_pending(&g);
	tell_untold(&g);
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
