/* SPDX-License-Identifier: GPL-3.0-or-later */
/* THROTTLED records: calls of functions that are no events. */
#include "common/sum.h"
#include "importer/replay/call_stacks.h"
#include "importer/replay/replay.h"

/* The length of ticks in ns, which the numbers of a log may not exceed. */
static int64_t length_ns(const struct gaspdb_importer *im, uint64_t ticks)
{
	const double ns = gaspdb_timeline_length(&im->reading.thread->log->time,
						 (double)ticks);

	return ns < (double)GASPDB_BYTES_MAX ? (int64_t)(ns + 0.5)
					     : GASPDB_BYTES_MAX;
}

/* site caller calls total inner self quiet least most */
static struct gaspdb_throttled_calls calls_of(const struct gaspdb_importer *im,
					      const struct gaspdb_field *f)
{
	return (struct gaspdb_throttled_calls){
		.calls = gaspdb_size(f[2].u),
		.total_ns = length_ns(im, f[3].u),
		.inner_ns = length_ns(im, f[4].u),
		.self_ns = length_ns(im, f[5].u),
		.quiet_ns = length_ns(im, f[6].u),
		.least_ns = length_ns(im, f[7].u),
		.most_ns = length_ns(im, f[8].u),
	};
}

/*
 * Adds the calls to the profile and to the path below the caller's latest one.
 * The caller's events have the time of the calls in their self time: there it
 * is taken out of the sums.
 */
static void add_calls(struct gaspdb_importer *im, struct gaspdb_log_site *site,
		      const struct gaspdb_log_site *caller,
		      const struct gaspdb_throttled_calls *calls)
{
	const uint32_t profile =
		gaspdb_profile_number(&im->rollups, site->source, false);
	const uint32_t path = gaspdb_path_start(
		&im->paths, caller ? caller->path : 0, site, profile);

	gaspdb_profile_throttled(&im->rollups, profile, calls,
				 caller &&
					 caller->operation == site->operation);
	gaspdb_path_throttled(&im->paths, path, calls);
	gaspdb_region_throttled(&im->regions, site->operation, site->source,
				calls);
	if (!caller)
		return;
	gaspdb_profile_less(&im->rollups, caller->profile[0] - 1,
			    calls->self_ns);
	gaspdb_path_less(&im->paths, caller->path, calls->self_ns);
}

/* The caller, if it has had events; NULL: none. */
static const struct gaspdb_log_site *caller_of(struct gaspdb_importer *im,
					       uint64_t id)
{
	const struct gaspdb_log_site *caller = gaspdb_replay_site(im, id);

	return caller && caller->profile[0] && caller->path ? caller : NULL;
}

void gaspdb_replay_throttled(struct gaspdb_importer *im,
			     const struct gaspdb_record *rec,
			     const struct gaspdb_field *f)
{
	struct gaspdb_log_site *site =
		gaspdb_definitions_site(&im->definitions, f[0].u);
	const struct gaspdb_log_site *caller = caller_of(im, f[1].u);
	const struct gaspdb_throttled_calls calls = calls_of(im, f);

	if (!site || !site->operation->function || !calls.calls) {
		gaspdb_tally(&im->reading.unknown_site, rec);
		return;
	}
	gaspdb_replay_source(im, site);
	add_calls(im, site, caller, &calls);
	gaspdb_throttled_add(&im->throttled, site->source,
			     caller ? caller->source : 0, &calls);
}

/* --- the end of a thread -------------------------------------------------- */

void gaspdb_replay_note_throttled(struct gaspdb_importer *im)
{
	const struct gaspdb_throttled_set *t = &im->throttled.functions;

	for (uint32_t i = 0; i < t->index.n; i++) {
		const struct gaspdb_throttled_sums *s = &t->sums[i];
		const uint32_t function =
			im->registry.source[s->source - 1].place.function;

		gaspdb_defect_add(&im->quality, GASPDB_QUALITY_THROTTLED,
				  &(struct gaspdb_defect){
					  .count = (uint64_t)s->calls,
					  .time_ns = (uint64_t)gaspdb_plus(
						  s->total_ns, s->inner_ns),
					  .detail = gaspdb_text_get(
						  &im->registry, function) });
	}
}
