/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The members' calls become instances: those with the same team and the same
 * running number belong together.  An instance whose members disagree about
 * what it is gets no waits and is told in quality.
 */
#include "analysis/match_collectives.h"

#include <stdlib.h>

#include "analysis/arrivals.h"
#include "analysis/barriers.h"
#include "analysis/collective_quality.h"
#include "analysis/collective_rules.h"
#include "analysis/collective_syncs.h"
#include "analysis/collective_waits.h"
#include "analysis/table.h"
#include "analysis/upc_flags.h"
#include "size_class.h"
#include "sum.h"

struct match {
	struct gaspdb_run run;
	struct gaspdb_collective_waits waits;
	struct gaspdb_syncs syncs;
	struct gaspdb_barriers barriers;
	struct gaspdb_arrivals arrivals;
	struct gaspdb_bulk *instances, *instance_members;
	sqlite3_stmt *team_size, *team_members;
	int64_t *events; /* of an instance */
	size_t n_events, events_room;
	struct gaspdb_collective_operations operations;
	struct gaspdb_member *members; /* of the instance being read */
	int64_t *ranks, *before;
	struct gaspdb_ranked *ranked;
	size_t n, room, ranks_room, before_room, ranked_room;
	int64_t last_id;
	int64_t root, root_thread;     /* rank and thread of the last root */
	int64_t unnumbered;	       /* team whose numbers are the order of
					  calls; NONE: none */
	int64_t team, size;	       /* the current one; size -1: unknown */
	bool inter;		       /* an intercommunicator */
	int64_t local;		       /* ... whose first group is so large */
	struct gaspdb_groups ranks_of; /* process: rank + 1, instance in which
					  it was seen last */
	struct gaspdb_groups lines;    /* team, source, last thread: instances,
					  members, wait, longest, spread,
					  operation */
	struct gaspdb_groups sizes;    /* thread, class: operations, bytes */
	struct gaspdb_collective_quality quality;
};

static const struct gaspdb_collective_operation *
operation_of(const struct match *m, const struct gaspdb_member *member)
{
	return &m->operations.by_id[gaspdb_run_source(&m->run, member->source)
					    ->operation];
}

static void load_team(struct match *m, int64_t team)
{
	int64_t most = -1;

	m->team = team;
	m->size = -1;
	gaspdb_groups_clear(&m->ranks_of);
	gaspdb_bind(&m->run, m->team_members, 1, &team);
	while (gaspdb_row(&m->run, m->team_members)) {
		int64_t process = gaspdb_run_process(
			&m->run, sqlite3_column_int64(m->team_members, 0));
		int64_t *rank = gaspdb_group(&m->run, &m->ranks_of, &process);

		if (!rank)
			continue;
		*rank = sqlite3_column_int64(m->team_members, 1) + 1;
		if (*rank > most + 1)
			most = *rank - 1;
	}
	gaspdb_bind(&m->run, m->team_size, 1, &team);
	if (!gaspdb_row(&m->run, m->team_size))
		return;
	m->size = sqlite3_column_int64(m->team_size, 0);
	m->inter = sqlite3_column_int(m->team_size, 1);
	m->local = m->size;
	if (m->inter)
		m->size = most + 1;
}

/* Ranks of the instance's members; -1: no member as far as is known. */
static void rank_members(struct match *m)
{
	for (size_t i = 0; i < m->n; i++) {
		int64_t process =
			gaspdb_run_process(&m->run, m->members[i].thread);
		int64_t *rank;

		if (!gaspdb_grow(&m->run, &m->ranks, i, &m->ranks_room,
				 sizeof(*m->ranks)) ||
		    !gaspdb_grow(&m->run, &m->before, i, &m->before_room,
				 sizeof(*m->before)) ||
		    !gaspdb_grow(&m->run, &m->ranked, i, &m->ranked_room,
				 sizeof(*m->ranked)))
			return;
		rank = gaspdb_group(&m->run, &m->ranks_of, &process);
		m->ranks[i] = rank ? rank[0] - 1 : -1;
		if (rank)
			rank[1] = m->last_id;
	}
}

/* Are all members known, and to which of the two groups they belong? */
static bool groups_known(const struct match *m)
{
	if ((int64_t)m->ranks_of.n != m->size)
		return false;
	for (size_t i = 0; i < m->n; i++)
		if (m->ranks[i] < 0)
			return false;
	return m->local > 0 && m->local < m->size;
}

static void count_odd(struct match *m, enum gaspdb_collective_odd why)
{
	gaspdb_collective_quality_odd(&m->quality, m->members, why);
}

/* Do the members agree on what this is?  Counts it where they do not. */
static bool consistent(struct match *m)
{
	const struct gaspdb_member *a = &m->members[0];
	const struct gaspdb_collective_operation *first = operation_of(m, a);

	for (size_t i = 1; i < m->n; i++) {
		const struct gaspdb_member *b = &m->members[i];
		const struct gaspdb_collective_operation *o =
			operation_of(m, b);

		if (o->symbol != first->symbol && !(o->phase && first->phase)) {
			count_odd(m, GASPDB_ODD_DIFFERENT_CALLS);
			return false;
		}
		if (!m->inter && b->root != a->root) {
			count_odd(m, GASPDB_ODD_DIFFERENT_ROOTS);
			return false;
		}
		if (gaspdb_run_process(&m->run, b->thread) ==
		    gaspdb_run_process(&m->run, b[-1].thread)) {
			count_odd(m, GASPDB_ODD_TWICE);
			return false;
		}
	}
	return true;
}

/* The others of the root's group in an intercommunicator name none. */
static int64_t named_root(const struct gaspdb_member *members, size_t n)
{
	size_t i = 0;

	while (i + 1 < n && members[i].root < 0)
		i++;
	return members[i].root;
}

static bool roots_agree(struct match *m)
{
	const int64_t root = named_root(m->members, m->n);

	for (size_t i = 0; i < m->n; i++)
		if (m->members[i].root >= 0 && m->members[i].root != root) {
			count_odd(m, GASPDB_ODD_DIFFERENT_ROOTS);
			return false;
		}
	return true;
}

/* Barriers without a name go with any. */
static bool names_agree(struct match *m)
{
	int64_t name = GASPDB_NONE;

	for (size_t i = 0; i < m->n; i++) {
		int64_t other = m->members[i].name;

		if (name != GASPDB_NONE && other != GASPDB_NONE &&
		    name != other) {
			count_odd(m, GASPDB_ODD_DIFFERENT_NAMES);
			return false;
		}
		if (other != GASPDB_NONE)
			name = other;
	}
	return true;
}

/* Count the members that have no event, each for itself. */
static void count_missing(struct match *m)
{
	bool any = false;

	for (size_t i = 0; i < m->ranks_of.n; i++) {
		const int64_t *row = gaspdb_groups_row(&m->ranks_of, i);

		if (row[1] > 0 && row[2] != m->last_id) {
			gaspdb_collective_quality_missing(&m->quality,
							  m->members, row[0]);
			any = true;
		}
	}
	if (!any)
		gaspdb_collective_quality_missing(&m->quality, m->members,
						  GASPDB_NONE);
}

static void count_sizes(struct match *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct gaspdb_member *member = &m->members[i];
		int64_t *sums;

		if (member->bytes == GASPDB_NONE ||
		    operation_of(m, member)->phase)
			continue;
		sums = gaspdb_group(
			&m->run, &m->sizes,
			(int64_t[]){ member->thread,
				     gaspdb_size_from(member->bytes) });
		if (sums) {
			sums[0]++;
			gaspdb_add_to(&sums[1], member->bytes);
		}
	}
}

static void count_line(struct match *m, const struct gaspdb_instance *in,
		       int64_t wait_ns)
{
	const struct gaspdb_member *last = &in->members[in->last];
	int64_t *sums = gaspdb_group(
		&m->run, &m->lines,
		(int64_t[]){ m->team, last->source, last->thread });

	if (!sums)
		return;
	sums[0]++;
	sums[1] += (int64_t)in->n;
	gaspdb_add_to(&sums[2], wait_ns);
	if (wait_ns > sums[3])
		sums[3] = wait_ns;
	gaspdb_add_to(&sums[4],
		      last->enter_ns - in->members[in->first].enter_ns);
	if (in->first_leave_ns > last->enter_ns)
		gaspdb_add_to(&sums[5], in->first_leave_ns - last->enter_ns);
}

/* Most have the root of the one before. */
static int64_t root_thread(struct match *m, const struct gaspdb_instance *in)
{
	const int64_t root = named_root(in->members, in->n);

	if (root == m->root)
		return m->root_thread;
	m->root = root;
	m->root_thread = GASPDB_NONE;
	for (int64_t i = 0; root >= 0 && i < m->run.n_threads; i++)
		if (m->run.threads[i].process == i &&
		    m->run.threads[i].rank == root) {
			m->root_thread = i;
			break;
		}
	return m->root_thread;
}

static void add_event(struct match *m, int64_t event)
{
	if (gaspdb_grow(&m->run, &m->events, m->n_events, &m->events_room,
			sizeof *m->events))
		m->events[m->n_events++] = event;
}

static int by_number(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* In order, each once: as they are almost always. */
static void write_events(struct match *m)
{
	if (m->n_events > 1)
		qsort(m->events, m->n_events, sizeof *m->events, by_number);
	for (size_t i = 0; i < m->n_events; i++)
		if (i == 0 || m->events[i] != m->events[i - 1])
			gaspdb_bulk_add(
				m->instance_members,
				(int64_t[]){ m->last_id, m->events[i] });
}

/* In a team of one nobody ever waits for another. */
static void tell_arrivals(struct match *m, const struct gaspdb_instance *in,
			  int64_t wait_ns)
{
	const struct gaspdb_member *by =
		wait_ns > 0 ? gaspdb_instance_waited_for(in) : NULL;
	struct gaspdb_arrival_call call = {
		.instance = m->last_id,
		.team = m->team,
		.cause = by ? by->event : GASPDB_NONE,
		.synchronizes = gaspdb_collective_synchronizes(in->rule)
	};

	if (m->size == 1 && !m->inter)
		return;
	for (size_t i = 0; i < m->n_events; i++) {
		call.event = m->events[i];
		gaspdb_arrivals_add(&m->arrivals, &call);
	}
}

static void write_instance(struct match *m, const struct gaspdb_instance *in,
			   int64_t wait_ns)
{
	const struct gaspdb_member *last = &in->members[in->last];
	const int64_t values[] = {
		m->last_id,
		m->team,
		last->sequence,
		gaspdb_run_source(&m->run, last->source)->operation,
		root_thread(m, in),
		m->size,
		(int64_t)in->n,
		in->members[in->first].enter_ns,
		last->enter_ns,
		in->first_leave_ns,
		in->last_leave_ns,
		last->thread,
		last->event,
		wait_ns,
		in->rule
	};

	gaspdb_bulk_add(m->instances, values);
	m->n_events = 0;
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *member = &in->members[i];

		add_event(m, member->event);
		if (member->notify_leave_ns != GASPDB_NONE &&
		    member->wait_event != GASPDB_NONE)
			add_event(m, member->wait_event);
	}
	write_events(m);
	tell_arrivals(m, in, wait_ns);
}

/* Where its own data suffice to each, and all do the same. */
static enum gaspdb_collective_rule upc_data_rule(const struct match *m)
{
	const struct gaspdb_member *a = &m->members[0];
	const enum gaspdb_collective_rule rule = operation_of(m, a)->rule;
	const bool all_have_parts =
		a->parts == GASPDB_NONE || a->parts >= m->size;

	switch (rule) {
	case GASPDB_COLLECTIVE_ROOT:
	case GASPDB_COLLECTIVE_TO_ROOT:
		return all_have_parts && a->root >= 0
			       ? rule
			       : GASPDB_COLLECTIVE_UNKNOWN;
	case GASPDB_COLLECTIVE_BEFORE: /* parts begin with rank 0's */
		return all_have_parts && a->first == 0
			       ? rule
			       : GASPDB_COLLECTIVE_UNKNOWN;
	default:
		return all_have_parts ? rule : GASPDB_COLLECTIVE_UNKNOWN;
	}
}

static bool same_flags(const struct match *m)
{
	for (size_t i = 1; i < m->n; i++)
		if (m->members[i].sync != m->members[0].sync)
			return false;
	return true;
}

/*
 * Without numbers from the runtime the order of calls is only believed where
 * the calls overlap, as those of anything that waits for all must.
 */
/* MPI's rules for intercommunicators: data go from one group to the other. */
static enum gaspdb_collective_rule inter_rule(struct match *m,
					      enum gaspdb_collective_rule rule)
{
	if (!roots_agree(m))
		return GASPDB_COLLECTIVE_MISMATCH;
	if (!groups_known(m))
		return GASPDB_COLLECTIVE_UNKNOWN;
	switch (rule) {
	case GASPDB_COLLECTIVE_ALL:
		return GASPDB_COLLECTIVE_GROUPS;
	case GASPDB_COLLECTIVE_DATA:
		return GASPDB_COLLECTIVE_GROUPS_DATA;
	case GASPDB_COLLECTIVE_BEFORE: /* there is no such thing */
		return GASPDB_COLLECTIVE_UNKNOWN;
	default:
		return rule;
	}
}

static enum gaspdb_collective_rule upc_rule(struct match *m,
					    const struct gaspdb_instance *in)
{
	enum gaspdb_collective_rule rule = GASPDB_COLLECTIVE_ALL;

	if (!same_flags(m)) {
		count_odd(m, GASPDB_ODD_DIFFERENT_FLAGS);
		return GASPDB_COLLECTIVE_MISMATCH;
	}
	if (m->members[0].sync == GASPDB_UPC_SYNC_NONE)
		return GASPDB_COLLECTIVE_NOBODY;
	if (m->members[0].sync == GASPDB_UPC_SYNC_DATA)
		rule = upc_data_rule(m);
	if (gaspdb_collective_synchronizes(rule) && !in->overlaps) {
		count_odd(m, GASPDB_ODD_NO_OVERLAP);
		return GASPDB_COLLECTIVE_MISMATCH;
	}
	return rule;
}

static enum gaspdb_collective_rule choose_rule(struct match *m,
					       const struct gaspdb_instance *in)
{
	enum gaspdb_collective_rule rule = operation_of(m, in->members)->rule;

	if (!consistent(m) || !names_agree(m))
		return GASPDB_COLLECTIVE_MISMATCH;
	if (m->size == 1 && !m->inter)
		return GASPDB_COLLECTIVE_NOBODY;
	if (m->team == m->unnumbered)
		return upc_rule(m, in);
	if (m->inter && rule != GASPDB_COLLECTIVE_PERHAPS)
		return inter_rule(m, rule);
	if (rule != GASPDB_COLLECTIVE_PERHAPS)
		return rule;
	return in->overlaps ? GASPDB_COLLECTIVE_ALL : GASPDB_COLLECTIVE_UNKNOWN;
}

/* Did anyone arrive at a known time?  If not, the second halves' enters must
   do for the table; there are no waits then. */
static bool arrivals_known(struct match *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->members[i].enter_ns != GASPDB_NONE)
			return true;
	for (size_t i = 0; i < m->n; i++)
		m->members[i].enter_ns = m->members[i].wait_enter_ns;
	return false;
}

/* Where each group waits for the other: which of them lacks members? */
static void find_groups(const struct match *m, struct gaspdb_instance *in)
{
	int64_t seen[2] = { 0, 0 };

	const bool groups = in->rule == GASPDB_COLLECTIVE_GROUPS ||
			    in->rule == GASPDB_COLLECTIVE_GROUPS_DATA;

	in->local = groups ? m->local : GASPDB_NONE;
	if (!groups) {
		in->lacks[0] = in->partial;
		return;
	}
	for (size_t i = 0; i < in->n; i++)
		seen[gaspdb_instance_group(in, i)]++;
	in->lacks[0] = seen[0] < m->local;
	in->lacks[1] = seen[1] < m->size - m->local;
}

static void finish_instance(struct match *m)
{
	struct gaspdb_instance in = { .members = m->members, .n = m->n };
	int64_t wait_ns;
	bool known;

	if (!m->n)
		return;
	if (m->size < 0) {
		count_odd(m, GASPDB_ODD_UNKNOWN_TEAM);
		return;
	}
	m->last_id++;
	rank_members(m);
	if (m->run.status != GASPDB_OK)
		return;
	in.ranks = m->ranks;
	in.partial = (int64_t)m->n < m->size;
	if (in.partial)
		count_missing(m);
	known = arrivals_known(m);
	gaspdb_instance_measure(&in);
	in.rule = known ? choose_rule(m, &in) : GASPDB_COLLECTIVE_UNKNOWN;
	find_groups(m, &in);
	in.before = m->before;
	if (in.rule == GASPDB_COLLECTIVE_BEFORE)
		gaspdb_instance_find_before(&in, m->ranked, m->before);
	wait_ns = gaspdb_collective_waits_add(&m->waits, &in);
	gaspdb_collective_syncs_add(&m->syncs, m->last_id, &m->run, &in);
	gaspdb_barriers_add(&m->barriers, &in);
	write_instance(m, &in, wait_ns);
	count_line(m, &in, wait_ns);
	count_sizes(m);
}

static void read_instances(struct match *m, struct gaspdb_members *members)
{
	const struct gaspdb_member *member;

	while ((member = gaspdb_members_next(members))) {
		if (m->n && (member->team != m->members[0].team ||
			     member->sequence != m->members[0].sequence)) {
			finish_instance(m);
			m->n = 0;
		}
		if (member->team != m->team)
			load_team(m, member->team);
		if (!gaspdb_grow(&m->run, &m->members, m->n, &m->room,
				 sizeof(*m->members)))
			break;
		m->members[m->n++] = *member;
	}
	finish_instance(m);
}

static void prepare(struct match *m)
{
	m->instances = gaspdb_bulk_open(&m->run, "collective", 15, 14,
					gaspdb_collective_rule_names);
	m->instance_members = gaspdb_bulk_open_keyed(
		&m->run, "collective_member", 2, 2, 0, NULL);
	m->team_size = gaspdb_prepare(
		&m->run, "SELECT size, kind = 'inter' FROM team WHERE id = ?");
	m->team_members =
		gaspdb_prepare(&m->run, "SELECT thread_id, rank "
					"FROM team_member WHERE team_id = ?");
}

static void write_totals(struct match *m)
{
	gaspdb_groups_write(&m->run, &m->lines,
			    "INSERT INTO collective_total(team_id, source_id, "
			    "last_thread_id, instances, members, wait_ns, "
			    "longest_ns, spread_ns, operation_ns) "
			    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
	gaspdb_groups_write(&m->run, &m->sizes,
			    "INSERT INTO size_total(thread_id, from_bytes, "
			    "operations, bytes, direction) "
			    "VALUES(?, ?, ?, ?, 'collective')");
}

enum gaspdb_status gaspdb_pass_collectives(sqlite3 *db,
					   struct gaspdb_error *err)
{
	struct match m = { .team = GASPDB_NONE,
			   .size = -1,
			   .root = GASPDB_NONE,
			   .root_thread = GASPDB_NONE };
	struct gaspdb_members members;

	gaspdb_run_open(&m.run, db, err);
	gaspdb_collective_waits_open(&m.waits, &m.run);
	gaspdb_syncs_open(&m.syncs, &m.run);
	gaspdb_barriers_open(&m.barriers, &m.run);
	gaspdb_arrivals_open(&m.arrivals, &m.run);
	gaspdb_groups_init(&m.ranks_of, 1, 2);
	gaspdb_groups_init(&m.lines, 3, 6);
	gaspdb_groups_init(&m.sizes, 2, 2);
	gaspdb_collective_quality_open(&m.quality, &m.run);
	gaspdb_collective_operations_load(&m.operations, &m.run);
	gaspdb_members_init(&members, &m.run);
	m.unnumbered = gaspdb_collective_events_gather(&m.run, &members);
	prepare(&m);
	read_instances(&m, &members);
	gaspdb_members_fini(&members);
	write_totals(&m);
	sqlite3_finalize(m.team_size);
	sqlite3_finalize(m.team_members);
	gaspdb_groups_fini(&m.ranks_of);
	gaspdb_groups_fini(&m.lines);
	gaspdb_groups_fini(&m.sizes);
	gaspdb_collective_quality_close(&m.quality);
	gaspdb_collective_waits_close(&m.waits);
	gaspdb_barriers_close(&m.barriers);
	gaspdb_collective_operations_free(&m.operations);
	free(m.members);
	free(m.ranks);
	free(m.before);
	free(m.ranked);
	free(m.events);
	return gaspdb_run_close(&m.run);
}
