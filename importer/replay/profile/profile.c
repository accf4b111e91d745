/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A profile's nodes become the sums that events would: profile, call paths,
 * regions, traffic, time by category. The tree is walked as the calls were
 * made, so that recursion, nesting and regions count as in a replay of events.
 * Where the log has a trace as well, the profile's sums take the place of the
 * trace's, or are added if the trace ended where the profile began: nothing
 * counts twice.
 */
#include "importer/replay/profile/parts.h"

#include "common/sum.h"

int64_t gaspdb_replay_length(const struct gaspdb_importer *im, uint64_t ticks)
{
	const double ns = gaspdb_timeline_length(&im->reading.thread->log->time,
						 (double)ticks);

	return ns < (double)GASPDB_TIME_MAX ? (int64_t)(ns + 0.5)
					    : GASPDB_TIME_MAX;
}

int64_t gaspdb_profiled_ns(const struct gaspdb_importer *im)
{
	return im->reading.is_rest ? gaspdb_replay_rest_ns(im)
				   : im->stack.now_ns - im->stack.first_ns;
}

void gaspdb_replay_profile_end(struct gaspdb_importer *im)
{
	struct gaspdb_cells *c = &im->cells;

	if (!c->any)
		return;
	gaspdb_cells_begin(c, im->reading.has_mode, im->reading.event_ticks,
			   &im->quality, im->reading.thread->log);
	im->reading.is_rest = c->from != 0;
	gaspdb_cells_link(c, &im->quality, im->reading.thread->log);
	if (im->reading.is_rest)
		gaspdb_replay_rest_begin(im);
	else if (c->has_first && c->last)
		gaspdb_stack_advance(&im->stack, gaspdb_replay_ns(im, c->last),
				     GASPDB_STEP_NORMAL);
	for (size_t i = 0; i < c->n_nodes; i++) {
		const struct gaspdb_node *n = &c->node[i];
		const struct gaspdb_log_site *site =
			n->open ? gaspdb_replay_site(im, n->site) : NULL;

		im->reading.open_runtime |= site && site->operation->runtime;
	}
}

/* --- sums ----------------------------------------------------------------- */

static void note_quality(struct gaspdb_importer *im)
{
	const struct gaspdb_cells *c = &im->cells;
	const char *name = im->reading.thread->log->name;

	im->reading.losses += c->losses;
	if (!im->reading.traced && !im->reading.is_rest)
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_PROFILE,
			&(struct gaspdb_defect){ .event = GASPDB_NULL,
						 .count = c->events });
	if (c->n_torn)
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_PROFILE_TORN,
			&(struct gaspdb_defect){ .event = GASPDB_NULL,
						 .file = name,
						 .offset = c->torn_offset,
						 .count = c->n_torn });
	if (c->lost)
		gaspdb_defect_add(&im->quality, GASPDB_QUALITY_PROFILE_LOST,
				  &(struct gaspdb_defect){ .event = GASPDB_NULL,
							   .file = name,
							   .count = c->lost });
	if (c->unkept)
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_PROFILE_TRAFFIC,
			&(struct gaspdb_defect){ .event = GASPDB_NULL,
						 .file = name,
						 .count = c->unkept });
}

/* What the trace has: the profile's sums take its place, or are added. */
static void prepare_sums(struct gaspdb_importer *im)
{
	if (im->reading.is_rest) {
		gaspdb_replay_rest_resume(im);
		return;
	}
	gaspdb_rollups_replace(&im->rollups);
	gaspdb_paths_replace(&im->paths);
	gaspdb_regions_replace(&im->regions);
}

void gaspdb_replay_profile(struct gaspdb_importer *im)
{
	const struct gaspdb_cells *c = &im->cells;
	const uint64_t read = im->reading.raw_events;

	prepare_sums(im);
	gaspdb_profile_walk(im);
	gaspdb_profile_traffic(im);
	note_quality(im);
	gaspdb_profile_share_time(im);
	if (im->reading.is_rest)
		im->reading.raw_events += c->events;
	else if (c->events > im->reading.raw_events)
		im->reading.raw_events = c->events;
	im->result->counted_events += im->reading.raw_events - read;
}
