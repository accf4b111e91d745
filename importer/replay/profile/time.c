/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time that a profile is of, by category. */
#include "importer/replay/profile/parts.h"

#include "common/sum.h"

/* Takes a part of what is left of the thread's time. */
static int64_t part_of(int64_t *left, int64_t ns)
{
	const int64_t part = gaspdb_min(*left, gaspdb_max(0, ns));

	*left -= part;
	return part;
}

/* Time in which recording was off, which a profile has as a sum. */
static int64_t off_ns(struct gaspdb_importer *im)
{
	const struct gaspdb_cells *c = &im->cells;
	const int64_t ns = gaspdb_replay_length(im, c->off);

	if (!c->off_since)
		return ns;
	return gaspdb_plus(
		ns, gaspdb_max(0, im->stack.now_ns -
					  gaspdb_replay_ns(im, c->off_since)));
}

/* Time while nothing was recorded, and in calls at unknown sites. What a trace
   left out while it was off, a profile of the whole time has. */
static int64_t unrecorded_ns(struct gaspdb_importer *im)
{
	int64_t ns = gaspdb_plus(im->reading.profile.unknown_ns, off_ns(im));

	if (!im->reading.is_rest)
		gaspdb_add_to(&ns,
			      gaspdb_max(0, im->stack.not_recorded_ns -
						    im->reading.off_total_ns));
	return ns;
}

/* Categories sum up to the thread's time; computation is the rest. */
static void share_time(struct gaspdb_importer *im)
{
	struct gaspdb_stack *s = &im->stack;
	const struct gaspdb_profile_reading *p = &im->reading.profile;
	int64_t left = gaspdb_profiled_ns(im);

	for (uint32_t i = 0; i < im->registry.categories.n; i++)
		s->category_ns[i] = part_of(&left, p->category_ns[i]);
	s->not_recorded_ns = part_of(&left, unrecorded_ns(im));
	s->tool_ns = part_of(
		&left, gaspdb_max(s->tool_ns,
				  gaspdb_replay_length(im, im->cells.tool)));
	s->unserved_ns = part_of(&left, s->unserved_ns);
	s->category_ns[GASPDB_CATEGORY_computation] = left;
}

/* The same for the time after a trace, which is added to its own. */
static void share_rest(struct gaspdb_importer *im)
{
	struct gaspdb_stack *s = &im->stack;
	const struct gaspdb_profile_reading *p = &im->reading.profile;
	int64_t left = gaspdb_profiled_ns(im);

	s->not_recorded_ns -= left; /* gaspdb_replay_rest_advance() */
	for (uint32_t i = 0; i < im->registry.categories.n; i++)
		s->category_ns[i] += part_of(&left, p->category_ns[i]);
	s->not_recorded_ns += part_of(&left, unrecorded_ns(im));
	s->tool_ns += part_of(&left, gaspdb_replay_length(im, im->cells.tool));
	s->category_ns[GASPDB_CATEGORY_computation] += left;
}

void gaspdb_profile_share_time(struct gaspdb_importer *im)
{
	if (im->reading.is_rest)
		share_rest(im);
	else
		share_time(im);
}
