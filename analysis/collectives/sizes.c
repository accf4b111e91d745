/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Members of 0 bytes. By definition of the operation, a member that knows all
 * sizes needs nothing from a member of 0 bytes. MPI libraries differ: in a ring
 * algorithm all data pass through that member, too. So the times decide:
 * whether all left soon after that member had arrived.
 */
#include "analysis/collectives/sizes.h"

/* A member that leaves at a random time of its own transfer is taken for a
   waiting one in at most one of SOON cases. */
enum { SOON = 4 };

static bool any_is_without_data(const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (!in->members[i].bytes || !in->members[i].bytes_received)
			return true;
	return false;
}

/* Do members know the others' sizes? Their calls have the size received then.
 */
static bool sizes_are_known(const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (in->members[i].bytes_received != GASPDB_NONE)
			return true;
	return false;
}

/*
 * The last arrival that a member with data has to wait for: after it, only
 * members of 0 bytes were missing, or were waiting. NONE: no such arrival.
 */
static int64_t explained_until(const struct gaspdb_instance *in)
{
	const struct gaspdb_member *last = &in->members[in->last];
	const bool sends = last->bytes != 0;
	int64_t until_ns = GASPDB_NONE;

	for (size_t i = 0; i < in->n; i++) {
		const struct gaspdb_member *m = &in->members[i];
		const bool counts =
			sends ? m->bytes_received == 0 : m->bytes != 0;

		if (m != last && counts &&
		    (until_ns == GASPDB_NONE || m->enter_ns > until_ns))
			until_ns = m->enter_ns;
	}
	if (until_ns == GASPDB_NONE && !sends)
		until_ns = in->members[in->first].enter_ns;
	return until_ns;
}

static bool all_left_soon(const struct gaspdb_instance *in)
{
	const int64_t came_ns = in->members[in->last].enter_ns;
	const int64_t until_ns = explained_until(in);

	return in->overlaps && until_ns != GASPDB_NONE &&
	       in->last_leave_ns - came_ns < (came_ns - until_ns) / SOON;
}

static bool all_are_recorded(const struct gaspdb_instance *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (in->members[i].leave_ns == GASPDB_NONE)
			return false;
	return !in->bound;
}

bool gaspdb_instance_waits_for_sizes(const struct gaspdb_instance *in)
{
	if (!any_is_without_data(in))
		return false;
	if (!sizes_are_known(in))
		return true;
	return all_are_recorded(in) && all_left_soon(in);
}
