/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A probe sees the first message of its channel that is not yet received: the
 * one whose receive is the first to be posted after the probe began.  (That of
 * a matched probe is posted by the probe itself.)
 */
#include "analysis/probes.h"

#define ARGUMENT(name)                                              \
	"(SELECT x.value FROM event_arg x JOIN argument a "         \
	"ON a.id = x.argument_id WHERE x.id BETWEEN e.id * 64 AND " \
	"e.id * 64 + 63 AND a.name = '" name "')"

static const char probes_sql[] =
	"WITH process AS (SELECT id, CASE WHEN rank IS NULL THEN id ELSE "
	"  min(id) OVER (PARTITION BY rank) END AS first FROM thread) "
	"SELECT " ARGUMENT(
		"team") ", e.peer, c.first, "
			"  coalesce(" ARGUMENT("receive_tag") ", " ARGUMENT(
				"tag") ") AS label, "
				       "  e.thread_id, e.id, e.source_id, e.start_ns, "
				       "  e.start_ns + e.duration_ns "
				       "FROM event e JOIN process c ON c.id = e.thread_id "
				       "WHERE e.nested = 0 AND e.open = 0 AND e.peer IS NOT NULL "
				       "  AND e.source_id IN (SELECT s.id FROM source s JOIN operation o "
				       "    ON o.id = s.operation_id WHERE o.type = 'probe') "
				       "  AND label IS NOT NULL "
				       "ORDER BY 1, 2, 3, 4, 8, 6";

static void advance(struct gaspdb_probes *probes)
{
	sqlite3_stmt *s = probes->stmt;

	probes->more = gaspdb_row(probes->run, s);
	if (!probes->more)
		return;
	for (int i = 0; i < 4; i++)
		probes->channel[i] = gaspdb_column(s, i);
	probes->thread = sqlite3_column_int64(s, 4);
	probes->call = (struct gaspdb_end_call){
		.event = sqlite3_column_int64(s, 5),
		.source = sqlite3_column_int64(s, 6),
		.start_ns = sqlite3_column_int64(s, 7),
		.end_ns = sqlite3_column_int64(s, 8)
	};
}

void gaspdb_probes_open(struct gaspdb_probes *probes, struct gaspdb_run *run)
{
	const enum gaspdb_type probe = GASPDB_TYPE_probe;

	*probes = (struct gaspdb_probes){ .run = run };
	if (!gaspdb_run_has(run, &probe, 1))
		return;
	probes->stmt = gaspdb_prepare(run, probes_sql);
	advance(probes);
}

/* Did the receive's posting come before the probe?  Calls of a thread have ids
   in their order, for those that take no time. */
static bool posted_before(const struct gaspdb_end *receive,
			  const struct gaspdb_end_call *probe)
{
	return receive->at_ns != probe->start_ns
		       ? receive->at_ns < probe->start_ns
		       : receive->post.event < probe->event;
}

void gaspdb_probes_match(struct gaspdb_probes *probes,
			 struct gaspdb_message_waits *waits,
			 const struct gaspdb_end *send,
			 const struct gaspdb_end *receive)
{
	while (probes->more) {
		int order = gaspdb_channel_compare(probes->channel,
						   receive->channel);

		if (order > 0 ||
		    (order == 0 && posted_before(receive, &probes->call)))
			return;
		if (order == 0 && send)
			gaspdb_message_waits_probe(waits, send, probes->thread,
						   &probes->call);
		advance(probes);
	}
}

void gaspdb_probes_close(struct gaspdb_probes *probes)
{
	sqlite3_finalize(probes->stmt);
}
