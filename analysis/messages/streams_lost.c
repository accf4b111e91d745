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

static const char make_table[] =
	"CREATE TEMP TABLE gaspdb_lost(process, at, kind, team, sender, "
	"receiver, tag, count, thread)";

/* Threads, their processes, and whether something else of them is lost than
   blocks; of those with damage: how often, and where it begins and ends. */
static const char make_threads[] =
	"CREATE TEMP TABLE gaspdb_of(id INTEGER PRIMARY KEY, process, gaps, "
	"  start_ns, end_ns, whole);"
	"INSERT INTO temp.gaspdb_of SELECT id, " PROCESS_OF_THREAD ", "
	"  coalesce(g.gaps, 0), g.start_ns, g.end_ns, "
	"  t.first_ns IS NOT NULL AND " GASPDB_TOLD_TO_THE_END " "
	"FROM thread t LEFT JOIN (SELECT thread_id, count(*) AS gaps, "
	"    min(start_ns) AS start_ns, min(end_ns) AS end_ns "
	"  FROM gap WHERE kind = 'damage' GROUP BY thread_id) g "
	"  ON g.thread_id = t.id;";

/* The same of processes.  One that has messages of which the channel is lost
   lacks them on one that nobody knows, after the block.  Where several threads
   post, what was lost of one may stand anywhere between what another posted: as
   if lost in several places. */
static const char make_processes[] =
	"CREATE TEMP TABLE gaspdb_whole(process INTEGER PRIMARY KEY, gaps, "
	"  start_ns, end_ns, thread, whole);"
	"INSERT INTO temp.gaspdb_whole SELECT t.process, "
	"  CASE WHEN sum(t.gaps) THEN sum(t.gaps) "
	"    + sum(t.gaps = 0 AND p.thread_id IS NOT NULL) ELSE 0 END, "
	"  min(t.start_ns), min(t.end_ns), min(iif(t.gaps, t.id, NULL)), "
	"  min(t.whole AND NOT coalesce(p.strays, 0)) "
	"FROM temp.gaspdb_of t LEFT JOIN (SELECT thread_id, "
	"    max(team_id IS NULL "
	"      AND state NOT IN ('cancelled', 'null', 'passed')) "
	"    AS strays FROM (SELECT thread_id, team_id, state FROM p2p "
	"    UNION ALL SELECT thread_id, team_id, 'passed' FROM passed "
	"    WHERE sends > 0 OR receives > 0) "
	"    GROUP BY thread_id) p ON p.thread_id = t.id GROUP BY t.process;";

/* What there is of the channels of processes with damage.  unclear: what was
   never completed, and not for that its completion was lost; before_ns: when
   the last receive was posted before. */
static const char make_channels[] =
	"CREATE TEMP TABLE gaspdb_count AS WITH ends AS ("
	"SELECT p.team_id AS team, t.process AS own, "
	"  coalesce(p.peer, p.posted_peer) AS other, "
	"  coalesce(p.tag, p.posted_tag) AS tag, "
	"  p.direction = 'send' AS sends, p.direction = 'receive' AS receives, "
	"  p.state = 'open' AND (w.gaps = 0 OR p.posted_ns > w.start_ns) "
	"    AS unclear, "
	"  iif(p.direction = 'receive' AND p.posted_ns <= w.start_ns, "
	"    p.posted_ns, NULL) AS before_ns "
	"FROM p2p p JOIN temp.gaspdb_of t ON t.id = p.thread_id "
	"JOIN temp.gaspdb_whole w ON w.process = t.process "
	"WHERE p.state NOT IN ('cancelled', 'null') "
	"UNION ALL SELECT q.team_id, t.process, q.peer, q.tag, q.sends, 0, 0, "
	"  NULL "
	"FROM passed q JOIN temp.gaspdb_of t ON t.id = q.thread_id "
	"WHERE q.sends > 0 "
	"UNION ALL "
	"SELECT q.team_id, t.process, q.peer, q.tag, 0, q.receives, 0, "
	"  NULL "
	"FROM passed q JOIN temp.gaspdb_of t ON t.id = q.thread_id "
	"WHERE q.receives > 0"
	") SELECT team, CASE WHEN sends > 0 THEN own ELSE other END AS sender, "
	"  CASE WHEN sends > 0 THEN other ELSE own END AS receiver, tag, "
	"  sum(sends) AS sends, sum(receives) AS receives, "
	"  max(unclear) AS unclear, max(before_ns) AS before_ns "
	"FROM ends WHERE tag IS NOT NULL AND EXISTS ("
	"  SELECT 1 FROM temp.gaspdb_whole "
	"  WHERE process IN (own, other) AND gaps) AND other IS NOT NULL "
	"GROUP BY 1, 2, 3, 4;";

/* Receives from anyone, or of any tag, whose completion was lost.  The places
   of those that no other one followed are where damage begins. */
static const char make_anyones[] =
	"CREATE TEMP TABLE gaspdb_anyone AS SELECT w.process, p.team_id AS team, "
	"  p.posted_peer AS sender, p.posted_tag AS tag, "
	"  min(p.posted_ns) AS posted_ns "
	"FROM p2p p JOIN temp.gaspdb_of t ON t.id = p.thread_id "
	"JOIN temp.gaspdb_whole w ON w.process = t.process "
	"WHERE p.state = 'open' AND p.direction = 'receive' "
	"AND p.posted_ns < w.end_ns "
	"AND (coalesce(p.peer, p.posted_peer) IS NULL "
	"  OR coalesce(p.tag, p.posted_tag) IS NULL) GROUP BY 1, 2, 3, 4;";

/* On the side that lost some, where it went on; where nobody knows how many,
   before whatever another of its threads posted meanwhile. */
static const char make_lost[] =
	"INSERT INTO temp.gaspdb_lost SELECT process, "
	"  iif(count < 0, start_ns + 1, end_ns), kind, team, sender, receiver, "
	"  tag, count, thread FROM ("
	"SELECT w.*, k.kind, n.team, n.sender, n.receiver, "
	"  n.tag, CASE WHEN NOT w.whole OR o.gaps OR NOT o.whole OR n.unclear "
	"  THEN -1 WHEN n.sends = n.receives THEN 0 "
	"  WHEN w.gaps > 1 OR (k.kind = 1 AND EXISTS ("
	"      SELECT 1 FROM temp.gaspdb_anyone a WHERE a.process = w.process "
	"      AND a.team IS n.team AND coalesce(a.sender, n.sender) = n.sender "
	"      AND coalesce(a.tag, n.tag) = n.tag "
	"      AND a.posted_ns < n.before_ns)) "
	"  THEN -1 ELSE max(-1, CASE k.kind WHEN 0 THEN n.receives - n.sends "
	"    ELSE n.sends - n.receives END) END AS count "
	"FROM temp.gaspdb_count n, (SELECT 0 AS kind UNION ALL SELECT 1) k "
	"JOIN temp.gaspdb_whole w ON w.gaps AND "
	"  w.process = CASE k.kind WHEN 0 THEN n.sender ELSE n.receiver END "
	"JOIN temp.gaspdb_whole o ON "
	"  o.process = CASE k.kind WHEN 0 THEN n.receiver ELSE n.sender END "
	") WHERE count <> 0;";

static const char drop[] =
	"DROP TABLE temp.gaspdb_anyone; DROP TABLE temp.gaspdb_count;"
	"DROP TABLE temp.gaspdb_whole; DROP TABLE temp.gaspdb_of";

void gaspdb_streams_lost(struct streams *s, bool damaged)
{
	gaspdb_exec(s->run, make_table);
	if (!damaged)
		return;
	gaspdb_exec(s->run, make_threads);
	gaspdb_exec(s->run, make_processes);
	gaspdb_exec(s->run, make_channels);
	gaspdb_exec(s->run, make_anyones);
	gaspdb_exec(s->run, make_lost);
	gaspdb_exec(s->run, drop);
}
