/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Wrong channels: proofs that a pair is wrong. */
#include "analysis/messages/wrong_channels.h"

#include <stdlib.h>

#include "analysis/engine/quality.h"
#include "common/sum.h"
#include "sql/passes/messages.h"

static void load_synchronous(struct gaspdb_wrong_channels *w)
{
	sqlite3_stmt *stmt =
		gaspdb_prepare(w->run, gaspdb_sql_synchronous_sends);

	while (w->synchronous && gaspdb_row(w->run, stmt)) {
		const int64_t id = sqlite3_column_int64(stmt, 0);

		if (id >= 0 && id < w->run->n_sources)
			w->synchronous[id] = true;
	}
	sqlite3_finalize(stmt);
}

void gaspdb_wrong_channels_open(struct gaspdb_wrong_channels *w,
				struct gaspdb_run *run,
				struct gaspdb_table *events)
{
	w->run = run;
	w->events = events;
	gaspdb_clock_errors_load(&w->clocks, run);
	gaspdb_groups_init(&w->channels, 4, 3);
	w->synchronous = gaspdb_zeroed(run, (size_t)run->n_sources,
				       sizeof *w->synchronous);
	load_synchronous(w);
}

static bool is_synchronous(const struct gaspdb_wrong_channels *w,
			   const struct gaspdb_end *send)
{
	return w->synchronous && send->post.source >= 0 &&
	       send->post.source < w->run->n_sources &&
	       w->synchronous[send->post.source];
}

/* The time by which the receive ends before the send starts, or a synchronous
   send before the receive is posted; 0: neither. */
static int64_t contradiction(const struct gaspdb_wrong_channels *w,
			     const struct gaspdb_end *send,
			     const struct gaspdb_end *receive)
{
	const int64_t ns =
		gaspdb_received_before_sent(w->run, w->events, send, receive);

	if (ns || send->error || !is_synchronous(w, send))
		return ns;
	return gaspdb_end_call_before(w->events, &send->complete,
				      receive->at_ns);
}

bool gaspdb_wrong_channels_prove(struct gaspdb_wrong_channels *w,
				 const int64_t *channel,
				 const struct gaspdb_end *send,
				 const struct gaspdb_end *receive)
{
	int64_t *sums, ns;

	/* Threads of a process that post at the same time: only the order of
	   their ends is wrong. */
	if (send->uncertain || receive->uncertain ||
	    !gaspdb_clock_errors_one_host(&w->clocks, send->thread,
					  receive->thread))
		return false;
	ns = contradiction(w, send, receive);
	if (!ns)
		return false;
	sums = gaspdb_group(w->run, &w->channels, channel);
	if (!sums)
		return true;
	if (!sums[0]++)
		sums[2] = receive->complete.event != GASPDB_NONE
				  ? receive->complete.event
				  : receive->post.event;
	sums[1] = gaspdb_plus(sums[1], ns);
	return true;
}

static void report(struct gaspdb_wrong_channels *w, const int64_t *row,
		   sqlite3_stmt *stmt)
{
	const struct gaspdb_quality_message message = { .peer = row[1],
							.tag = row[3] };

	gaspdb_write(w->run, stmt, 5, row, NULL);
	gaspdb_quality_add(
		w->run,
		&(struct gaspdb_quality_row){ .kind = GASPDB_QUALITY_WRONG_PAIR,
					      .thread = row[2],
					      .event = row[6],
					      .count = row[4],
					      .bytes = GASPDB_NONE,
					      .time_ns = row[5],
					      .message = &message },
		"messages from {thread} %lld, tag %lld", (long long)row[1],
		(long long)row[3]);
}

void gaspdb_wrong_channels_close(struct gaspdb_wrong_channels *w)
{
	sqlite3_stmt *stmt = NULL;

	gaspdb_groups_sort(&w->channels);
	if (w->channels.n)
		stmt = gaspdb_prepare(w->run, GASPDB_INSERT_INTO_wrong_channel);
	for (size_t i = 0; stmt && i < w->channels.n; i++)
		report(w, gaspdb_groups_row(&w->channels, i), stmt);
	sqlite3_finalize(stmt);
	gaspdb_groups_fini(&w->channels);
	gaspdb_clock_errors_free(&w->clocks);
	free(w->synchronous);
}
