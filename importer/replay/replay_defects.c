/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of quality for a thread whose log has been replayed: what was counted
   while its records were read. */
#include <stdio.h>
#include <string.h>

#include "importer/log/damage.h"
#include "importer/replay/replay.h"

static void add_tally(struct gaspdb_importer *im, enum gaspdb_quality_kind kind,
		      const struct gaspdb_tally *t, const char *detail)
{
	if (t->count)
		gaspdb_defect_add(
			&im->quality, kind,
			&(struct gaspdb_defect){
				.count = t->count,
				.event = t->event,
				.time_ns = (uint64_t)t->time_ns,
				.file = t->offset
						? im->reading.thread->log->name
						: NULL,
				.offset = t->offset,
				.detail = detail });
}

/* Definitions beyond the limits of a log or the run. */
static void add_left_out(struct gaspdb_importer *im)
{
	add_tally(
		im, GASPDB_QUALITY_DEFINITIONS_LEFT_OUT,
		&(struct gaspdb_tally){ .count = im->reading.modules_left_out },
		"modules");
	add_tally(im, GASPDB_QUALITY_DEFINITIONS_LEFT_OUT,
		  &(struct gaspdb_tally){
			  .count = im->reading.operations_left_out },
		  "operations");
	add_tally(im, GASPDB_QUALITY_DEFINITIONS_LEFT_OUT,
		  &(struct gaspdb_tally){ .count = im->registry.texts_left_out -
						   im->reading.texts_left_out },
		  "texts");
	add_tally(
		im, GASPDB_QUALITY_DEFINITIONS_LEFT_OUT,
		&(struct gaspdb_tally){ .count = im->registry.sources_left_out -
						 im->reading.sources_left_out },
		"lines");
	add_tally(im, GASPDB_QUALITY_DEFINITIONS_LEFT_OUT,
		  &(struct gaspdb_tally){ .count = im->reading.facts_left_out },
		  "facts");
	add_tally(im, GASPDB_QUALITY_DEFINITIONS_LEFT_OUT,
		  &(struct gaspdb_tally){ .count = im->entities.left_out },
		  "entities");
	add_tally(im, GASPDB_QUALITY_TEAMS_LEFT_OUT,
		  &(struct gaspdb_tally){ .count = im->teams.left_out }, NULL);
}

static void add_tallies(struct gaspdb_importer *im)
{
	char detail[32];

	add_tally(im, GASPDB_QUALITY_CROSSED_EVENTS, &im->reading.crossed,
		  NULL);
	add_tally(im, GASPDB_QUALITY_CLOCK_BACKWARDS, &im->reading.backwards,
		  NULL);
	if (im->stack.now_ns >= GASPDB_TIME_MAX)
		gaspdb_defect_add(&im->quality, GASPDB_QUALITY_TIME_RANGE,
				  &(struct gaspdb_defect){
					  .event = GASPDB_NULL,
					  .file = im->reading.thread->log->name,
					  .count = 1 });
	add_tally(im, GASPDB_QUALITY_CONTRADICTION, &im->reading.contradiction,
		  NULL);
	add_tally(im, GASPDB_QUALITY_UNKNOWN_SITE, &im->reading.unknown_site,
		  gaspdb_damage_no_site(im->reading.ahead));
	add_tally(im, GASPDB_QUALITY_OBJECT_UNKNOWN,
		  &im->reading.unknown_object, "flags and targets");
	add_tally(im, GASPDB_QUALITY_ENTITY_UNKNOWN,
		  &im->reading.unknown_entity, NULL);
	add_tally(im, GASPDB_QUALITY_SIZE_RANGE, &im->reading.too_large, NULL);
	add_tally(im, GASPDB_QUALITY_TOO_DEEP, &im->reading.too_deep, NULL);
	add_tally(im, GASPDB_QUALITY_PROFILE_FULL, &im->reading.profile.full,
		  NULL);
	add_tally(im, GASPDB_QUALITY_PATH_DEEP,
		  &(struct gaspdb_tally){ .count = im->paths.deep }, NULL);
	add_tally(im, GASPDB_QUALITY_PATH_LEFT_OUT,
		  &(struct gaspdb_tally){ .count = im->paths.left_out }, NULL);
	im->reading.losses += im->reading.contradiction.count +
			      im->reading.unknown_site.count;
	for (unsigned kind = 0; kind < 64; kind++) {
		if (!im->reading.unknown_kind[kind].count)
			continue;
		snprintf(detail, sizeof detail, "kind %u", kind);
		add_tally(im, GASPDB_QUALITY_UNKNOWN_RECORD,
			  &im->reading.unknown_kind[kind], detail);
	}
	add_tally(
		im, GASPDB_QUALITY_ARGUMENTS_LEFT_OUT,
		&(struct gaspdb_tally){ .count = im->arguments.dropped,
					.event = im->arguments.first_dropped },
		NULL);
	add_tally(im, GASPDB_QUALITY_SEGMENTS_LEFT_OUT,
		  &(struct gaspdb_tally){ .count = im->segments.left_out },
		  NULL);
	add_left_out(im);
	if (im->reading.lost_total > im->reading.lost_reported)
		gaspdb_damage_lost(&im->quality, im->reading.thread->log,
				   im->reading.reader,
				   im->reading.lost_total -
					   im->reading.lost_reported,
				   NULL);
}

/* UPC: peers are thread numbers, so that without its own number a thread's
   traffic cannot be attributed. */
static void note_no_number(struct gaspdb_importer *im)
{
	const char *model = gaspdb_text_get(&im->registry, im->reading.model);

	if (im->reading.thread->rank == GASPDB_NULL && model &&
	    !strcmp(model, "UPC"))
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_NO_THREAD_NUMBER,
			&(struct gaspdb_defect){
				.file = im->reading.thread->log->name });
}

static void note_unfinished(struct gaspdb_importer *im)
{
	im->reading.losses += gaspdb_damage_unfinished(
		&im->quality, im->reading.thread->log, im->reading.reader);
}

static void note_size_limit(struct gaspdb_importer *im)
{
	const bool rest = im->reading.is_rest;

	if (!rest && !im->reading.size_limit)
		return;
	gaspdb_defect_add(
		&im->quality, GASPDB_QUALITY_SIZE_LIMIT,
		&(struct gaspdb_defect){
			.file = im->reading.thread->log->name,
			.bytes = im->reading.thread->log->size,
			.time_ns =
				rest ? (uint64_t)gaspdb_replay_rest_ns(im) : 0,
			.detail = rest ? "since then calls are summed up"
				       : NULL });
}

static void note_off(struct gaspdb_importer *im)
{
	if (im->reading.events_off)
		gaspdb_defect_add(
			&im->quality, GASPDB_QUALITY_OFF,
			&(struct gaspdb_defect){
				.count = im->reading.events_off,
				.time_ns =
					(uint64_t)im->reading.off_total_ns });
}

void gaspdb_replay_note_defects(struct gaspdb_importer *im)
{
	add_tallies(im);
	note_no_number(im);
	if (!im->reading.reader->whole)
		note_unfinished(im);
	gaspdb_replay_note_throttled(im);
	note_size_limit(im);
	note_off(im);
}
