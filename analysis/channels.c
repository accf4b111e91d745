/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends or receives in the order of their channels, then of their posts.  The
 * sorting is SQLite's, so memory is bounded however many messages there are.
 */
#include "analysis/channels.h"

/*
 * What takes part: all but cancelled ones, those to nobody, and those whose
 * channel is not known (receives from anyone that nothing completed).  What
 * passed while recording was off stands before whatever came afterwards.
 */
static const char ends_sql[] =
	"WITH process AS (SELECT id, CASE WHEN rank IS NULL THEN id ELSE "
	"  min(id) OVER (PARTITION BY rank) END AS first FROM thread), "
	"ends AS (SELECT p.*, c.first, coalesce(p.peer, p.posted_peer) AS other, "
	"  coalesce(p.tag, p.posted_tag) AS label "
	"  FROM p2p p JOIN process c ON c.id = p.thread_id "
	"  WHERE p.direction = ?1 AND p.state NOT IN ('cancelled', 'null')) "
	"SELECT e.team_id, iif(?1 = 'send', e.first, e.other), "
	"  iif(?1 = 'send', e.other, e.first), e.label, e.posted_ns, e.id, 1, "
	"  e.thread_id, e.post_event_id, s.source_id, s.start_ns, "
	"  s.start_ns + s.duration_ns, e.complete_event_id, f.source_id, "
	"  f.start_ns, f.start_ns + f.duration_ns, e.bytes, e.limit_bytes, "
	"  e.error <> 0 "
	"FROM ends e JOIN event s ON s.id = e.post_event_id "
	"LEFT JOIN event f ON f.id = e.complete_event_id "
	"WHERE e.other IS NOT NULL AND e.label IS NOT NULL "
	"UNION ALL "
	"SELECT q.team_id, iif(?1 = 'send', c.first, q.peer), "
	"  iif(?1 = 'send', q.peer, c.first), q.tag, q.ns, NULL, "
	"  iif(?1 = 'send', q.sends, q.receives), q.thread_id, NULL, NULL, "
	"  NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0 "
	"FROM passed q JOIN process c ON c.id = q.thread_id "
	"WHERE iif(?1 = 'send', q.sends, q.receives) > 0 "
	"  AND q.peer IS NOT NULL "
	"ORDER BY 1, 2, 3, 4, 5, 6";

int gaspdb_channel_compare(const int64_t *a, const int64_t *b)
{
	for (int i = 0; i < 4; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return 0;
}

static struct gaspdb_end_call read_call(sqlite3_stmt *stmt, int column)
{
	return (struct gaspdb_end_call){
		.event = gaspdb_column(stmt, column),
		.source = gaspdb_column(stmt, column + 1),
		.start_ns = gaspdb_column(stmt, column + 2),
		.end_ns = gaspdb_column(stmt, column + 3)
	};
}

static void read_next(struct gaspdb_ends *ends)
{
	sqlite3_stmt *s = ends->stmt;

	ends->has_next = gaspdb_row(ends->run, s);
	if (!ends->has_next)
		return;
	for (int i = 0; i < 4; i++)
		ends->next.channel[i] = gaspdb_column(s, i);
	ends->next.at_ns = sqlite3_column_int64(s, 4);
	ends->next.id = gaspdb_column(s, 5);
	ends->next.count = sqlite3_column_int64(s, 6);
	ends->next.thread = sqlite3_column_int64(s, 7);
	ends->next.post = read_call(s, 8);
	ends->next.complete = read_call(s, 12);
	ends->next.bytes = gaspdb_column(s, 16);
	ends->next.limit_bytes = gaspdb_column(s, 17);
	ends->next.error = sqlite3_column_int(s, 18);
	ends->next.uncertain = false;
}

/*
 * Posts are sorted by their start: if any later one of another thread begins
 * in this one, then the next one does.  Earlier ones may reach into it.
 */
static void judge_order(struct gaspdb_ends *ends, bool same_channel)
{
	struct gaspdb_end *now = &ends->now;
	int64_t others;

	if (!same_channel)
		ends->busy_until_ns = ends->others_until_ns = INT64_MIN;
	if (now->id == GASPDB_NONE)
		return;
	others = now->thread == ends->busy_thread ? ends->others_until_ns
						  : ends->busy_until_ns;
	now->uncertain =
		others > now->at_ns ||
		(ends->has_next && ends->next.id != GASPDB_NONE &&
		 ends->next.thread != now->thread &&
		 ends->next.at_ns < now->post.end_ns &&
		 gaspdb_channel_compare(ends->next.channel, now->channel) == 0);
	if (now->post.end_ns <= ends->busy_until_ns) {
		if (now->thread != ends->busy_thread &&
		    now->post.end_ns > ends->others_until_ns)
			ends->others_until_ns = now->post.end_ns;
		return;
	}
	if (now->thread != ends->busy_thread)
		ends->others_until_ns = ends->busy_until_ns;
	ends->busy_until_ns = now->post.end_ns;
	ends->busy_thread = now->thread;
}

void gaspdb_ends_advance(struct gaspdb_ends *ends)
{
	bool same;

	ends->more = ends->has_next;
	if (!ends->more)
		return;
	same = gaspdb_channel_compare(ends->now.channel, ends->next.channel) ==
	       0;
	ends->now = ends->next;
	read_next(ends);
	judge_order(ends, same);
}

void gaspdb_ends_take(struct gaspdb_ends *ends, int64_t n)
{
	ends->now.count -= n;
	if (ends->now.count <= 0)
		gaspdb_ends_advance(ends);
}

void gaspdb_ends_open(struct gaspdb_ends *ends, struct gaspdb_run *run,
		      const char *direction)
{
	*ends = (struct gaspdb_ends){ .run = run,
				      .busy_until_ns = INT64_MIN,
				      .others_until_ns = INT64_MIN,
				      .busy_thread = GASPDB_NONE };
	/* No channel is like this: the first end begins one. */
	ends->now.channel[1] = GASPDB_NONE;
	ends->stmt = gaspdb_prepare(run, ends_sql);
	if (ends->stmt)
		sqlite3_bind_text(ends->stmt, 1, direction, -1, SQLITE_STATIC);
	read_next(ends);
	gaspdb_ends_advance(ends);
}

void gaspdb_ends_close(struct gaspdb_ends *ends)
{
	sqlite3_finalize(ends->stmt);
}
