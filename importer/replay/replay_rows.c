/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows that a thread has once: thread, recording, processor_use, and its times
   by category. */
#include <stdlib.h>
#include <string.h>

#include "importer/replay/replay.h"

/* Events may have been added after the prescan, if the run goes on. */
bool gaspdb_replay_has_time(const struct gaspdb_importer *im)
{
	return im->reading.thread->log->has_first ||
	       im->reading.raw_events > 0 || im->cells.has_first;
}

struct category_time {
	const char *name;
	int64_t ns;
};

static int by_name(const void *a, const void *b)
{
	const struct category_time *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void gaspdb_replay_insert_categories(struct gaspdb_importer *im)
{
	struct category_time rows[GASPDB_CATEGORIES_MAX + 3];
	const struct gaspdb_stack *s = &im->stack;
	size_t n = 0;

	if (!gaspdb_replay_has_time(im))
		return;
	for (uint32_t i = 0; i < im->registry.categories.n; i++)
		if (s->category_ns[i] > 0 || i == GASPDB_CATEGORY_computation)
			rows[n++] = (struct category_time){
				gaspdb_category_name(&im->registry, (uint8_t)i),
				s->category_ns[i]
			};
	if (s->tool_ns > 0)
		rows[n++] = (struct category_time){ "tool", s->tool_ns };
	if (s->not_recorded_ns > 0)
		rows[n++] = (struct category_time){ "not recorded",
						    s->not_recorded_ns };
	if (s->unserved_ns > 0)
		rows[n++] = (struct category_time){ GASPDB_UNSERVED,
						    s->unserved_ns };
	qsort(rows, n, sizeof *rows, by_name);
	for (size_t i = 0; i < n; i++)
		gaspdb_insert(im->store, GASPDB_INSERT_category_time,
			      GASPDB_VALUES(category_time){
				      [GASPDB_CATEGORY_TIME_THREAD] =
					      gaspdb_int(im->reading.id),
				      [GASPDB_CATEGORY_TIME_CATEGORY] =
					      gaspdb_str(rows[i].name),
				      [GASPDB_CATEGORY_TIME_TIME] =
					      gaspdb_int(rows[i].ns) });
}

void gaspdb_replay_insert_thread(struct gaspdb_importer *im,
				 int64_t first_event, int64_t last_event)
{
	const struct gaspdb_source_thread *t = im->reading.thread;
	const struct gaspdb_log_file *log = t->log;
	const bool any = last_event >= first_event;
	const bool timed = log && gaspdb_replay_has_time(im);
	char models[GASPDB_MODELS_BYTES];

	gaspdb_replay_models(im, models);
	gaspdb_insert(
		im->store, GASPDB_INSERT_thread,
		GASPDB_VALUES(thread){
			[GASPDB_THREAD_ID] = gaspdb_int(im->reading.id),
			[GASPDB_THREAD_RANK] = gaspdb_int(t->rank),
			[GASPDB_THREAD_NUMBER] = gaspdb_int(t->number),
			[GASPDB_THREAD_PID] =
				gaspdb_int(log ? log->header.pid : GASPDB_NULL),
			[GASPDB_THREAD_TID] = gaspdb_int(
				log && !log->header.unmade ? log->header.tid
							   : GASPDB_NULL),
			[GASPDB_THREAD_HOST] = gaspdb_str(
				log ? gaspdb_text_get(&im->registry, log->host)
				    : NULL),
			[GASPDB_THREAD_MODEL] =
				gaspdb_str(*models ? models : NULL),
			[GASPDB_THREAD_FIRST] = gaspdb_int(
				timed ? im->stack.first_ns : GASPDB_NULL),
			[GASPDB_THREAD_LAST] = gaspdb_int(
				timed ? im->stack.now_ns : GASPDB_NULL),
			[GASPDB_THREAD_COMPLETE] = gaspdb_int(
				log && !im->reading.losses &&
				!log->header.damaged && !log->strange),
			[GASPDB_THREAD_FIRST_EVENT] =
				gaspdb_int(any ? first_event : GASPDB_NULL),
			[GASPDB_THREAD_LAST_EVENT] =
				gaspdb_int(any ? last_event : GASPDB_NULL),
			[GASPDB_THREAD_FILE] =
				gaspdb_str(log ? log->name : NULL) });
}

static void insert_processor_use(struct gaspdb_importer *im)
{
	if (im->reading.processor.known)
		gaspdb_insert(
			im->store, GASPDB_INSERT_processor_use,
			GASPDB_VALUES(processor_use){
				[GASPDB_PROCESSOR_USE_THREAD] =
					gaspdb_int(im->reading.id),
				[GASPDB_PROCESSOR_USE_USED] = gaspdb_int(
					im->reading.processor.used_ns),
				[GASPDB_PROCESSOR_USE_UNSERVED] = gaspdb_int(
					im->reading.processor.unserved_ns) });
}

void gaspdb_replay_insert_recording(struct gaspdb_importer *im)
{
	im->result->raw_events += im->reading.raw_events;
	gaspdb_insert(
		im->store, GASPDB_INSERT_recording,
		GASPDB_VALUES(recording){
			[GASPDB_RECORDING_THREAD] = gaspdb_int(im->reading.id),
			[GASPDB_RECORDING_RAW_EVENTS] =
				gaspdb_int((int64_t)im->reading.raw_events),
			[GASPDB_RECORDING_MASKED] =
				gaspdb_int(im->reading.masked),
			[GASPDB_RECORDING_EVENT_COST] =
				im->reading.event_cost_ns > 0
					? gaspdb_real(im->reading.event_cost_ns)
					: gaspdb_int(GASPDB_NULL),
			[GASPDB_RECORDING_TOOL] =
				gaspdb_int(im->reading.tool_ns) });
	insert_processor_use(im);
}
