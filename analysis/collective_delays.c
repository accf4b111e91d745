/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads pass by one after the other, so each instance gets its members'
 * times one by one: those of the last to arrive on one side, the others' mean
 * on the other.
 */
#include "analysis/collective_delays.h"
#include "sum.h"

#include <stdlib.h>

enum { PS = 1000 };

struct gaspdb_instance_facts {
	int64_t team, source, thread; /* the last's line and thread */
	int64_t others;
	bool waited;	   /* its members' times are wanted */
	bool synchronizes; /* times begin anew after it */
};

/* What the current thread did since the team's last synchronization. */
struct gaspdb_team_time {
	struct gaspdb_groups times; /* doing, from, to: ns */
	int64_t instance;	    /* the last that the thread arrived at */
	int64_t call;		    /* and by which call: not its time */
};

/*
 * Rooted ones and scans synchronize not all; neither need those whose blocks
 * may be empty.  Of what may synchronize or not, what waited did.
 */
static const char facts_sql[] =
	"SELECT c.id, c.team_id, e.source_id, c.last_thread_id, c.seen - 1, "
	"  c.wait_ns > 0 AND all_wait, all_wait AND (c.wait_ns > 0 OR always) "
	"FROM (SELECT c.*, o.type NOT IN ('broadcast', 'scatter', 'gather', "
	"    'reduce', 'scan', 'neighbor') AND o.symbol NOT LIKE '%ALLTOALLV' "
	"    AS all_wait, o.type IN ('barrier', 'notify', 'barrier_wait', "
	"    'all_to_all') AS always, (SELECT max(id) FROM collective) AS last "
	"  FROM collective c JOIN operation o ON o.id = c.operation_id) c "
	"JOIN event e ON e.id = c.last_event_id";

static void add_team(struct gaspdb_collective_delays *d, int64_t team)
{
	int64_t *slot = gaspdb_group(d->run, &d->slots, &team);

	if (!slot || *slot ||
	    !gaspdb_grow(d->run, &d->times, d->n_times, &d->times_room,
			 sizeof(*d->times)))
		return;
	gaspdb_groups_init(&d->times[d->n_times].times, 3, 1);
	*slot = (int64_t)++d->n_times;
}

static void load_facts(struct gaspdb_collective_delays *d)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		d->run, "SELECT coalesce(max(id), 0) + 1 FROM collective");

	if (gaspdb_row(d->run, stmt))
		d->n_facts = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	d->facts = gaspdb_zeroed(d->run, (size_t)d->n_facts, sizeof(*d->facts));
	stmt = gaspdb_prepare(d->run, facts_sql);
	while (gaspdb_row(d->run, stmt)) {
		int64_t id = sqlite3_column_int64(stmt, 0);

		d->facts[id] = (struct gaspdb_instance_facts){
			.team = sqlite3_column_int64(stmt, 1),
			.source = sqlite3_column_int64(stmt, 2),
			.thread = sqlite3_column_int64(stmt, 3),
			.others = sqlite3_column_int64(stmt, 4),
			.waited = sqlite3_column_int(stmt, 5),
			.synchronizes = sqlite3_column_int(stmt, 6)
		};
		if (d->facts[id].waited)
			add_team(d, d->facts[id].team);
	}
	sqlite3_finalize(stmt);
}

static void read_member(struct gaspdb_collective_delays *d)
{
	d->next_event = GASPDB_NONE;
	if (!gaspdb_row(d->run, d->members))
		return;
	d->next_event = sqlite3_column_int64(d->members, 0);
	d->next_instance = sqlite3_column_int64(d->members, 1);
}

void gaspdb_collective_delays_open(struct gaspdb_collective_delays *d,
				   struct gaspdb_run *run)
{
	*d = (struct gaspdb_collective_delays){ .run = run,
						.thread = GASPDB_NONE };
	gaspdb_groups_init(&d->slots, 1, 1);
	gaspdb_groups_init(&d->shares, 5, 2);
	load_facts(d);
	d->teams = gaspdb_prepare(run, "SELECT DISTINCT team_id "
				       "FROM team_member WHERE thread_id = ?");
	d->members = gaspdb_prepare(run, "SELECT event_id, collective_id "
					 "FROM collective_member "
					 "ORDER BY event_id, collective_id");
	d->next_event = GASPDB_NONE;
	if (d->n_times)
		read_member(d);
}

/* The teams with waits that the thread belongs to. */
static void start_thread(struct gaspdb_collective_delays *d, int64_t thread)
{
	int64_t process = gaspdb_run_process(d->run, thread);

	d->thread = thread;
	d->n_active = 0;
	gaspdb_bind(d->run, d->teams, 1, &process);
	while (gaspdb_row(d->run, d->teams)) {
		int64_t team = sqlite3_column_int64(d->teams, 0);
		int64_t *slot = gaspdb_group(d->run, &d->slots, &team);

		if (!slot || !*slot ||
		    !gaspdb_grow(d->run, &d->active, d->n_active,
				 &d->active_room, sizeof(*d->active)))
			continue;
		d->active[d->n_active++] = (size_t)*slot - 1;
		gaspdb_groups_clear(&d->times[*slot - 1].times);
		d->times[*slot - 1].instance = GASPDB_NONE;
		d->times[*slot - 1].call = GASPDB_NONE;
	}
}

static int64_t in_ps(int64_t ns)
{
	int64_t ps;

	return __builtin_mul_overflow(ns, PS, &ps) ? INT64_MAX : ps;
}

/* Hand what the thread did since the last synchronization to an instance. */
static void deliver(struct gaspdb_collective_delays *d,
		    const struct gaspdb_groups *times,
		    const struct gaspdb_instance_facts *facts)
{
	bool last = d->thread == facts->thread;

	for (size_t i = 0; i < times->n; i++) {
		const int64_t *row = gaspdb_groups_row(times, i);
		int64_t *sums;

		if (row[0] == GASPDB_WAITING && !last)
			continue;
		sums = gaspdb_group(d->run, &d->shares,
				    (int64_t[]){ facts->source, facts->thread,
						 row[0], row[1], row[2] });
		if (!sums)
			return;
		if (last)
			gaspdb_add_to(&sums[0], in_ps(row[3]));
		else
			gaspdb_add_to(&sums[1], in_ps(row[3]) / facts->others);
	}
}

/* The thread arrives at the instances that this call belongs to. */
static void arrive(struct gaspdb_collective_delays *d, int64_t event)
{
	while (d->next_event != GASPDB_NONE && d->next_event <= event) {
		const struct gaspdb_instance_facts *facts =
			&d->facts[d->next_instance];
		int64_t team = facts->team;
		int64_t *slot = gaspdb_group(d->run, &d->slots, &team);

		if (d->next_event == event && slot && *slot) {
			struct gaspdb_team_time *t = &d->times[*slot - 1];

			/* The second half of a split phase arrives nowhere. */
			if (t->instance != d->next_instance) {
				if (facts->waited && facts->others > 0)
					deliver(d, &t->times, facts);
				if (facts->synchronizes)
					gaspdb_groups_clear(&t->times);
			}
			t->instance = d->next_instance;
			t->call = event;
		}
		read_member(d);
	}
}

void gaspdb_collective_delays_add(struct gaspdb_collective_delays *d,
				  const struct gaspdb_piece *p)
{
	if (!d->n_times)
		return;
	if (p->thread != d->thread)
		start_thread(d, p->thread);
	if (p->event != GASPDB_NONE)
		arrive(d, p->event);
	if (p->doing == GASPDB_NOT_RECORDED || p->end_ns <= p->start_ns)
		return;
	for (size_t i = 0; i < d->n_active; i++) {
		struct gaspdb_team_time *t = &d->times[d->active[i]];
		int64_t *ns;

		if (p->event != GASPDB_NONE && p->event == t->call)
			continue;
		ns = gaspdb_group(d->run, &t->times,
				  (int64_t[]){ p->doing, p->from, p->to });
		if (ns)
			gaspdb_add_to(ns, p->end_ns - p->start_ns);
	}
}

void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *d)
{
	gaspdb_groups_sort(&d->shares);
}

void gaspdb_collective_delays_close(struct gaspdb_collective_delays *d)
{
	for (size_t i = 0; i < d->n_times; i++)
		gaspdb_groups_fini(&d->times[i].times);
	free(d->times);
	free(d->facts);
	free(d->active);
	gaspdb_groups_fini(&d->slots);
	gaspdb_groups_fini(&d->shares);
	sqlite3_finalize(d->members);
	sqlite3_finalize(d->teams);
}
