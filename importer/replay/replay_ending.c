/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time after a thread's last record.
 *
 * A thread that was killed in a call was in it until then. The log does not
 * have the time of the kill; but a program that hangs is usually killed with
 * its command, and gaspdb record writes when the command ended.
 *
 * The final barrier of a UPC program: the runtimes of GNU UPC, Clang UPC and
 * others report the program's end before that barrier, by a pair of zero length
 * or by one record. The thread is in the barrier until its log ends or any
 * other event comes. So the event lasts until then, as with a runtime that
 * reports its end after the barrier.
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
	const bool is_full = im->reading.size_limit && !im->reading.is_rest;

	if (im->failed_ns == GASPDB_NULL || im->reading.reader->whole ||
	    im->reading.damaged || im->reading.ahead || is_full ||
	    im->reading.off_ns != GASPDB_NULL ||
	    (!s->n_runtime && !im->reading.open_runtime) ||
	    im->failed_ns <= s->now_ns)
		return;
	if (im->reading.is_rest)
		gaspdb_replay_rest_advance(im, im->failed_ns);
	else
		gaspdb_stack_advance(&im->stack, im->failed_ns,
				     GASPDB_STEP_NORMAL);
}
