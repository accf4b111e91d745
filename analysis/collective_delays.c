/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads pass by one after the other, so each instance gets its members'
 * times one by one: those of the last to arrive, and the sum of the others'.
 *
 * Of an instance with n others, a line's excess is what the last spent there,
 * less the others' mean; all its own waiting counts in full.  Each waiter's
 * time is given to the excesses and that waiting as far as these reach.
 */
#include "analysis/collective_delays.h"
#include "analysis/waits.h"
#include "sum.h"

#include <stdlib.h>

/* Lines of instances; what comes beyond is not explained: 220 MB. */
#define SHARES_MAX ((size_t)4 << 20)

struct gaspdb_instance_facts {
	int64_t team;
	int64_t kind, source, thread; /* of its waits; where the last came */
	int64_t others;		      /* whose times are known */
	bool waited;		      /* its members' times are wanted */
	bool synchronizes;	      /* times begin anew after it */
	double reach;  /* all excess and waiting of the last, ns */
	double factor; /* of the sum of the waiters' times, per reach */
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
	"SELECT c.id, c.team_id, all_wait AND (c.wait_ns > 0 OR always) "
	"FROM (SELECT c.*, o.type NOT IN ('broadcast', 'scatter', 'gather', "
	"    'reduce', 'scan', 'neighbor') AND o.symbol NOT LIKE '%ALLTOALLV' "
	"    AS all_wait, o.type IN ('barrier', 'notify', 'barrier_wait', "
	"    'all_to_all') AS always, (SELECT max(id) FROM collective) AS last "
	"  FROM collective c JOIN operation o ON o.id = c.operation_id) c";

static const char members_sql[] =
	"SELECT event_id, collective_id FROM collective_member "
	"ORDER BY event_id, collective_id";

static const char waits_sql[] =
	"SELECT w.cause_event_id, w.cause_thread_id, e.source_id, "
	"  w.kind = 'all-to-all', w.end_ns - w.start_ns "
	"FROM wait w JOIN event e ON e.id = w.cause_event_id "
	"WHERE w.kind IN ('barrier', 'all-to-all') ORDER BY w.cause_event_id";

typedef void (*wait_fn)(struct gaspdb_collective_delays *d,
			struct gaspdb_instance_facts *facts,
			sqlite3_stmt *wait);

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

static void read_member(struct gaspdb_collective_delays *d)
{
	d->next_event = GASPDB_NONE;
	if (!gaspdb_row(d->run, d->members))
		return;
	d->next_event = sqlite3_column_int64(d->members, 0);
	d->next_instance = sqlite3_column_int64(d->members, 1);
}

static void rewind_members(struct gaspdb_collective_delays *d)
{
	sqlite3_reset(d->members);
	read_member(d);
}

/* All waits for the last, beside the members: both in the order of events. */
static void each_wait(struct gaspdb_collective_delays *d, wait_fn fn)
{
	sqlite3_stmt *wait = gaspdb_prepare(d->run, waits_sql);

	rewind_members(d);
	while (gaspdb_row(d->run, wait)) {
		int64_t cause = sqlite3_column_int64(wait, 0);

		while (d->next_event != GASPDB_NONE && d->next_event < cause)
			read_member(d);
		if (d->next_event == cause)
			fn(d, &d->facts[d->next_instance], wait);
	}
	sqlite3_finalize(wait);
}

static void note_wait(struct gaspdb_collective_delays *d,
		      struct gaspdb_instance_facts *facts, sqlite3_stmt *wait)
{
	if (facts->waited)
		return;
	facts->waited = true;
	facts->thread = sqlite3_column_int64(wait, 1);
	facts->source = sqlite3_column_int64(wait, 2);
	facts->kind = sqlite3_column_int(wait, 3) ? GASPDB_WAIT_ALL_TO_ALL
						  : GASPDB_WAIT_BARRIER;
	add_team(d, facts->team);
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
	while (gaspdb_row(d->run, stmt))
		d->facts[sqlite3_column_int64(stmt, 0)] =
			(struct gaspdb_instance_facts){
				.team = sqlite3_column_int64(stmt, 1),
				.synchronizes = sqlite3_column_int(stmt, 2)
			};
	sqlite3_finalize(stmt);
	each_wait(d, note_wait);
}

void gaspdb_collective_delays_open(struct gaspdb_collective_delays *d,
				   struct gaspdb_run *run)
{
	*d = (struct gaspdb_collective_delays){ .run = run,
						.thread = GASPDB_NONE };
	gaspdb_groups_init(&d->slots, 1, 1);
	gaspdb_groups_init(&d->shares, 4, 2);
	d->members = gaspdb_prepare(run, members_sql);
	load_facts(d);
	d->teams = gaspdb_prepare(run, "SELECT DISTINCT team_id "
				       "FROM team_member WHERE thread_id = ?");
	if (d->n_times)
		rewind_members(d);
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

/* Hand what the thread did since the last synchronization to an instance. */
static void deliver(struct gaspdb_collective_delays *d,
		    const struct gaspdb_groups *times, int64_t instance)
{
	bool last = d->thread == d->facts[instance].thread;

	if (!last)
		d->facts[instance].others++;
	for (size_t i = 0; i < times->n; i++) {
		const int64_t *row = gaspdb_groups_row(times, i);
		const int64_t keys[] = { instance, row[0], row[1], row[2] };
		int64_t *sums;

		if (row[0] == GASPDB_WAITING && !last)
			continue;
		sums = d->shares.n < SHARES_MAX
			       ? gaspdb_group(d->run, &d->shares, keys)
			       : gaspdb_groups_find(&d->shares, keys);
		if (sums)
			gaspdb_add_to(&sums[last ? 0 : 1], row[3]);
	}
}

/* When it arrived is known: not of a second half whose first is missing. */
static bool arrival_known(const struct gaspdb_collective_delays *d,
			  const struct gaspdb_piece *p)
{
	const struct gaspdb_run_source *source =
		gaspdb_run_source(d->run, p->from);

	return !source || source->type != GASPDB_TYPE_barrier_wait;
}

/* The thread arrives at the instances that this call belongs to. */
static void arrive(struct gaspdb_collective_delays *d,
		   const struct gaspdb_piece *p)
{
	const int64_t event = p->event;

	while (d->next_event != GASPDB_NONE && d->next_event <= event) {
		const struct gaspdb_instance_facts *facts =
			&d->facts[d->next_instance];
		int64_t team = facts->team;
		int64_t *slot = gaspdb_group(d->run, &d->slots, &team);

		if (d->next_event == event && slot && *slot) {
			struct gaspdb_team_time *t = &d->times[*slot - 1];

			/* The second half of a split phase arrives nowhere. */
			if (t->instance != d->next_instance) {
				if (facts->waited && arrival_known(d, p))
					deliver(d, &t->times, d->next_instance);
				if (facts->synchronizes)
					gaspdb_groups_clear(&t->times);
			}
			t->instance = d->next_instance;
			if (facts->synchronizes)
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
		arrive(d, p);
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

static double excess(const struct gaspdb_instance_facts *facts,
		     const int64_t *row)
{
	double mean = 0;

	if (row[1] != GASPDB_WAITING && !facts->others)
		return 0; /* longer than whom? */
	if (row[1] != GASPDB_WAITING)
		mean = (double)row[5] / (double)facts->others;
	return (double)row[4] > mean ? (double)row[4] - mean : 0;
}

static void add_waiter(struct gaspdb_collective_delays *d,
		       struct gaspdb_instance_facts *facts, sqlite3_stmt *wait)
{
	double ns = (double)sqlite3_column_int64(wait, 4);

	(void)d;
	if (facts->reach > 0)
		facts->factor += ns < facts->reach ? ns / facts->reach : 1;
}

void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *d,
				     gaspdb_delay_share_fn fn, void *user)
{
	for (size_t i = 0; i < d->shares.n; i++) {
		const int64_t *row = gaspdb_groups_row(&d->shares, i);

		d->facts[row[0]].reach += excess(&d->facts[row[0]], row);
	}
	if (d->n_times)
		each_wait(d, add_waiter);
	for (size_t i = 0; i < d->shares.n; i++) {
		const int64_t *row = gaspdb_groups_row(&d->shares, i);
		const struct gaspdb_instance_facts *facts = &d->facts[row[0]];
		struct gaspdb_delay_share share = {
			.kind = facts->kind,
			.thread = facts->thread,
			.source = facts->source,
			.doing = (enum gaspdb_doing)row[1],
			.from = row[2],
			.to = row[3],
			.ns = facts->factor * excess(facts, row)
		};

		if (share.ns > 0)
			fn(user, &share);
	}
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
