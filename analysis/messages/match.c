/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pass over messages: it reads the ends of messages (streams.c), pairs them
 * (pairs.c), and writes each message, its sums, its waits, and the defects that
 * it finds.
 */
#include "analysis/messages/match.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/engine/quality.h"
#include "analysis/engine/syncs.h"
#include "analysis/messages/pairs.h"
#include "analysis/messages/waits.h"
#include "analysis/messages/wrong_channels.h"
#include "analysis/rows/groups.h"
#include "analysis/rows/sorter.h"
#include "analysis/rows/sums.h"
#include "analysis/messages/hung_waits.h"
#include "analysis/waits/unknown_waits.h"
#include "common/size_class.h"
#include "common/sum.h"
#include "sql/passes/messages.h"
#include "sql/store/table.h"

#define OUTCOMES(X)                     \
	X(MATCHED, "matched")           \
	X(UNMATCHED, "unmatched")       \
	X(NOT_RECORDED, "not recorded") \
	X(CANCELLED, "cancelled")       \
	X(NULL_PEER, "null")            \
	X(WILDCARD, "wildcard")         \
	X(UNKNOWN, "unknown")

#define X(ident, name) ident,
enum outcome { OUTCOMES(X) };
#undef X
#define X(ident, name) name,
static const char *const outcome_names[] = { OUTCOMES(X) };
#undef X

/* By enum gaspdb_end_kind; OTHER: open requests that are no messages. */
static const char *const direction_names[] = { "send", "receive", "other" };
enum { OTHER = 2 };

enum { RECENT_SHIFT = 64 - 8, RECENT = 1 << 8 };

enum { OPEN_COLUMNS = 5 };

struct match {
	struct gaspdb_run *run;
	struct gaspdb_pairs pairs;
	struct gaspdb_message_waits waits;
	struct gaspdb_hung_waits hung;
	struct gaspdb_table_writer *messages;
	struct gaspdb_syncs syncs;
	struct gaspdb_unknown_waits unknown_waits;
	struct gaspdb_wrong_channels wrong;
	int64_t last_id;
	struct gaspdb_sorter cancelled; /* event: thread, bytes, kind */
	struct gaspdb_sorter open;	/* event: thread, bytes, kind, freed */
	struct gaspdb_groups outcomes;	/* thread, direction, outcome:
					   operations, bytes */
	struct matched {
		int64_t operations, bytes;
	} (*matched)[2]; /* by thread and direction: the frequent outcome */
	struct gaspdb_sums lines;   /* sender, receiver, both sources: messages,
				       bytes, min, max, uncertain */
	struct gaspdb_groups sizes; /* sender, class: operations, bytes */
	uint32_t recent_lines[RECENT], recent_sizes[RECENT]; /* caches */
};

static void count(struct match *m, int64_t thread, enum gaspdb_end_kind kind,
		  enum outcome outcome, int64_t operations, int64_t bytes)
{
	const int64_t keys[] = { thread, kind, outcome };
	int64_t *sums = gaspdb_group(m->run, &m->outcomes, keys);

	if (!sums)
		return;
	gaspdb_add_to(&sums[0], operations);
	if (bytes != GASPDB_NONE)
		gaspdb_add_to(&sums[1], bytes);
}

static void count_matched(struct match *m, const struct gaspdb_end *end,
			  enum gaspdb_end_kind kind, int64_t bytes)
{
	struct matched *sums = &m->matched[end->thread][kind];

	sums->operations++;
	if (bytes != GASPDB_NONE)
		gaspdb_add_to(&sums->bytes, bytes);
}

/* The cache entry of a key. */
static uint32_t *recent_of(uint32_t *recent, uint64_t key)
{
	return &recent[(key * 0x9e3779b97f4a7c15u) >> RECENT_SHIFT];
}

static void count_size(struct match *m, int64_t thread, int64_t bytes)
{
	int64_t *sums, from;

	if (bytes == GASPDB_NONE)
		return;
	from = gaspdb_size_from(bytes);
	sums = gaspdb_group_cached(
		m->run, &m->sizes, (int64_t[]){ thread, from },
		recent_of(m->recent_sizes, (uint64_t)thread ^ (uint64_t)from));
	if (sums) {
		sums[0]++;
		gaspdb_add_to(&sums[1], bytes);
	}
}

/* The remark that a thread has no log, or "". */
static const char *no_log(const struct match *m, int64_t thread)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(m->run, thread);

	return t && t->first_ns == GASPDB_NONE ? ", which has no log" : "";
}

/* Add the call that completes a request to the unknown waits. */
static void add_unknown_wait(struct match *m, const struct gaspdb_end *end)
{
	if (end->complete.event != end->post.event)
		gaspdb_unknown_waits_add(&m->unknown_waits,
					 end->complete.event);
}

/* The message as an end of that kind sees it: its peer and the tag. */
static struct gaspdb_quality_message
message_of(const struct gaspdb_channel *channel, enum gaspdb_end_kind kind)
{
	return (struct gaspdb_quality_message){
		.peer = channel->key[kind == GASPDB_SEND ? 2 : 1],
		.tag = channel->key[3]
	};
}

/* Report and count an end whose other end was not recorded. */
static void partner_not_recorded(struct match *m,
				 const struct gaspdb_channel *channel,
				 enum gaspdb_end_kind kind,
				 const struct gaspdb_end *end)
{
	const bool send = kind == GASPDB_SEND;
	const struct gaspdb_quality_message message = message_of(channel, kind);

	gaspdb_quality_add(m->run,
			   &(struct gaspdb_quality_row){
				   .kind = GASPDB_QUALITY_PARTNER_NOT_RECORDED,
				   .thread = end->thread,
				   .event = end->post.event,
				   .count = 1,
				   .bytes = end->bytes,
				   .time_ns = GASPDB_NONE,
				   .message = &message },
			   "%s %s {thread} %lld, tag %lld",
			   direction_names[kind], send ? "to" : "from",
			   (long long)message.peer, (long long)message.tag);
	add_unknown_wait(m, end);
	if (end->open)
		gaspdb_hung_waits_add_unknown(&m->hung, end->thread);
	count(m, end->thread, kind, NOT_RECORDED, 1, end->bytes);
	if (send)
		count_size(m, end->thread, end->bytes);
}

static bool stopped(const struct match *m, int64_t thread)
{
	const struct gaspdb_run_thread *t = gaspdb_run_thread(m->run, thread);

	return t && t->stopped;
}

static void unmatched(void *user, const struct gaspdb_channel *channel,
		      enum gaspdb_end_kind kind, const struct gaspdb_end *end)
{
	struct match *m = user;
	const bool send = kind == GASPDB_SEND;
	const struct gaspdb_quality_message message = message_of(channel, kind);
	const int64_t other = message.peer;

	if (!send)
		gaspdb_message_waits_add_hung(&m->waits, end->post.event, kind,
					      other);
	if (end->open)
		gaspdb_hung_waits_add_unmatched(&m->hung, end->thread, kind,
						other);
	if (stopped(m, other)) {
		partner_not_recorded(m, channel, kind, end);
		return;
	}
	if (send)
		gaspdb_message_waits_add_hung(&m->waits, end->post.event, kind,
					      other);
	add_unknown_wait(m, end);
	gaspdb_quality_add(
		m->run,
		&(struct gaspdb_quality_row){
			.kind = send ? GASPDB_QUALITY_UNMATCHED_SEND
				     : GASPDB_QUALITY_UNMATCHED_RECEIVE,
			.thread = end->thread,
			.event = end->post.event,
			.count = 1,
			.bytes = end->bytes,
			.time_ns = GASPDB_NONE,
			.message = &message },
		"%s {thread} %lld%s, tag %lld", send ? "to" : "from",
		(long long)other, no_log(m, other), (long long)message.tag);
	count(m, end->thread, kind, UNMATCHED, 1, end->bytes);
	if (send)
		count_size(m, end->thread, end->bytes);
}

/*
 * Compare the sizes of both ends. They may differ if the receive was truncated,
 * or if the order is uncertain. Any other difference means that the pairs of
 * the channel are wrong from here on.
 */
static void compare_bytes(struct match *m, struct gaspdb_channel *channel,
			  const struct gaspdb_end *s,
			  const struct gaspdb_end *r)
{
	bool truncated = r->error && (r->limit_bytes == GASPDB_NONE ||
				      s->bytes > r->limit_bytes);

	if (s->bytes == GASPDB_NONE || r->bytes == GASPDB_NONE ||
	    s->bytes == r->bytes || truncated || s->uncertain || r->uncertain)
		return;
	const struct gaspdb_quality_message message =
		message_of(channel, GASPDB_RECEIVE);

	channel->distrusted = true;
	gaspdb_quality_add(m->run,
			   &(struct gaspdb_quality_row){
				   .kind = GASPDB_QUALITY_BYTES_DIFFER,
				   .thread = r->thread,
				   .event = r->complete.event,
				   .count = 1,
				   .bytes = s->bytes > r->bytes
						    ? s->bytes - r->bytes
						    : r->bytes - s->bytes,
				   .time_ns = GASPDB_NONE,
				   .message = &message },
			   "%lld sent by {thread} %lld, %lld received, "
			   "tag %lld",
			   (long long)s->bytes, (long long)s->thread,
			   (long long)r->bytes, (long long)channel->key[3]);
}

static void write_message(struct match *m, const int64_t *channel,
			  const struct gaspdb_end *s,
			  const struct gaspdb_end *r, int64_t bytes,
			  bool uncertain)
{
	const int64_t values[GASPDB_MESSAGE_COLUMNS] = {
		[GASPDB_MESSAGE_ID] = ++m->last_id,
		[GASPDB_MESSAGE_SEND_EVENT] = s->post.event,
		[GASPDB_MESSAGE_RECEIVE_EVENT] = r->complete.event,
		[GASPDB_MESSAGE_POST_EVENT] = r->post.event,
		[GASPDB_MESSAGE_COMPLETE_EVENT] = s->complete.event,
		[GASPDB_MESSAGE_SENDER] = channel[1],
		[GASPDB_MESSAGE_RECEIVER] = channel[2],
		[GASPDB_MESSAGE_TEAM] = channel[0],
		[GASPDB_MESSAGE_TAG] = channel[3],
		[GASPDB_MESSAGE_BYTES] = bytes,
		[GASPDB_MESSAGE_SENT] = s->at_ns,
		[GASPDB_MESSAGE_POSTED] = r->at_ns,
		[GASPDB_MESSAGE_RECEIVED] = r->complete.end_ns,
		[GASPDB_MESSAGE_ORDER_UNCERTAIN] = uncertain
	};

	gaspdb_table_writer_add(m->messages, values);
}

static void add_line(struct match *m, const int64_t *channel,
		     const struct gaspdb_end *s, const struct gaspdb_end *r,
		     int64_t bytes, bool uncertain)
{
	int64_t *sums = gaspdb_sums_cached(
		&m->lines,
		(int64_t[]){ channel[1], channel[2], s->post.source,
			     r->post.source },
		recent_of(m->recent_lines,
			  (uint64_t)channel[1] + 31 * (uint64_t)channel[2] +
				  7 * (uint64_t)s->post.source));

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

/* Add an open request of a pair to the hung waits. */
static void add_hung(struct match *m, bool trusted, enum gaspdb_end_kind kind,
		     const struct gaspdb_end *end,
		     const struct gaspdb_end *other)
{
	if (!trusted)
		gaspdb_hung_waits_add_unknown(&m->hung, end->thread);
	else
		gaspdb_hung_waits_add_matched(&m->hung, end->thread, kind,
					      end->post.source, other);
}

/* Add the ordering and the waits of a trusted pair. If threads posted at the
   same time, the message may be another one of theirs. */
static void add_trusted(struct match *m, const struct gaspdb_end *s,
			const struct gaspdb_end *r)
{
	if (r->complete.event != GASPDB_NONE)
		gaspdb_syncs_pair(&m->syncs, GASPDB_SYNC_MESSAGE, m->last_id,
				  s->post.event, r->complete.event);
	gaspdb_message_waits_add(&m->waits, s, r);
}

/* A pair: a message, unless one end was not recorded. */
static void paired(void *user, struct gaspdb_channel *channel,
		   const struct gaspdb_end *s, const struct gaspdb_end *r)
{
	struct match *m = user;
	int64_t bytes = r->bytes != GASPDB_NONE	  ? r->bytes
			: s->bytes != GASPDB_NONE ? s->bytes
						  : 0;
	bool uncertain, trusted;

	if (s->n_unrecorded) {
		partner_not_recorded(m, channel, GASPDB_RECEIVE, r);
		return;
	}
	if (r->n_unrecorded) {
		partner_not_recorded(m, channel, GASPDB_SEND, s);
		return;
	}
	compare_bytes(m, channel, s, r);
	if (gaspdb_wrong_channels_prove(&m->wrong, channel->key, s, r))
		channel->distrusted = true;
	uncertain = s->uncertain || r->uncertain || channel->distrusted;
	trusted = !channel->distrusted &&
		  !gaspdb_message_is_mispaired(&m->waits, s, r);
	write_message(m, channel->key, s, r, bytes, uncertain);
	add_line(m, channel->key, s, r, bytes, uncertain);
	count_size(m, s->thread, s->bytes);
	count_matched(m, s, GASPDB_SEND, s->bytes);
	count_matched(m, r, GASPDB_RECEIVE, bytes);
	if (trusted) {
		add_trusted(m, s, r);
	} else {
		add_unknown_wait(m, s);
		add_unknown_wait(m, r);
	}
	if (s->open)
		add_hung(m, trusted, GASPDB_SEND, s, r);
	if (r->open)
		add_hung(m, trusted, GASPDB_RECEIVE, r, s);
}

static void probed(void *user, const struct gaspdb_end *probe,
		   const struct gaspdb_end *send,
		   const struct gaspdb_end *receive)
{
	struct match *m = user;

	if (send && !gaspdb_message_is_mispaired(&m->waits, send, receive))
		gaspdb_message_waits_add_probe(&m->waits, send, receive, probe);
}

/* --- excluded ends and open requests -------------------------------------- */

static void excluded(void *user, const struct gaspdb_excluded_end *end)
{
	static const enum outcome outcomes[] = { CANCELLED, NULL_PEER, WILDCARD,
						 UNKNOWN };
	struct match *m = user;

	count(m, end->thread, end->kind, outcomes[end->why], 1, end->bytes);
	if (end->why == GASPDB_WILDCARD)
		gaspdb_message_waits_add_hung(&m->waits, end->event, end->kind,
					      end->peer);
	if (end->why == GASPDB_WILDCARD && end->open)
		gaspdb_hung_waits_add_unmatched(&m->hung, end->thread,
						end->kind, end->peer);
	if (end->why == GASPDB_UNKNOWN_CHANNEL && end->open)
		gaspdb_hung_waits_add_unknown(&m->hung, end->thread);
	if (end->why == GASPDB_UNKNOWN_CHANNEL && end->kind == GASPDB_SEND &&
	    end->peer != GASPDB_NONE && !end->persistent) /* like traffic */
		count_size(m, end->thread, end->bytes);
	if (end->why == GASPDB_UNKNOWN_CHANNEL && end->complete != end->event)
		gaspdb_unknown_waits_add(&m->unknown_waits, end->complete);
	if (end->why == GASPDB_CANCELLED)
		gaspdb_sorter_add(&m->cancelled,
				  (int64_t[]){ end->event, end->thread,
					       end->buffer_bytes, end->kind,
					       0 });
}

/* Add an open request. If its completion may be lost with a damaged block, the
   pass over completions reports it instead. */
static void add_open(struct match *m, int64_t posted_ns,
		     const int64_t row[OPEN_COLUMNS])
{
	if (row[4] || !gaspdb_run_damaged_after(m->run, row[1], posted_ns))
		gaspdb_sorter_add(&m->open, row);
}

static void open_request(void *user, const struct gaspdb_open_request *r)
{
	struct match *m = user;

	add_open(m, r->posted_ns,
		 (int64_t[]){ r->event, r->thread, r->bytes, r->kind,
			      r->freed });
}

static void add_open_others(struct match *m)
{
	sqlite3_stmt *stmt = gaspdb_prepare(m->run, gaspdb_sql_open_requests);

	while (gaspdb_row(m->run, stmt)) {
		const int64_t thread = sqlite3_column_int64(stmt, 1);

		add_open(m, gaspdb_column(stmt, 3),
			 (int64_t[]){ sqlite3_column_int64(stmt, 0), thread,
				      gaspdb_column(stmt, 2), OTHER, 0 });
		gaspdb_hung_waits_add_unknown(&m->hung, thread);
	}
	sqlite3_finalize(stmt);
}

static void write_requests(struct match *m, struct gaspdb_sorter *requests,
			   enum gaspdb_quality_kind kind)
{
	const int64_t *row;

	while ((row = gaspdb_sorter_next(requests)))
		gaspdb_quality_add(
			m->run,
			&(struct gaspdb_quality_row){ .kind = kind,
						      .thread = row[1],
						      .event = row[0],
						      .count = 1,
						      .bytes = row[2],
						      .time_ns = GASPDB_NONE },
			"%s%s", direction_names[row[3]],
			row[4] ? ", freed before" : "");
}

/* --- the pass ------------------------------------------------------------- */

static void add_matched(struct match *m)
{
	for (int64_t i = 0; m->matched && i < m->run->n_threads; i++)
		for (int kind = GASPDB_SEND; kind <= GASPDB_RECEIVE; kind++) {
			const struct matched *sums = &m->matched[i][kind];

			if (sums->operations)
				count(m, i, (enum gaspdb_end_kind)kind, MATCHED,
				      sums->operations, sums->bytes);
		}
}

static void write_outcomes(struct match *m)
{
	sqlite3_stmt *stmt = gaspdb_prepare(m->run, gaspdb_sql_p2p_total_add);

	gaspdb_groups_sort(&m->outcomes);
	for (size_t i = 0; i < m->outcomes.n && stmt; i++) {
		const int64_t *row = gaspdb_groups_row(&m->outcomes, i);

		sqlite3_bind_text(stmt, 5, outcome_names[row[2]], -1,
				  SQLITE_STATIC);
		gaspdb_write(m->run, stmt, 3,
			     (int64_t[]){ row[0], row[3], row[4] },
			     direction_names[row[1]]);
	}
	sqlite3_finalize(stmt);
}

static void write_totals(struct match *m)
{
	write_outcomes(m);
	gaspdb_sums_write(&m->lines, GASPDB_INSERT_INTO_message_total);
	gaspdb_groups_write(m->run, &m->sizes, gaspdb_sql_send_size_add);
}

static void watermark(void *user, int64_t at_ns)
{
	struct match *m = user;

	gaspdb_pairs_set_watermark(&m->pairs, at_ns);
}

static void arrive(void *user, const struct gaspdb_arrival *arrival)
{
	struct match *m = user;

	gaspdb_pairs_arrive(&m->pairs, arrival);
}

static void match(struct match *m)
{
	const struct gaspdb_pair_callbacks pairs = { .user = m,
						     .pair = paired,
						     .probed = probed,
						     .unmatched = unmatched };
	const struct gaspdb_stream_callbacks streams = { .user = m,
							 .excluded = excluded,
							 .open_request =
								 open_request,
							 .watermark = watermark,
							 .arrive = arrive };

	m->matched = gaspdb_zeroed(m->run, (size_t)m->run->n_threads,
				   sizeof *m->matched);
	gaspdb_pairs_init(&m->pairs, m->run, &m->waits.events, &pairs);
	gaspdb_streams_run(m->run, &streams);
	add_matched(m);
	free(m->matched);
	gaspdb_pairs_finish(&m->pairs);
	gaspdb_pairs_fini(&m->pairs);
}

enum gaspdb_status gaspdb_pass_messages(struct gaspdb_run *run)
{
	struct match m = { .run = run };

	gaspdb_message_waits_open(&m.waits, run);
	gaspdb_hung_waits_open(&m.hung, run, &m.waits.writer, &m.waits.events);
	gaspdb_sorter_init(&m.cancelled, run, OPEN_COLUMNS, 1);
	gaspdb_sorter_init(&m.open, run, OPEN_COLUMNS, 1);
	gaspdb_groups_init(&m.outcomes, 3, 2);
	gaspdb_sums_init(&m.lines, run, 4, "++<>+");
	gaspdb_groups_init(&m.sizes, 2, 2);
	gaspdb_syncs_open(&m.syncs, run);
	gaspdb_unknown_waits_open(&m.unknown_waits, run);
	gaspdb_wrong_channels_open(&m.wrong, run, &m.waits.events);
	m.messages = gaspdb_table_writer_open(&run->tables,
					      GASPDB_TABLE(message), 0, NULL);
	match(&m);
	write_requests(&m, &m.cancelled, GASPDB_QUALITY_CANCELLED);
	add_open_others(&m);
	write_requests(&m, &m.open, GASPDB_QUALITY_REQUEST_OPEN);
	write_totals(&m);
	gaspdb_sorter_fini(&m.cancelled);
	gaspdb_sorter_fini(&m.open);
	gaspdb_groups_fini(&m.outcomes);
	gaspdb_sums_fini(&m.lines);
	gaspdb_groups_fini(&m.sizes);
	gaspdb_wrong_channels_close(&m.wrong);
	gaspdb_hung_waits_close(&m.hung);
	gaspdb_message_waits_close(&m.waits);
	return run->status;
}
