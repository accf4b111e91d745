/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads pass by one after the other, so each instance gets its members'
 * times one by one: those of the last to arrive, and the others'.  They are
 * sorted by instance, and then each instance is done with alone.
 *
 * Of an instance with n others, a line's excess is what the last spent there,
 * less the others' mean; all its own waiting counts in full.  Each waiter's
 * time is given to the excesses and that waiting as far as these reach.
 */
#include "analysis/collective_delays.h"
#include "analysis/collective_rules.h"
#include "analysis/table.h"
#include "analysis/waits.h"
#include "sum.h"

#include <stdlib.h>
#include <string.h>

/* As many as there are barriers: they are small. */
struct gaspdb_instance_facts {
	uint32_t team;		 /* its index in times */
	uint32_t source, thread; /* of its waits; where the last came */
	uint32_t others;	 /* whose times are known */
	uint8_t kind;
	bool waited;	   /* its members' times are wanted */
	bool synchronizes; /* times begin anew after it */
};

/* What the current thread did since the team's last synchronization. */
struct gaspdb_team_time {
	struct gaspdb_groups times; /* doing, from, to: ns */
	int64_t instance;	    /* the last that the thread arrived at */
	int64_t call;		    /* and by which call: not its time */
};

/* The columns of table collective that matter. */
enum { INSTANCE, TEAM, WAIT_NS = 13, RULE, COLUMNS };
enum { MEMBER_INSTANCE, MEMBER_EVENT, MEMBER_COLUMNS }; /* collective_member */

void gaspdb_collective_delays_open(struct gaspdb_collective_delays *d,
				   struct gaspdb_run *run)
{
	*d = (struct gaspdb_collective_delays){ .run = run,
						.thread = GASPDB_NONE };
	gaspdb_groups_init(&d->slots, 1, 1);
	gaspdb_sorter_init(&d->waits, run, 5, 1);
	gaspdb_sorter_init(&d->members, run, 2, 2);
	gaspdb_sorter_init(&d->waiters, run, 2, 1);
	gaspdb_sorter_init(&d->shares, run, 6, 4);
}

void gaspdb_collective_delays_wait(struct gaspdb_collective_delays *d,
				   const struct gaspdb_collective_wait *w)
{
	gaspdb_sorter_add(&d->waits,
			  (int64_t[]){ w->cause_event, w->cause_thread,
				       w->cause_source, w->kind, w->ns });
}

/* --- instances ------------------------------------------------------------ */

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

static bool find_team(void *user, const int64_t *row)
{
	struct gaspdb_collective_delays *d = user;

	if (row[WAIT_NS] > 0)
		add_team(d, row[TEAM]);
	return d->run->status == GASPDB_OK;
}

/* Reads the members of the teams with waits, and their instances. */
struct loader {
	struct gaspdb_collective_delays *d;
	struct gaspdb_cursor instances;
	int64_t instance; /* of the last member */
	bool wanted;	  /* it is */
};

static bool load_instance(struct loader *l, int64_t id)
{
	struct gaspdb_collective_delays *d = l->d;
	const int64_t *row = gaspdb_cursor_seek(&l->instances, id);
	const int64_t *slot;

	if (!row || row[INSTANCE] != id)
		return false;
	slot = gaspdb_groups_find(&d->slots, &row[TEAM]);
	if (!slot || !*slot ||
	    !gaspdb_grow(d->run, &d->facts, d->n_facts, &d->facts_room,
			 sizeof *d->facts))
		return false;
	d->facts[d->n_facts++] = (struct gaspdb_instance_facts){
		.team = (uint32_t)(*slot - 1),
		.synchronizes = gaspdb_collective_synchronizes(
			gaspdb_collective_rule_of(row[RULE]))
	};
	return true;
}

/* In the order of instances. */
static bool load_member(void *user, const int64_t *row)
{
	struct loader *l = user;
	struct gaspdb_collective_delays *d = l->d;

	if (row[MEMBER_INSTANCE] != l->instance) {
		l->instance = row[MEMBER_INSTANCE];
		l->wanted = load_instance(l, l->instance);
	}
	if (l->wanted)
		gaspdb_sorter_add(&d->members,
				  (int64_t[]){ row[MEMBER_EVENT],
					       (int64_t)d->n_facts - 1 });
	return d->run->status == GASPDB_OK;
}

static void load_members(struct gaspdb_collective_delays *d)
{
	struct loader l = { .d = d, .instance = GASPDB_NONE };
	struct gaspdb_table members;

	gaspdb_cursor_open(&l.instances, d->run, "collective", COLUMNS);
	gaspdb_table_open(&members, d->run, "collective_member",
			  MEMBER_COLUMNS);
	gaspdb_table_scan_keyed(&members, load_member, &l);
	gaspdb_table_close(&members);
	gaspdb_cursor_close(&l.instances);
}

static void load_instances(struct gaspdb_collective_delays *d)
{
	struct gaspdb_table collectives;

	gaspdb_table_open(&collectives, d->run, "collective", COLUMNS);
	gaspdb_table_scan(&collectives, INT64_MIN, find_team, d);
	gaspdb_table_close(&collectives);
	if (d->n_times)
		load_members(d);
}

static void read_member(struct gaspdb_collective_delays *d)
{
	const int64_t *row = gaspdb_sorter_next(&d->members);

	d->next_event = row ? row[0] : GASPDB_NONE;
	d->next_instance = row ? row[1] : GASPDB_NONE;
}

static void note_wait(struct gaspdb_collective_delays *d, const int64_t *wait)
{
	struct gaspdb_instance_facts *facts = &d->facts[d->next_instance];

	gaspdb_sorter_add(&d->waiters,
			  (int64_t[]){ d->next_instance, wait[4] });
	if (facts->waited)
		return;
	facts->waited = true;
	facts->thread = (uint32_t)wait[1];
	facts->source = (uint32_t)wait[2];
	facts->kind = (uint8_t)wait[3];
}

/* Waits beside members, both in the order of events: which instance a wait
   belongs to is told by its cause. */
void gaspdb_collective_delays_begin(struct gaspdb_collective_delays *d)
{
	const int64_t *wait;

	load_instances(d);
	if (!d->n_times)
		return;
	read_member(d);
	while ((wait = gaspdb_sorter_next(&d->waits))) {
		while (d->next_event != GASPDB_NONE && d->next_event < wait[0])
			read_member(d);
		if (d->next_event == wait[0])
			note_wait(d, wait);
	}
	gaspdb_sorter_rewind(&d->members);
	read_member(d);
	d->teams = gaspdb_prepare(d->run,
				  "SELECT DISTINCT team_id FROM team_member "
				  "WHERE thread_id = ?");
}

/* --- times ---------------------------------------------------------------- */

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
	const bool last = d->thread == d->facts[instance].thread;

	if (!last)
		d->facts[instance].others++;
	for (size_t i = 0; i < times->n; i++) {
		const int64_t *row = gaspdb_groups_row(times, i);

		if (row[0] != GASPDB_WAITING || last)
			gaspdb_sorter_add(&d->shares,
					  (int64_t[]){ instance, row[0], row[1],
						       row[2],
						       last ? row[3] : 0,
						       last ? 0 : row[3] });
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
		struct gaspdb_team_time *t = &d->times[facts->team];

		if (d->next_event == event) {
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

/* --- shares --------------------------------------------------------------- */

/* The rows of shares of one instance, equal ones added up. */
struct instance {
	struct gaspdb_run *run;
	int64_t number;
	int64_t (*rows)[6];
	size_t n, room;
};

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

static void add_row(struct instance *in, const int64_t *row)
{
	int64_t *to = in->n ? in->rows[in->n - 1] : NULL;

	in->number = row[0];
	if (to && to[1] == row[1] && to[2] == row[2] && to[3] == row[3]) {
		gaspdb_add_to(&to[4], row[4]);
		gaspdb_add_to(&to[5], row[5]);
	} else if (gaspdb_grow(in->run, &in->rows, in->n, &in->room,
			       sizeof *in->rows)) {
		memcpy(in->rows[in->n++], row, sizeof *in->rows);
	}
}

/* How often the waiters' time is that which can be explained.  *waiter: the
   next of the sorted. */
static double factor_of(struct gaspdb_collective_delays *d, int64_t instance,
			double reach, const int64_t **waiter)
{
	double factor = 0;

	while (*waiter && (*waiter)[0] <= instance) {
		const double ns = (double)(*waiter)[1];

		if ((*waiter)[0] == instance && reach > 0)
			factor += ns < reach ? ns / reach : 1;
		*waiter = gaspdb_sorter_next(&d->waiters);
	}
	return factor;
}

static void finish_instance(struct gaspdb_collective_delays *d,
			    struct instance *in, const int64_t **waiter,
			    gaspdb_delay_share_fn fn, void *user)
{
	const struct gaspdb_instance_facts *facts = &d->facts[in->number];
	double reach = 0, factor;

	for (size_t i = 0; i < in->n; i++)
		reach += excess(facts, in->rows[i]);
	factor = factor_of(d, in->number, reach, waiter);
	for (size_t i = 0; i < in->n; i++) {
		const int64_t *row = in->rows[i];
		const struct gaspdb_delay_share share = {
			.kind = facts->kind,
			.thread = facts->thread,
			.source = facts->source,
			.doing = (enum gaspdb_doing)row[1],
			.from = row[2],
			.to = row[3],
			.ns = factor * excess(facts, row)
		};

		if (share.ns > 0)
			fn(user, &share);
	}
	in->n = 0;
}

void gaspdb_collective_delays_finish(struct gaspdb_collective_delays *d,
				     gaspdb_delay_share_fn fn, void *user)
{
	struct instance in = { .run = d->run };
	const int64_t *waiter, *row;

	if (!d->n_times)
		return;
	waiter = gaspdb_sorter_next(&d->waiters);
	while ((row = gaspdb_sorter_next(&d->shares))) {
		if (in.n && row[0] != in.number)
			finish_instance(d, &in, &waiter, fn, user);
		add_row(&in, row);
	}
	if (in.n)
		finish_instance(d, &in, &waiter, fn, user);
	free(in.rows);
}

void gaspdb_collective_delays_close(struct gaspdb_collective_delays *d)
{
	for (size_t i = 0; i < d->n_times; i++)
		gaspdb_groups_fini(&d->times[i].times);
	free(d->times);
	free(d->facts);
	free(d->active);
	gaspdb_groups_fini(&d->slots);
	gaspdb_sorter_fini(&d->waits);
	gaspdb_sorter_fini(&d->members);
	gaspdb_sorter_fini(&d->waiters);
	gaspdb_sorter_fini(&d->shares);
	sqlite3_finalize(d->teams);
}
