/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What threads did after their last record.
 *
 * One that was killed in a call was in it until then.  When that was no log
 * tells; but a program that hangs is ended, by its user or a limit of time,
 * when its command is, of which gaspdb record knows the end.
 *
 * The final barrier of a UPC program.  GNU's and Clang's runtimes, and others,
 * tell the program's end before it: by a pair without length, or by one record.
 * The thread then is in that barrier until its log ends, unless it does
 * anything else before.  So the event lasts until then, as it does where a
 * runtime tells its end after the barrier.
 */
#include "importer/replay/replay.h"

bool gaspdb_replay_begin_ending(struct gaspdb_importer *im,
				struct gaspdb_frame *f, bool atomic)
{
	if (!f || f != gaspdb_stack_top(&im->stack))
		return false;
	im->reading.ending = f;
	im->reading.ending_atomic = atomic;
	return true;
}

void gaspdb_replay_ending(struct gaspdb_importer *im, bool open)
{
	struct gaspdb_frame *f = im->reading.ending;

	if (!f)
		return;
	im->reading.ending = NULL;
	if (im->reading.ending_atomic)
		gaspdb_profile_single(&im->rollups, f->profile);
	gaspdb_replay_close(im, f, open && !im->reading.ending_atomic);
}

void gaspdb_replay_outlast(struct gaspdb_importer *im)
{
	const struct gaspdb_stack *s = &im->stack;

	if (im->failed_ns == GASPDB_NULL || im->reading.reader->whole ||
	    im->reading.damaged || im->reading.ahead ||
	    im->reading.size_limit || im->reading.off_ns != GASPDB_NULL ||
	    !s->n_runtime || im->failed_ns <= s->now_ns)
		return;
	gaspdb_stack_advance(&im->stack, im->failed_ns, GASPDB_STEP_NORMAL);
}
