/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages lost with damaged blocks of a log.
 *
 * After a lost block the ends of a channel would be paired with the wrong
 * messages. Sent messages are received, apart from errors, so the difference
 * between the two processes' counts is the number of lost ends, provided that
 * neither process has lost anything else up to its end. If the difference is
 * not 0, two more conditions make the position of the lost ends known:
 *
 * - they were lost in one block, by the only thread of the process that posts;
 * - no earlier receive with a wildcard, whose completion was lost, may have
 *   taken a message of the channel.
 *
 * Otherwise the pairs are unknown, and the channel ends there (GASPDB_LOST).
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
	gaspdb_exec(s->run, gaspdb_sql_lost_wildcards);
	gaspdb_exec(s->run, gaspdb_sql_lost_messages);
	gaspdb_exec(s->run, gaspdb_sql_lost_finish);
}
