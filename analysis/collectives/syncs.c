/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orderings by collectives. If all wait for all, or the root for all, all
 * senders must have arrived. (The wait of a root ends with the first sender,
 * but its call cannot end before the last.) If each member waits for different
 * ones, as in a scan, only the last of them is added: one row per member
 * instead of one per pair.
 */
#include "analysis/collectives/syncs.h"

/* Do all senders release others, not only the root? */
static bool all_release(const struct gaspdb_instance *in)
{
	return in->rule != GASPDB_COLLECTIVE_FROM_ROOT;
}

static bool all_are_released(const struct gaspdb_instance *in)
{
	return in->rule != GASPDB_COLLECTIVE_TO_ROOT;
}

static bool is_root(const struct gaspdb_run *run, const struct gaspdb_member *m)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(run, m->thread);

	return t && t->rank == m->root;
}

/* Does a member with a known arrival release others? */
static bool releases(const struct gaspdb_run *run,
		     const struct gaspdb_instance *in,
		     const struct gaspdb_member *m)
{
	return m->enter_ns != GASPDB_NONE && gaspdb_member_sends(in, m) &&
	       (all_release(in) || is_root(run, m));
}

/* Is a member with a known leave released by others? */
static bool is_released(const struct gaspdb_run *run,
			const struct gaspdb_instance *in,
			const struct gaspdb_member *m)
{
	return m->leave_ns != GASPDB_NONE && m->wait_event != GASPDB_NONE &&
	       gaspdb_member_receives(in, m) &&
	       (all_are_released(in) || is_root(run, m));
}

static void add_each(struct gaspdb_syncs *syncs, const struct gaspdb_run *run,
		     const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		const int64_t last = in->awaited[i].last;

		if (last != GASPDB_NONE && is_released(run, in, m))
			gaspdb_syncs_pair(syncs, GASPDB_SYNC_MEMBER, m->event,
					  in->members[last].event,
					  m->wait_event);
	}
}

static void add_others(struct gaspdb_syncs *syncs, int64_t id,
		       const struct gaspdb_run *run,
		       const struct gaspdb_instance *in)
{
	int64_t parts = 0;

	for (size_t i = 0; i < in->n; i++)
		parts += releases(run, in, &in->members[i]) +
			 is_released(run, in, &in->members[i]);
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		const unsigned first =
			releases(run, in, m) ? GASPDB_SYNC_RELEASES : 0;
		const unsigned second =
			is_released(run, in, m) ? GASPDB_SYNC_RELEASED : 0;

		if (m->event == m->wait_event) {
			gaspdb_syncs_add(syncs, GASPDB_SYNC_COLLECTIVE, id,
					 m->event, first | second, parts);
			continue;
		}
		gaspdb_syncs_add(syncs, GASPDB_SYNC_COLLECTIVE, id, m->event,
				 first, parts);
		gaspdb_syncs_add(syncs, GASPDB_SYNC_COLLECTIVE, id,
				 m->wait_event, second, parts);
	}
}

/* Each group releases the other. */
static void add_groups(struct gaspdb_syncs *syncs, int64_t id,
		       const struct gaspdb_run *run,
		       const struct gaspdb_instance *in)
{
	int64_t parts[2] = { 0, 0 };

	for (size_t i = 0; i < in->n; i++) {
		const unsigned group = gaspdb_instance_group(in, i);

		parts[group] += releases(run, in, &in->members[i]);
		parts[1 - group] += is_released(run, in, &in->members[i]);
	}
	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		const unsigned group = gaspdb_instance_group(in, i);

		if (releases(run, in, m))
			gaspdb_syncs_add(syncs, GASPDB_SYNC_GROUP,
					 2 * id + group, m->event,
					 GASPDB_SYNC_RELEASES, parts[group]);
		if (is_released(run, in, m))
			gaspdb_syncs_add(syncs, GASPDB_SYNC_GROUP,
					 2 * id + 1 - group, m->wait_event,
					 GASPDB_SYNC_RELEASED,
					 parts[1 - group]);
	}
}

void gaspdb_collective_syncs_add(struct gaspdb_syncs *syncs, int64_t id,
				 const struct gaspdb_run *run,
				 const struct gaspdb_instance *in)
{
	switch (in->rule) {
	case GASPDB_COLLECTIVE_BEFORE:
	case GASPDB_COLLECTIVE_NEIGHBORS:
		add_each(syncs, run, in);
		break;
	case GASPDB_COLLECTIVE_GROUPS:
	case GASPDB_COLLECTIVE_GROUPS_DATA:
		add_groups(syncs, id, run, in);
		break;
	case GASPDB_COLLECTIVE_ALL:
	case GASPDB_COLLECTIVE_DATA:
	case GASPDB_COLLECTIVE_SIZES:
	case GASPDB_COLLECTIVE_FROM_ROOT:
	case GASPDB_COLLECTIVE_TO_ROOT:
		add_others(syncs, id, run, in);
		break;
	default:
		break;
	}
}
