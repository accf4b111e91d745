/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On each channel the j-th send, in order of start, belongs to the j-th
 * receive, in order of posting: MPI's rule that messages do not overtake.
 * Sorted sends and sorted receives are walked side by side, so nothing but the
 * roll-ups is held in memory.
 */
#include "analysis/match_messages.h"

#include "analysis/channels.h"
#include "analysis/groups.h"
#include "analysis/message_waits.h"
#include "analysis/probes.h"
#include "analysis/quality.h"
#include "sum.h"

#define DIRECTIONS(X) X(SEND, "send") X(RECEIVE, "receive")
#define OUTCOMES(X)                     \
	X(MATCHED, "matched")           \
	X(UNMATCHED, "unmatched")       \
	X(NOT_RECORDED, "not recorded") \
	X(CANCELLED, "cancelled")       \
	X(TO_NOBODY, "null")            \
	X(WILDCARD, "wildcard")

#define X(ident, name) ident,
enum direction { DIRECTIONS(X) };
enum outcome { OUTCOMES(X) };
#undef X
#define X(ident, name) name,
static const char *const direction_names[] = { DIRECTIONS(X) };
static const char *const outcome_names[] = { OUTCOMES(X) };
#undef X

struct match {
	struct gaspdb_run run;
	struct gaspdb_ends sends, receives;
	struct gaspdb_probes probes;
	struct gaspdb_message_waits waits;
	sqlite3_stmt *insert;
	struct gaspdb_groups outcomes; /* thread, direction, outcome:
					  operations, bytes */
	struct gaspdb_groups lines;    /* sender, receiver, both sources:
					  messages, bytes, min, max, uncertain */
	struct gaspdb_groups sizes;    /* sender, class: operations, bytes */
	int64_t channel[4];	       /* the last pair's */
	bool distrust;		       /* sizes on it have differed */
};

static void count(struct match *m, int64_t thread, enum direction direction,
		  enum outcome outcome, int64_t operations, int64_t bytes)
{
	const int64_t keys[] = { thread, direction, outcome };
	int64_t *sums = gaspdb_group(&m->run, &m->outcomes, keys);

	if (!sums)
		return;
	gaspdb_add_to(&sums[0], operations);
	if (bytes != GASPDB_NONE)
		gaspdb_add_to(&sums[1], bytes);
}

static void count_size(struct match *m, const struct gaspdb_end *send)
{
	int64_t *sums;

	if (send->bytes == GASPDB_NONE)
		return;
	sums = gaspdb_group(
		&m->run, &m->sizes,
		(int64_t[]){ send->thread, gaspdb_size_class(send->bytes) });
	if (sums) {
		sums[0]++;
		gaspdb_add_to(&sums[1], send->bytes);
	}
}

static const char *no_log(const struct match *m, int64_t thread)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(&m->run, thread);

	return t && t->first_ns == GASPDB_NONE ? ", which has no log" : "";
}

static void partner_not_recorded(struct match *m, const struct gaspdb_end *end,
				 enum direction direction)
{
	gaspdb_quality_add(&m->run,
			   &(struct gaspdb_quality_row){
				   .kind = GASPDB_DEFECT_PARTNER_NOT_RECORDED,
				   .thread = end->thread,
				   .event = end->post.event,
				   .count = 1,
				   .bytes = end->bytes,
				   .time_ns = GASPDB_NONE },
			   "%s %s thread %lld, tag %lld",
			   direction_names[direction],
			   direction == SEND ? "to" : "from",
			   (long long)end->channel[direction == SEND ? 2 : 1],
			   (long long)end->channel[3]);
	count(m, end->thread, direction, NOT_RECORDED, 1, end->bytes);
}

static bool stopped(const struct match *m, int64_t thread)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(&m->run, thread);

	return t && t->stopped;
}

static void unmatched(struct match *m, struct gaspdb_ends *ends,
		      enum direction direction)
{
	const struct gaspdb_end *end = &ends->now;
	bool send = direction == SEND;
	int64_t other = end->channel[send ? 2 : 1];

	if (end->id != GASPDB_NONE && stopped(m, other)) {
		partner_not_recorded(m, end, direction);
		if (send)
			count_size(m, end);
	} else if (end->id != GASPDB_NONE) {
		gaspdb_quality_add(
			&m->run,
			&(struct gaspdb_quality_row){
				.kind = send ? GASPDB_DEFECT_UNMATCHED_SEND
					     : GASPDB_DEFECT_UNMATCHED_RECEIVE,
				.thread = end->thread,
				.event = end->post.event,
				.count = 1,
				.bytes = end->bytes,
				.time_ns = GASPDB_NONE },
			"%s thread %lld%s, tag %lld", send ? "to" : "from",
			(long long)other, no_log(m, other),
			(long long)end->channel[3]);
		count(m, end->thread, direction, UNMATCHED, 1, end->bytes);
		if (send)
			count_size(m, end);
	}
	gaspdb_ends_take(ends, end->count);
}

/*
 * Received bytes equal those sent, unless the buffer was too small; else the
 * pairs of this channel are not what they seem, from here on.
 */
static void compare_bytes(struct match *m, const struct gaspdb_end *s,
			  const struct gaspdb_end *r)
{
	bool truncated = r->error && (r->limit_bytes == GASPDB_NONE ||
				      s->bytes > r->limit_bytes);

	if (s->bytes == GASPDB_NONE || r->bytes == GASPDB_NONE ||
	    s->bytes == r->bytes || truncated)
		return;
	m->distrust = true;
	gaspdb_quality_add(&m->run,
			   &(struct gaspdb_quality_row){
				   .kind = GASPDB_DEFECT_BYTES_DIFFER,
				   .thread = r->thread,
				   .event = r->complete.event,
				   .count = 1,
				   .bytes = s->bytes > r->bytes
						    ? s->bytes - r->bytes
						    : r->bytes - s->bytes,
				   .time_ns = GASPDB_NONE },
			   "%lld sent by thread %lld, %lld received, tag %lld",
			   (long long)s->bytes, (long long)s->thread,
			   (long long)r->bytes, (long long)s->channel[3]);
}

static void write_message(struct match *m, const struct gaspdb_end *s,
			  const struct gaspdb_end *r, int64_t bytes,
			  bool uncertain)
{
	const int64_t values[] = { s->post.event, r->complete.event,
				   r->post.event, s->complete.event,
				   s->channel[1], s->channel[2],
				   s->channel[0], s->channel[3],
				   bytes,	  s->at_ns,
				   r->at_ns,	  r->complete.end_ns,
				   uncertain };

	gaspdb_write(&m->run, m->insert, 13, values, NULL);
}

static void add_line(struct match *m, const struct gaspdb_end *s,
		     const struct gaspdb_end *r, int64_t bytes, bool uncertain)
{
	int64_t *sums =
		gaspdb_group(&m->run, &m->lines,
			     (int64_t[]){ s->channel[1], s->channel[2],
					  s->post.source, r->post.source });

	if (!sums)
		return;
	if (!sums[0] || bytes < sums[2])
		sums[2] = bytes;
	if (!sums[0] || bytes > sums[3])
		sums[3] = bytes;
	sums[0]++;
	gaspdb_add_to(&sums[1], bytes);
	sums[4] += uncertain;
}

static void matched(struct match *m, const struct gaspdb_end *s,
		    const struct gaspdb_end *r)
{
	int64_t bytes = r->bytes != GASPDB_NONE	  ? r->bytes
			: s->bytes != GASPDB_NONE ? s->bytes
						  : 0;
	bool uncertain;

	compare_bytes(m, s, r);
	uncertain = s->uncertain || r->uncertain || m->distrust;
	write_message(m, s, r, bytes, uncertain);
	add_line(m, s, r, bytes, uncertain);
	count_size(m, s);
	count(m, s->thread, SEND, MATCHED, 1, s->bytes);
	count(m, r->thread, RECEIVE, MATCHED, 1, bytes);
	if (!m->distrust)
		gaspdb_message_waits_add(&m->waits, s, r);
	gaspdb_probes_match(&m->probes, &m->waits, m->distrust ? NULL : s, r);
}

/* The next send and the next receive of one channel belong together. */
static void pair(struct match *m)
{
	const struct gaspdb_end *s = &m->sends.now, *r = &m->receives.now;
	int64_t n = 1;

	if (gaspdb_channel_compare(s->channel, m->channel) != 0) {
		for (int i = 0; i < 4; i++)
			m->channel[i] = s->channel[i];
		m->distrust = false;
	}
	if (s->id == GASPDB_NONE && r->id == GASPDB_NONE) {
		n = s->count < r->count ? s->count : r->count;
	} else if (s->id == GASPDB_NONE) {
		partner_not_recorded(m, r, RECEIVE);
		gaspdb_probes_match(&m->probes, &m->waits, NULL, r);
	} else if (r->id == GASPDB_NONE) {
		gaspdb_probes_match(&m->probes, &m->waits, NULL, r);
		partner_not_recorded(m, s, SEND);
		count_size(m, s);
	} else {
		matched(m, s, r);
	}
	gaspdb_ends_take(&m->sends, n);
	gaspdb_ends_take(&m->receives, n);
}

static void walk(struct match *m)
{
	gaspdb_ends_open(&m->sends, &m->run, "send");
	gaspdb_ends_open(&m->receives, &m->run, "receive");
	while (m->run.status == GASPDB_OK &&
	       (m->sends.more || m->receives.more)) {
		int order = !m->receives.more ? -1
			    : !m->sends.more  ? 1
					      : gaspdb_channel_compare(
							m->sends.now.channel,
							m->receives.now.channel);

		if (order < 0)
			unmatched(m, &m->sends, SEND);
		else if (order > 0)
			unmatched(m, &m->receives, RECEIVE);
		else
			pair(m);
	}
	gaspdb_ends_close(&m->sends);
	gaspdb_ends_close(&m->receives);
}

/* What was taken out before the matching: why, and whether to tell. */
static void count_others(struct match *m)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&m->run,
		"SELECT thread_id, direction = 'receive', state = 'cancelled', "
		"  state = 'null', post_event_id, coalesce(bytes, limit_bytes), "
		"  coalesce(bytes, 0) "
		"FROM p2p WHERE state IN ('cancelled', 'null') "
		"OR coalesce(peer, posted_peer) IS NULL "
		"OR coalesce(tag, posted_tag) IS NULL");

	while (gaspdb_row(&m->run, stmt)) {
		int64_t thread = sqlite3_column_int64(stmt, 0);
		enum direction direction =
			sqlite3_column_int(stmt, 1) ? RECEIVE : SEND;
		bool cancelled = sqlite3_column_int(stmt, 2);
		bool null = sqlite3_column_int(stmt, 3);

		count(m, thread, direction,
		      cancelled ? CANCELLED
		      : null	? TO_NOBODY
				: WILDCARD,
		      1, null ? 0 : sqlite3_column_int64(stmt, 6));
		if (cancelled)
			gaspdb_quality_add(
				&m->run,
				&(struct gaspdb_quality_row){
					.kind = GASPDB_DEFECT_CANCELLED,
					.thread = thread,
					.event = sqlite3_column_int64(stmt, 4),
					.count = 1,
					.bytes = gaspdb_column(stmt, 5),
					.time_ns = GASPDB_NONE },
				"%s", direction_names[direction]);
	}
	sqlite3_finalize(stmt);
}

static void tell_open_requests(struct match *m)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&m->run,
		"SELECT thread_id, post_event_id, coalesce(bytes, limit_bytes), "
		"  direction, state = 'freed' FROM p2p "
		"WHERE state IN ('open', 'freed') AND request IS NOT NULL "
		"UNION ALL "
		"SELECT e.thread_id, e.id, e.bytes, 'collective', 0 "
		"FROM collective_request c CROSS JOIN event e "
		"  ON e.id = c.post_event_id "
		"WHERE c.complete_event_id IS NULL ORDER BY 2");

	while (gaspdb_row(&m->run, stmt))
		gaspdb_quality_add(
			&m->run,
			&(struct gaspdb_quality_row){
				.kind = GASPDB_DEFECT_REQUEST_OPEN,
				.thread = sqlite3_column_int64(stmt, 0),
				.event = sqlite3_column_int64(stmt, 1),
				.count = 1,
				.bytes = gaspdb_column(stmt, 2),
				.time_ns = GASPDB_NONE },
			"%s%s", (const char *)sqlite3_column_text(stmt, 3),
			sqlite3_column_int(stmt, 4) ? ", freed before" : "");
	sqlite3_finalize(stmt);
}

static void write_outcomes(struct match *m)
{
	sqlite3_stmt *stmt = gaspdb_prepare(
		&m->run, "INSERT INTO p2p_total(thread_id, operations, bytes, "
			 "direction, outcome) VALUES(?1, ?2, ?3, ?4, ?5)");

	gaspdb_groups_sort(&m->outcomes);
	for (size_t i = 0; i < m->outcomes.n && stmt; i++) {
		const int64_t *row = gaspdb_groups_row(&m->outcomes, i);

		sqlite3_bind_text(stmt, 5, outcome_names[row[2]], -1,
				  SQLITE_STATIC);
		gaspdb_write(&m->run, stmt, 3,
			     (int64_t[]){ row[0], row[3], row[4] },
			     direction_names[row[1]]);
	}
	sqlite3_finalize(stmt);
}

static void write_totals(struct match *m)
{
	write_outcomes(m);
	gaspdb_groups_write(&m->run, &m->lines,
			    "INSERT INTO message_total(sender, receiver, "
			    "send_source_id, receive_source_id, messages, "
			    "bytes, min_bytes, max_bytes, uncertain) "
			    "VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)");
	gaspdb_groups_write(&m->run, &m->sizes,
			    "INSERT INTO size_total(thread_id, from_bytes, "
			    "operations, bytes, direction) "
			    "VALUES(?, ?, ?, ?, 'send')");
}

enum gaspdb_status gaspdb_pass_messages(sqlite3 *db, struct gaspdb_error *err)
{
	struct match m = { .channel = { 0, GASPDB_NONE, 0, 0 } };

	gaspdb_run_open(&m.run, db, err);
	gaspdb_message_waits_open(&m.waits, &m.run);
	gaspdb_probes_open(&m.probes, &m.run);
	gaspdb_groups_init(&m.outcomes, 3, 2);
	gaspdb_groups_init(&m.lines, 4, 5);
	gaspdb_groups_init(&m.sizes, 2, 2);
	m.insert = gaspdb_prepare(
		&m.run,
		"INSERT INTO message(send_event_id, receive_event_id, "
		"post_event_id, complete_event_id, sender, receiver, team_id, "
		"tag, bytes, sent_ns, posted_ns, received_ns, order_uncertain) "
		"VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	walk(&m);
	count_others(&m);
	tell_open_requests(&m);
	write_totals(&m);
	sqlite3_finalize(m.insert);
	gaspdb_groups_fini(&m.outcomes);
	gaspdb_groups_fini(&m.lines);
	gaspdb_groups_fini(&m.sizes);
	gaspdb_probes_close(&m.probes);
	gaspdb_message_waits_close(&m.waits);
	return gaspdb_run_close(&m.run);
}
