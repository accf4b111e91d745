/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages lost with damaged blocks of a log.
 *
 * What a channel has after the block no longer stands at its place, and would
 * belong to others' messages.  But what has been sent is received, but for
 * errors: so what one process has less of than the other is what was lost, if
 *
 * - nothing else is lost, of it or of the other one, up to their ends;
 *
 * and if that is not nothing,
 *
 * - it was lost in one place, by the only thread that posts: that is where it
 *   belongs, and
 * - nothing was before it of which that is not known: a receive from anyone,
 *   whose completion was lost, and another one after it.
 *
 * Else nobody knows, and the channel ends there (GASPDB_LOST).
 */
#include "analysis/messages/streams_parts.h"

#include "sql/passes/messages.h"

void gaspdb_streams_lost(struct streams *s, bool damaged)
{
	gaspdb_exec(s->run, gaspdb_sql_lost_make);
	if (!damaged)
		return;
	gaspdb_exec(s->run, gaspdb_sql_lost_threads);
	gaspdb_exec(s->run, gaspdb_sql_lost_processes);
	gaspdb_exec(s->run, gaspdb_sql_lost_channels);
	gaspdb_exec(s->run, gaspdb_sql_lost_anyones);
	gaspdb_exec(s->run, gaspdb_sql_lost_messages);
	gaspdb_exec(s->run, gaspdb_sql_lost_finish);
}
