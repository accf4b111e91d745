/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PROCESSOR records: time in which a thread was ready to run but had no
   processor. */
#include "importer/replay/replay.h"

/* Id of the open call of the runtime; NULL: none. */
static int64_t open_call(const struct gaspdb_stack *s)
{
	const struct gaspdb_frame *f = gaspdb_stack_top(s);

	if (s->context == GASPDB_CATEGORY_computation)
		return GASPDB_NULL;
	while (f && !f->operation->runtime)
		f = f->below;
	return f ? f->id : GASPDB_NULL;
}

/*
 * ticks used unserved total: from the last event until ticks, the thread was
 * ready without a processor for `unserved`. Its position in that interval is
 * unknown; it counts as the last part. In a call it may overlap a wait: a later
 * pass decides (analysis/waits/unserved.h). Of a thread that has a profile and
 * no events only the sums are known.
 */
void gaspdb_replay_processor(struct gaspdb_importer *im,
			     const struct gaspdb_field *f)
{
	struct gaspdb_stack *s = &im->stack;
	const int64_t start = s->now_ns, end = gaspdb_replay_moment(im, f[0].u);
	const int64_t unserved = gaspdb_number(f[2].u);
	const int64_t ns = unserved < end - start ? unserved : end - start;

	im->reading.processor.known = true;
	im->reading.processor.used_ns = gaspdb_bounded_ns(f[1].u);
	im->reading.processor.unserved_ns = gaspdb_bounded_ns(f[3].u);
	if (ns <= 0 || s->off || (im->cells.any && !im->reading.raw_events))
		return;
	gaspdb_insert(
		im->store, GASPDB_INSERT_unserved,
		GASPDB_VALUES(unserved){
			[GASPDB_UNSERVED_THREAD] = gaspdb_int(im->reading.id),
			[GASPDB_UNSERVED_EVENT] = gaspdb_int(open_call(s)),
			[GASPDB_UNSERVED_START] = gaspdb_int(start),
			[GASPDB_UNSERVED_END] = gaspdb_int(end),
			[GASPDB_UNSERVED_TIME] = gaspdb_int(ns) });
	gaspdb_stack_advance(s, end - ns, GASPDB_STEP_NORMAL);
	gaspdb_stack_advance(s, end, GASPDB_STEP_UNSERVED);
}
