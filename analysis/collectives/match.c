/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pass over collectives. Members with the same team and sequence number
 * form an instance. An instance whose members disagree about the operation has
 * no waits and is reported to quality.
 */
#include "analysis/collectives/match.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/collectives/calls/upc_flags.h"
#include "analysis/collectives/neighbors.h"
#include "analysis/collectives/quality.h"
#include "analysis/collectives/rows.h"
#include "analysis/collectives/rules.h"
#include "analysis/collectives/sizes.h"
#include "analysis/collectives/syncs.h"
#include "analysis/collectives/waits.h"
#include "analysis/collectives/barriers.h"
#include "analysis/waits/unknown_waits.h"
#include "sql/passes/collectives.h"
#include "sql/store/table.h"

/* Values of `processes`: rank + 1; for the instances that lack members: the
   last with this process, their number, the sequence of the first without it.
 */
enum { RANK, SEEN, TIMES_SEEN, FIRST_MISSED, PROCESS_VALUES };

struct match {
	struct gaspdb_run *run;
	struct gaspdb_collective_waits waits;
	struct gaspdb_overlap_test overlap;
	struct gaspdb_syncs syncs;
	struct gaspdb_barriers barriers;
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_collective_rows rows;
	sqlite3_stmt *team_size, *team_members;
	struct gaspdb_collective_operations operations;
	struct gaspdb_member *members; /* of the instance being read */
	int64_t *ranks;
	struct gaspdb_awaited *awaited;
	struct gaspdb_ranked *ranked;
	size_t n, room, ranks_room; /* ranks_room: of the last three arrays */
	int64_t last_id;
	int64_t unnumbered; /* team numbered by the order of calls; NONE */
	struct gaspdb_collective_team team; /* the current team */
	struct gaspdb_groups processes;	    /* of the team: enum above */
	int64_t partial;     /* the team's instances that lack members */
	int64_t known;	     /* if partial: processes with a rank */
	size_t *always_seen; /* rows of the processes in all of these */
	size_t n_always_seen, always_seen_room;
	struct gaspdb_neighbors neighbors;
	struct gaspdb_collective_quality quality;
};

static const struct gaspdb_collective_operation *
operation_of(const struct match *m, const struct gaspdb_member *member)
{
	return &m->operations.by_id[gaspdb_run_source(m->run, member->source)
					    ->operation];
}

/* Report the missing members of the current team, at its end. */
static void report_missing(struct match *m)
{
	for (size_t i = 0; m->partial && i < m->processes.n; i++) {
		const int64_t *row = gaspdb_groups_row(&m->processes, i);
		const int64_t *v = row + m->processes.n_keys;

		if (v[RANK] > 0 && v[TIMES_SEEN] < m->partial)
			gaspdb_collective_quality_missing(
				&m->quality, m->team.id, row[0],
				m->partial - v[TIMES_SEEN], v[FIRST_MISSED]);
	}
}

static void load_team(struct match *m, int64_t team)
{
	int64_t most = -1;

	report_missing(m);
	m->team.id = team;
	m->team.size = -1;
	m->team.is_active_set = false;
	m->partial = 0;
	gaspdb_groups_clear(&m->processes);
	gaspdb_bind(m->run, m->team_members, 1, &team);
	while (gaspdb_row(m->run, m->team_members)) {
		int64_t process = gaspdb_run_process(
			m->run, sqlite3_column_int64(m->team_members, 0));
		int64_t *rank = gaspdb_group(m->run, &m->processes, &process);

		if (!rank)
			continue;
		*rank = sqlite3_column_int64(m->team_members, 1) + 1;
		if (*rank > most + 1)
			most = *rank - 1;
	}
	gaspdb_bind(m->run, m->team_size, 1, &team);
	if (!gaspdb_row(m->run, m->team_size))
		return;
	m->team.size = sqlite3_column_int64(m->team_size, 0);
	m->team.inter = sqlite3_column_int(m->team_size, 1);
	m->team.is_active_set = sqlite3_column_int(m->team_size, 2);
	m->team.local = m->team.size;
	if (m->team.inter)
		m->team.size = most + 1;
}

/* Enlarge an array to the room of members; false: a failure. */
static bool widen(struct match *m, void *array, size_t size)
{
	void *old, *wider;

	memcpy(&old, array, sizeof old);
	wider = gaspdb_resized(m->run, old, m->room, size);
	if (wider)
		memcpy(array, &wider, sizeof wider);
	return wider;
}

static bool make_room(struct match *m)
{
	if (m->n <= m->ranks_room)
		return true;
	if (!widen(m, &m->ranks, sizeof *m->ranks) ||
	    !widen(m, &m->awaited, sizeof *m->awaited) ||
	    !widen(m, &m->ranked, sizeof *m->ranked))
		return false;
	m->ranks_room = m->room;
	return true;
}

/* Look up the ranks of the instance's members; -1: no known member. false: a
   failure. */
static bool rank_members(struct match *m, struct gaspdb_instance *in)
{
	if (!make_room(m))
		return false;
	for (size_t i = 0; i < m->n; i++) {
		int64_t process =
			gaspdb_run_process(m->run, m->members[i].thread);
		uint32_t row = (uint32_t)i; /* cache: if all take part */
		int64_t *rank;

		rank = gaspdb_group_cached(m->run, &m->processes, &process,
					   &row);
		m->ranks[i] = rank ? *rank - 1 : -1;
	}
	in->ranks = m->ranks;
	return m->run->status == GASPDB_OK;
}

/* Are all members known, and the group of each? */
static bool groups_known(struct match *m, struct gaspdb_instance *in)
{
	if (!rank_members(m, in) || (int64_t)m->processes.n != m->team.size)
		return false;
	for (size_t i = 0; i < m->n; i++)
		if (m->ranks[i] < 0)
			return false;
	return m->team.local > 0 && m->team.local < m->team.size;
}

static void count_mismatch(struct match *m, enum gaspdb_collective_mismatch why)
{
	gaspdb_collective_quality_mismatch(&m->quality, m->members, why);
}

/* Do the members agree on the operation? A mismatch is counted. */
static bool consistent(struct match *m)
{
	const struct gaspdb_member *a = &m->members[0];
	const struct gaspdb_collective_operation *first = operation_of(m, a);

	for (size_t i = 1; i < m->n; i++) {
		const struct gaspdb_member *b = &m->members[i];
		const struct gaspdb_collective_operation *o =
			operation_of(m, b);

		if (b->does != a->does || (o->symbol != first->symbol &&
					   !(o->phase && first->phase) &&
					   !(o->start && first->start))) {
			count_mismatch(m, GASPDB_MISMATCH_DIFFERENT_CALLS);
			return false;
		}
		if (!m->team.inter && b->root != a->root) {
			count_mismatch(m, GASPDB_MISMATCH_DIFFERENT_ROOTS);
			return false;
		}
		if (gaspdb_run_process(m->run, b->thread) ==
		    gaspdb_run_process(m->run, b[-1].thread)) {
			count_mismatch(m, GASPDB_MISMATCH_TWICE);
			return false;
		}
	}
	return true;
}

static bool roots_agree(struct match *m)
{
	const int64_t root = gaspdb_collective_root(m->members, m->n);

	for (size_t i = 0; i < m->n; i++)
		if (m->members[i].root >= 0 && m->members[i].root != root) {
			count_mismatch(m, GASPDB_MISMATCH_DIFFERENT_ROOTS);
			return false;
		}
	return true;
}

/* Do the names of the barriers agree? One without a name matches any. */
static bool names_agree(struct match *m)
{
	int64_t name = GASPDB_NONE;

	for (size_t i = 0; i < m->n; i++) {
		int64_t other = m->members[i].name;

		if (name != GASPDB_NONE && other != GASPDB_NONE &&
		    name != other) {
			count_mismatch(m, GASPDB_MISMATCH_DIFFERENT_NAMES);
			return false;
		}
		if (other != GASPDB_NONE)
			name = other;
	}
	return true;
}

static int64_t *process_values(const struct match *m, size_t row)
{
	return gaspdb_groups_row(&m->processes, row) + m->processes.n_keys;
}

/* Mark the processes in the instance as seen; returns the number of those with
   a rank. */
static int64_t mark_members(struct match *m)
{
	int64_t seen = 0;

	for (size_t i = 0; i < m->n; i++) {
		const int64_t process =
			gaspdb_run_process(m->run, m->members[i].thread);
		int64_t *v = gaspdb_groups_find(&m->processes, &process);

		if (!v || v[RANK] <= 0 || v[SEEN] == m->last_id)
			continue;
		v[SEEN] = m->last_id;
		v[TIMES_SEEN]++;
		seen++;
	}
	return seen;
}

static void list_processes(struct match *m)
{
	m->n_always_seen = 0;
	for (size_t i = 0; i < m->processes.n; i++)
		if (process_values(m, i)[RANK] > 0 &&
		    gaspdb_grow(m->run, &m->always_seen, m->n_always_seen,
				&m->always_seen_room, sizeof *m->always_seen))
			m->always_seen[m->n_always_seen++] = i;
	m->known = (int64_t)m->n_always_seen;
}

/* Count the missing members of a partial instance. In a large team with few
   logs only the processes with a log are inspected. */
static void count_missing(struct match *m)
{
	const int64_t sequence = m->members[0].sequence;
	size_t kept = 0;

	if (!m->partial++)
		list_processes(m);
	if (mark_members(m) == m->known)
		gaspdb_collective_quality_missing(&m->quality, m->team.id,
						  GASPDB_NONE, 1, sequence);
	for (size_t i = 0; i < m->n_always_seen; i++) {
		int64_t *v = process_values(m, m->always_seen[i]);

		if (v[SEEN] == m->last_id)
			m->always_seen[kept++] = m->always_seen[i];
		else
			v[FIRST_MISSED] = sequence;
	}
	m->n_always_seen = kept;
}

/* The rule of a UPC collective in which each thread waits for its own data. */
static enum gaspdb_collective_rule upc_data_rule(const struct match *m)
{
	const struct gaspdb_member *a = &m->members[0];
	const enum gaspdb_collective_rule rule = operation_of(m, a)->rule;
	const bool all_have_parts =
		a->parts == GASPDB_NONE || a->parts >= m->team.size;

	switch (rule) {
	case GASPDB_COLLECTIVE_FROM_ROOT:
	case GASPDB_COLLECTIVE_TO_ROOT:
		return all_have_parts && a->root >= 0
			       ? rule
			       : GASPDB_COLLECTIVE_UNKNOWN;
	case GASPDB_COLLECTIVE_BEFORE: /* parts start at rank 0 */
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

/* The rule for an intercommunicator: data go from one group to the other. */
static enum gaspdb_collective_rule inter_rule(struct match *m,
					      struct gaspdb_instance *in,
					      enum gaspdb_collective_rule rule)
{
	if (!roots_agree(m))
		return GASPDB_COLLECTIVE_MISMATCH;
	if (!groups_known(m, in))
		return GASPDB_COLLECTIVE_UNKNOWN;
	switch (rule) {
	case GASPDB_COLLECTIVE_ALL:
		return GASPDB_COLLECTIVE_GROUPS;
	case GASPDB_COLLECTIVE_DATA:
		return GASPDB_COLLECTIVE_GROUPS_DATA;
	case GASPDB_COLLECTIVE_BEFORE: /* MPI has no such collective */
	case GASPDB_COLLECTIVE_NEIGHBORS:
		return GASPDB_COLLECTIVE_UNKNOWN;
	default:
		return rule;
	}
}

/*
 * The rule of a UPC collective. Numbers by the order of calls are trusted for a
 * synchronizing instance only if its calls overlap, as they must.
 */
static enum gaspdb_collective_rule upc_rule(struct match *m,
					    const struct gaspdb_instance *in)
{
	enum gaspdb_collective_rule rule = GASPDB_COLLECTIVE_ALL;

	if (!same_flags(m)) {
		count_mismatch(m, GASPDB_MISMATCH_DIFFERENT_FLAGS);
		return GASPDB_COLLECTIVE_MISMATCH;
	}
	if (m->members[0].sync == GASPDB_UPC_SYNC_NONE)
		return GASPDB_COLLECTIVE_NONE;
	if (m->members[0].sync == GASPDB_UPC_SYNC_DATA)
		rule = upc_data_rule(m);
	if (gaspdb_collective_synchronizes(rule) && !in->overlaps) {
		count_mismatch(m, GASPDB_MISMATCH_NO_OVERLAP);
		return GASPDB_COLLECTIVE_MISMATCH;
	}
	return rule;
}

static enum gaspdb_collective_rule rule_of(const struct match *m,
					   const struct gaspdb_member *member)
{
	const struct gaspdb_collective_operation *o = operation_of(m, member);

	return o->start ? gaspdb_collective_rule_of_start(member->does)
			: o->rule;
}

/* Does the instance mix the worlds of spawned processes, which look the same
   and have unknown ranks? */
static bool is_of_several_worlds(struct match *m, struct gaspdb_instance *in)
{
	return !m->team.inter && (int64_t)m->n > m->team.size &&
	       rank_members(m, in) && m->ranks[0] < 0;
}

static enum gaspdb_collective_rule choose_rule(struct match *m,
					       struct gaspdb_instance *in)
{
	enum gaspdb_collective_rule rule;

	if (is_of_several_worlds(m, in))
		return GASPDB_COLLECTIVE_UNKNOWN;
	if (m->n > 1 && (!consistent(m) || !names_agree(m)))
		return GASPDB_COLLECTIVE_MISMATCH;
	if (m->team.size == 1 && !m->team.inter)
		return GASPDB_COLLECTIVE_NONE;
	if (m->team.id == m->unnumbered &&
	    m->members[0].sequence < GASPDB_COLLECTIVE_ENDS)
		return upc_rule(m, in);
	rule = rule_of(m, in->members);
	if (m->team.inter && rule != GASPDB_COLLECTIVE_IF_OVERLAP)
		return inter_rule(m, in, rule);
	if (m->team.is_active_set && !m->members[0].sequence && in->overlaps)
		return GASPDB_COLLECTIVE_ALL;
	if (rule == GASPDB_COLLECTIVE_DATA &&
	    gaspdb_instance_waits_for_sizes(in))
		return GASPDB_COLLECTIVE_SIZES;
	if (rule != GASPDB_COLLECTIVE_IF_OVERLAP)
		return rule;
	return in->overlaps ? GASPDB_COLLECTIVE_ALL : GASPDB_COLLECTIVE_UNKNOWN;
}

/* Is any time of arrival known? If not, the enters of the second halves replace
   them in the table, and there are no waits. */
static bool arrivals_known(struct match *m)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->members[i].enter_ns != GASPDB_NONE)
			return true;
	for (size_t i = 0; i < m->n; i++)
		m->members[i].enter_ns = m->members[i].wait_enter_ns;
	return false;
}

/* Find the groups that lack members, if each group waits for the other. */
static void find_groups(const struct match *m, struct gaspdb_instance *in)
{
	int64_t seen[2] = { 0, 0 };
	const bool groups = in->rule == GASPDB_COLLECTIVE_GROUPS ||
			    in->rule == GASPDB_COLLECTIVE_GROUPS_DATA;

	in->local = groups ? m->team.local : GASPDB_NONE;
	if (!groups) {
		in->group_partial[0] = in->partial;
		return;
	}
	for (size_t i = 0; i < in->n; i++)
		seen[gaspdb_instance_group(in, i)]++;
	in->group_partial[0] = seen[0] < m->team.local;
	in->group_partial[1] = seen[1] < m->team.size - m->team.local;
}

/* Find the member that each one waits for, if these differ. */
static void find_awaited(struct match *m, struct gaspdb_instance *in)
{
	if (in->rule != GASPDB_COLLECTIVE_BEFORE &&
	    in->rule != GASPDB_COLLECTIVE_NEIGHBORS)
		return;
	if (!rank_members(m, in))
		in->rule = GASPDB_COLLECTIVE_UNKNOWN;
	else if (in->rule == GASPDB_COLLECTIVE_BEFORE)
		gaspdb_instance_find_before(in, m->ranked, m->awaited);
	else if (!gaspdb_neighbors_find(&m->neighbors, m->team.id, m->team.size,
					in, m->awaited))
		in->rule = GASPDB_COLLECTIVE_UNKNOWN;
}

/* Is the waiting time of member i unknown? The rule is unknown, or a member
   without an event may have arrived last. */
static bool has_unknown_wait(const struct gaspdb_instance *in, size_t i)
{
	switch (in->rule) {
	case GASPDB_COLLECTIVE_UNKNOWN:
	case GASPDB_COLLECTIVE_MISMATCH:
		return true;
	case GASPDB_COLLECTIVE_NEIGHBORS:
		return in->awaited[i].missing || in->awaited[i].unknown;
	default:
		return in->bound;
	}
}

static void add_unknown_waits(struct match *m, const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (has_unknown_wait(in, i))
			gaspdb_unknown_waits_add(&m->unknown_waits,
						 in->members[i].wait_event);
}

/* Is it an instance of a team of one, with a known arrival? It has no waits. */
static bool is_alone(const struct match *m)
{
	return m->n == 1 && m->team.size == 1 && !m->team.inter &&
	       m->members[0].enter_ns != GASPDB_NONE;
}

static void finish_alone(struct match *m, struct gaspdb_instance *in)
{
	const struct gaspdb_member *a = &m->members[0];

	in->rule = GASPDB_COLLECTIVE_NONE;
	in->local = GASPDB_NONE;
	in->first_leave_ns = in->last_leave_ns =
		a->leave_ns != GASPDB_NONE ? a->leave_ns : a->enter_ns;
	gaspdb_collective_rows_add(&m->rows, m->last_id, &m->team, in, 0);
}

static void finish_instance(struct match *m)
{
	struct gaspdb_instance in = { .members = m->members, .n = m->n };
	int64_t wait_ns;
	bool known;

	if (!m->n || m->run->status != GASPDB_OK)
		return;
	if (m->team.size < 0) {
		count_mismatch(m, GASPDB_MISMATCH_UNKNOWN_TEAM);
		return;
	}
	m->last_id++;
	if (is_alone(m)) {
		finish_alone(m, &in);
		return;
	}
	in.partial = (int64_t)m->n < m->team.size;
	if (in.partial)
		count_missing(m);
	known = arrivals_known(m);
	gaspdb_instance_measure(&in, &m->overlap);
	in.rule = known ? choose_rule(m, &in) : GASPDB_COLLECTIVE_UNKNOWN;
	find_groups(m, &in);
	find_awaited(m, &in);
	if (gaspdb_collective_waits_refute(&m->waits, &in))
		in.rule = GASPDB_COLLECTIVE_MISMATCH;
	wait_ns = gaspdb_collective_waits_add(&m->waits, &in);
	gaspdb_collective_syncs_add(&m->syncs, m->last_id, m->run, &in);
	gaspdb_barriers_add(&m->barriers, m->last_id, &in);
	add_unknown_waits(m, &in);
	gaspdb_collective_rows_add(&m->rows, m->last_id, &m->team, &in,
				   wait_ns);
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
		if (member->team != m->team.id)
			load_team(m, member->team);
		if (!gaspdb_grow(m->run, &m->members, m->n, &m->room,
				 sizeof(*m->members)))
			break;
		m->members[m->n++] = *member;
	}
	finish_instance(m);
	report_missing(m);
}

static void prepare(struct match *m)
{
	m->team_size = gaspdb_prepare(m->run, gaspdb_sql_collective_team);
	m->team_members =
		gaspdb_prepare(m->run, gaspdb_sql_collective_team_members);
}

enum gaspdb_status gaspdb_pass_collectives(struct gaspdb_run *run)
{
	struct match m = { .run = run,
			   .team = { .id = GASPDB_NONE, .size = -1 } };
	struct gaspdb_members members;

	gaspdb_collective_waits_open(&m.waits, run);
	gaspdb_overlap_test_open(&m.overlap, run);
	gaspdb_syncs_open(&m.syncs, run);
	gaspdb_barriers_open(&m.barriers, run);
	gaspdb_unknown_waits_open(&m.unknown_waits, run);
	gaspdb_neighbors_open(&m.neighbors, run);
	gaspdb_groups_init(&m.processes, 1, PROCESS_VALUES);
	gaspdb_collective_quality_open(&m.quality, run);
	gaspdb_collective_operations_load(&m.operations, run);
	gaspdb_members_init(&members, run);
	m.unnumbered = gaspdb_collective_events_gather(run, &members);
	gaspdb_collective_rows_open(&m.rows, run, &m.operations);
	prepare(&m);
	read_instances(&m, &members);
	gaspdb_members_fini(&members);
	sqlite3_finalize(m.team_size);
	sqlite3_finalize(m.team_members);
	gaspdb_groups_fini(&m.processes);
	free(m.always_seen);
	gaspdb_collective_rows_close(&m.rows);
	gaspdb_collective_quality_close(&m.quality);
	gaspdb_collective_waits_close(&m.waits);
	gaspdb_overlap_test_close(&m.overlap);
	gaspdb_barriers_close(&m.barriers);
	gaspdb_neighbors_close(&m.neighbors);
	gaspdb_collective_operations_free(&m.operations);
	free(m.members);
	free(m.ranks);
	free(m.awaited);
	free(m.ranked);
	return run->status;
}
