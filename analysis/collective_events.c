/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers the calls of collective operations with their arguments.  A split
 * phase is one member, and so is a non-blocking call with the call that
 * completes it.
 */
#include "analysis/collective_events.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/scan.h"
#include "analysis/table.h"

/* Arguments that are looked at. */
enum argument {
	TEAM,
	SEQUENCE,
	ROOT,
	BYTES_RECEIVED,
	NAMED,
	EXPRESSION,
	N_ARGUMENTS,
	OTHER = N_ARGUMENTS
};

static const char *const argument_names[] = { "team",  "sequence",
					      "root",  "bytes_received",
					      "named", "expression" };

/* The columns of table event_arg. */
enum { ARG_ID, ARG_EVENT, ARG_ARGUMENT, ARG_VALUE, ARG_COLUMNS };
enum { ARGS_OF_EVENT = 64 };

struct gather {
	struct gaspdb_run *run;
	struct gaspdb_sorter *members;
	struct gaspdb_table events;
	struct gaspdb_cursor arguments;
	sqlite3_stmt *request; /* NULL: there are none */
	unsigned char *role;   /* enum argument, by argument.id */
	int64_t n_roles;
	unsigned char *gathered; /* flags, by source.id */
	bool any;
	int64_t unnumbered_team;      /* NONE until one is needed */
	int64_t thread, calls;	      /* of that team, so far, of this thread */
	struct gaspdb_member pending; /* a first half; event NONE: none */
};

static void load_roles(struct gather *g)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		g->run, "SELECT id, name, (SELECT max(id) FROM argument) "
			"FROM argument WHERE id >= 0");

	while (gaspdb_row(g->run, stmt)) {
		const char *name = (const char *)sqlite3_column_text(stmt, 1);
		unsigned char role = 0;

		if (!g->role) {
			g->n_roles = sqlite3_column_int64(stmt, 2) + 1;
			g->role = gaspdb_zeroed(g->run, (size_t)g->n_roles, 1);
			if (!g->role)
				break;
			memset(g->role, OTHER, (size_t)g->n_roles);
		}
		while (role < OTHER && strcmp(name, argument_names[role]) != 0)
			role++;
		g->role[sqlite3_column_int64(stmt, 0)] = role;
	}
	sqlite3_finalize(stmt);
}

/*
 * Calls of an operation that has a sequence argument, and those that are
 * collective by their type.  Creating a persistent request is none yet.
 */
static void load_sources(struct gather *g)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		g->run,
		"SELECT s.id FROM source s JOIN operation o "
		"  ON o.id = s.operation_id "
		"WHERE o.type <> 'request' AND (o.type IN ('barrier', "
		"  'notify', 'barrier_wait', 'broadcast', 'scatter', 'gather', "
		"  'reduce', 'all_to_all', 'scan') "
		"  OR EXISTS (SELECT 1 FROM argument a "
		"    WHERE a.operation_id = o.id AND a.name = 'sequence'))");

	g->gathered = gaspdb_zeroed(g->run, (size_t)g->run->n_sources, 1);
	while (g->gathered && gaspdb_row(g->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);

		if (gaspdb_run_source(g->run, id)) {
			g->gathered[id] = 1;
			g->any = true;
		}
	}
	sqlite3_finalize(stmt);
}

static bool is_gathered(const struct gather *g, int64_t source)
{
	return gaspdb_run_source(g->run, source) && g->gathered[source];
}

static void read_arguments(struct gather *g, int64_t event, int64_t *values)
{
	const int64_t first = event * ARGS_OF_EVENT;
	const int64_t *row;

	for (int i = 0; i < N_ARGUMENTS; i++)
		values[i] = GASPDB_NONE;
	for (row = gaspdb_cursor_seek(&g->arguments, first);
	     row && row[ARG_ID] < first + ARGS_OF_EVENT;
	     row = gaspdb_cursor_seek(&g->arguments, row[ARG_ID] + 1)) {
		const int64_t id = row[ARG_ARGUMENT];

		if (id >= 0 && id < g->n_roles && g->role[id] != OTHER)
			values[g->role[id]] = row[ARG_VALUE];
	}
}

/*
 * The team of all threads of a runtime that tells of none.  Threads without a
 * log are members too: what they did is not known.
 */
static int64_t make_team(struct gather *g, int64_t thread)
{
	int64_t team;
	sqlite3_stmt *stmt;

	gaspdb_exec(g->run,
		    "INSERT INTO team(parent_id, ordinal, kind, name, size) "
		    "VALUES(NULL, 0, 'world', 'all threads', 0)");
	team = sqlite3_last_insert_rowid(g->run->db);
	stmt = gaspdb_prepare(
		g->run, "INSERT INTO team_member(team_id, rank, thread_id) "
			"SELECT ?1, row_number() OVER (ORDER BY id) - 1, id "
			"FROM thread WHERE first_ns IS NULL OR model IS "
			"(SELECT model FROM thread WHERE id = ?2)");
	gaspdb_write(g->run, stmt, 2, (int64_t[]){ team, thread }, NULL);
	sqlite3_finalize(stmt);
	gaspdb_exec(g->run, "UPDATE team SET size = (SELECT count(*) "
			    "FROM team_member WHERE team_id = team.id) "
			    "WHERE id = last_insert_rowid()");
	return team;
}

/* Where a non-blocking call's waiting lies. */
static void follow_request(struct gather *g, struct gaspdb_member *m)
{
	int64_t call[GASPDB_EVENT_COLUMNS], done;
	const struct gaspdb_run_source *source;

	if (!g->request)
		return;
	gaspdb_bind(g->run, g->request, 1, &m->event);
	if (!gaspdb_row(g->run, g->request))
		return;
	m->wait_event = m->wait_enter_ns = m->leave_ns = GASPDB_NONE;
	m->open_until_ns = GASPDB_NONE;
	done = gaspdb_column(g->request, 0);
	if (done == GASPDB_NONE ||
	    !gaspdb_table_get(&g->events, done, GASPDB_EVENT_DURATION + 1,
			      call))
		return;
	source = gaspdb_run_source(g->run, call[GASPDB_EVENT_SOURCE]);
	m->wait_event = done;
	m->wait_enter_ns = call[GASPDB_EVENT_START];
	m->leave_ns = call[GASPDB_EVENT_START] + call[GASPDB_EVENT_DURATION];
	m->completed = !source || source->type != GASPDB_TYPE_wait;
}

static void write_member(struct gather *g, const struct gaspdb_member *m)
{
	int64_t row[GASPDB_MEMBER_COLUMNS];

	memcpy(row, m, sizeof row);
	gaspdb_sorter_add(g->members, row);
}

/* A first half whose second never came. */
static void flush_pending(struct gather *g)
{
	if (g->pending.event == GASPDB_NONE)
		return;
	g->pending.wait_event = GASPDB_NONE;
	g->pending.wait_enter_ns = g->pending.leave_ns = GASPDB_NONE;
	write_member(g, &g->pending);
	g->pending.event = GASPDB_NONE;
}

/* Number it by the order of calls. */
static void number(struct gather *g, struct gaspdb_member *m)
{
	if (g->unnumbered_team == GASPDB_NONE)
		g->unnumbered_team = make_team(g, m->thread);
	m->team = g->unnumbered_team;
	m->sequence = g->calls++;
}

/* The two halves of a split phase are one member. */
static void add(struct gather *g, struct gaspdb_member *m,
		enum gaspdb_type type)
{
	bool second = type == GASPDB_TYPE_barrier_wait &&
		      g->pending.event != GASPDB_NONE;

	if (second) {
		m->event = g->pending.event;
		m->source = g->pending.source;
		m->enter_ns = g->pending.enter_ns;
		m->notify_leave_ns = g->pending.notify_leave_ns;
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
	follow_request(g, m);
	write_member(g, m);
}

/* Does a call without a number take part in its runtime's order of calls? */
static bool numberable(enum gaspdb_type type)
{
	switch (type) {
	case GASPDB_TYPE_barrier:
	case GASPDB_TYPE_notify:
	case GASPDB_TYPE_barrier_wait:
	case GASPDB_TYPE_broadcast:
	case GASPDB_TYPE_scatter:
	case GASPDB_TYPE_gather:
	case GASPDB_TYPE_reduce:
	case GASPDB_TYPE_all_to_all:
	case GASPDB_TYPE_scan:
		return true;
	default:
		return false;
	}
}

static void gather_event(void *user, const struct gaspdb_event *e)
{
	struct gather *g = user;
	const struct gaspdb_run_source *source =
		gaspdb_run_source(g->run, e->source);
	const int64_t end = e->start_ns + e->duration_ns;
	struct gaspdb_member m = { .event = e->id, .thread = e->thread };
	int64_t argument[N_ARGUMENTS];

	if (!is_gathered(g, e->source))
		return;
	if (m.thread != g->thread) {
		flush_pending(g);
		g->thread = m.thread;
		g->calls = 0;
	}
	read_arguments(g, m.event, argument);
	if (argument[SEQUENCE] == GASPDB_NONE && !numberable(source->type))
		return;
	m.team = argument[TEAM];
	m.sequence = argument[SEQUENCE];
	m.source = e->source;
	m.enter_ns = m.wait_enter_ns = e->start_ns;
	m.wait_event = m.event;
	m.leave_ns = e->open ? GASPDB_NONE : end;
	m.open_until_ns = e->open ? end : GASPDB_NONE;
	m.notify_leave_ns = GASPDB_NONE;
	m.root = argument[ROOT];
	m.bytes = e->bytes;
	m.bytes_received = argument[BYTES_RECEIVED];
	m.name = argument[NAMED] != GASPDB_NONE && argument[NAMED] != 0
			 ? argument[EXPRESSION]
			 : GASPDB_NONE;
	add(g, &m, source->type);
}

static void prepare(struct gather *g)
{
	sqlite3_stmt *any = gaspdb_prepare(
		g->run, "SELECT 1 FROM collective_request LIMIT 1");

	if (gaspdb_row(g->run, any))
		g->request = gaspdb_prepare(g->run, "SELECT complete_event_id "
						    "FROM collective_request "
						    "WHERE post_event_id = ?");
	sqlite3_finalize(any);
	gaspdb_table_open(&g->events, g->run, "event", GASPDB_EVENT_COLUMNS);
	gaspdb_cursor_open(&g->arguments, g->run, "event_arg", ARG_COLUMNS);
}

int64_t gaspdb_collective_events_gather(struct gaspdb_run *run,
					struct gaspdb_sorter *members)
{
	struct gather g = { .run = run,
			    .members = members,
			    .unnumbered_team = GASPDB_NONE,
			    .thread = GASPDB_NONE };

	g.pending.event = GASPDB_NONE;
	load_roles(&g);
	prepare(&g);
	load_sources(&g);
	if (g.any)
		gaspdb_scan_events(run, gather_event, &g);
	flush_pending(&g);
	gaspdb_table_close(&g.events);
	gaspdb_cursor_close(&g.arguments);
	sqlite3_finalize(g.request);
	free(g.role);
	free(g.gathered);
	return g.unnumbered_team;
}
