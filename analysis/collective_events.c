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

#define MEMBERS                                                           \
	"CREATE TEMP TABLE gaspdb_member(team, sequence, thread, event, " \
	"source, enter, wait_event, wait_enter, leave, open_until, "      \
	"notify_leave, root, bytes, bytes_received, name, completed)"

enum { N_COLUMNS = sizeof(struct gaspdb_member) / sizeof(int64_t) };

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

struct gather {
	struct gaspdb_run *run;
	sqlite3_stmt *arguments, *request, *call, *insert;
	unsigned char *role; /* enum argument, by argument.id */
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
	for (int i = 0; i < N_ARGUMENTS; i++)
		values[i] = GASPDB_NONE;
	gaspdb_bind(g->run, g->arguments, 1, &event);
	while (gaspdb_row(g->run, g->arguments)) {
		int64_t id = sqlite3_column_int64(g->arguments, 0);

		if (id >= 0 && id < g->n_roles && g->role[id] != OTHER)
			values[g->role[id]] = gaspdb_column(g->arguments, 1);
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
	int64_t done;

	gaspdb_bind(g->run, g->request, 1, &m->event);
	if (!gaspdb_row(g->run, g->request))
		return;
	m->wait_event = m->wait_enter_ns = m->leave_ns = GASPDB_NONE;
	m->open_until_ns = GASPDB_NONE;
	done = gaspdb_column(g->request, 0);
	if (done == GASPDB_NONE)
		return;
	gaspdb_bind(g->run, g->call, 1, &done);
	if (!gaspdb_row(g->run, g->call))
		return;
	m->wait_event = done;
	m->wait_enter_ns = sqlite3_column_int64(g->call, 0);
	m->leave_ns = sqlite3_column_int64(g->call, 1);
	m->completed = !sqlite3_column_int(g->call, 2);
}

static void write_member(struct gather *g, const struct gaspdb_member *m)
{
	int64_t values[N_COLUMNS];

	memcpy(values, m, sizeof(values));
	gaspdb_write(g->run, g->insert, N_COLUMNS, values, NULL);
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
	g->arguments = gaspdb_prepare(
		g->run, "SELECT argument_id, value FROM event_arg "
			"WHERE id BETWEEN ?1 * 64 AND ?1 * 64 + 63");
	g->request = gaspdb_prepare(g->run, "SELECT complete_event_id "
					    "FROM collective_request "
					    "WHERE post_event_id = ?");
	g->call = gaspdb_prepare(
		g->run, "SELECT e.start_ns, e.start_ns + e.duration_ns, "
			"o.type = 'wait' FROM event e "
			"JOIN source s ON s.id = e.source_id "
			"JOIN operation o ON o.id = s.operation_id "
			"WHERE e.id = ?");
	g->insert =
		gaspdb_prepare(g->run, "INSERT INTO temp.gaspdb_member VALUES"
				       "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
}

int64_t gaspdb_collective_events_gather(struct gaspdb_run *run)
{
	struct gather g = { .run = run,
			    .unnumbered_team = GASPDB_NONE,
			    .thread = GASPDB_NONE };

	g.pending.event = GASPDB_NONE;
	gaspdb_exec(run, MEMBERS);
	load_roles(&g);
	prepare(&g);
	load_sources(&g);
	if (g.any)
		gaspdb_scan_events(run, gather_event, &g);
	flush_pending(&g);
	sqlite3_finalize(g.arguments);
	sqlite3_finalize(g.request);
	sqlite3_finalize(g.call);
	sqlite3_finalize(g.insert);
	free(g.role);
	free(g.gathered);
	return g.unnumbered_team;
}

sqlite3_stmt *gaspdb_collective_events_open(struct gaspdb_run *run)
{
	return gaspdb_prepare(run, "SELECT * FROM temp.gaspdb_member "
				   "ORDER BY team, sequence, thread, event");
}

bool gaspdb_collective_events_next(struct gaspdb_run *run, sqlite3_stmt *stmt,
				   struct gaspdb_member *member)
{
	int64_t values[N_COLUMNS];

	if (!gaspdb_row(run, stmt))
		return false;
	for (int i = 0; i < N_COLUMNS; i++)
		values[i] = gaspdb_column(stmt, i);
	memcpy(member, values, sizeof(values));
	return true;
}

void gaspdb_collective_events_forget(struct gaspdb_run *run)
{
	gaspdb_exec(run, "DROP TABLE temp.gaspdb_member");
}
