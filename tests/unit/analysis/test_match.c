/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching of messages: channels, what is left out, who waited for whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"

#define ANY	DB_NULL
#define NOT_YET 0

static void set_null(sqlite3 *db, const char *column, int64_t id, int64_t value)
{
	if (value == DB_NULL)
		db_exec(db, "UPDATE p2p SET %s = NULL WHERE id = %lld", column,
			(long long)id);
	else
		db_exec(db, "UPDATE p2p SET %s = %lld WHERE id = %lld", column,
			(long long)value, (long long)id);
}

/* complete NOT_YET: nothing completed it. */
static int64_t add_p2p(sqlite3 *db, const char *direction, int64_t post,
		       int64_t complete, int64_t team, int64_t peer,
		       int64_t tag, int64_t bytes)
{
	int64_t id;

	db_exec(db,
		"INSERT INTO p2p(thread_id, direction, post_event_id, "
		"complete_event_id, team_id, posted_ns, completed_ns, request, "
		"state, error) SELECT e.thread_id, '%s', e.id, f.id, "
		"nullif(%lld, 0), e.start_ns, f.start_ns + f.duration_ns, "
		"CASE WHEN f.id IS e.id THEN NULL ELSE e.id END, "
		"iif(f.id IS NULL, 'open', 'complete'), 0 FROM event e "
		"LEFT JOIN event f ON f.id = %lld WHERE e.id = %lld",
		direction, (long long)team, (long long)complete,
		(long long)post);
	id = sqlite3_last_insert_rowid(db);
	set_null(db, "peer", id, peer);
	set_null(db, "tag", id, tag);
	set_null(db, "bytes", id, bytes);
	return id;
}

static int64_t add_send(sqlite3 *db, int64_t post, int64_t complete,
			int64_t team, int64_t peer, int64_t tag, int64_t bytes)
{
	return add_p2p(db, "send", post, complete, team, peer, tag, bytes);
}

/* Posted with wildcards, unless posted() says otherwise. */
static int64_t add_receive(sqlite3 *db, int64_t post, int64_t complete,
			   int64_t team, int64_t peer, int64_t tag,
			   int64_t bytes)
{
	return add_p2p(db, "receive", post, complete, team, peer, tag, bytes);
}

static void posted(sqlite3 *db, int64_t id, int64_t peer, int64_t tag)
{
	set_null(db, "posted_peer", id, peer);
	set_null(db, "posted_tag", id, tag);
}

static void set_state(sqlite3 *db, int64_t id, const char *state)
{
	db_exec(db, "UPDATE p2p SET state = '%s' WHERE id = %lld", state,
		(long long)id);
}

static const char waits_sql[] =
	"SELECT w.kind, w.thread_id, w.start_ns, w.end_ns, w.cause_thread_id, "
	"w.clamped FROM wait w ORDER BY w.event_id, w.start_ns";
static const char outcomes_sql[] =
	"SELECT thread_id, direction, outcome, operations, bytes FROM p2p_total "
	"ORDER BY 1, 2 DESC, 3";
static const char quality_sql[] =
	"SELECT kind, thread_id, event_id, count, bytes FROM quality "
	"ORDER BY kind, thread_id, event_id";

/* Two threads, teams 1 and 2. */
static sqlite3 *two_threads(void)
{
	sqlite3 *db = db_new();

	db_threads(db, 2, 1000);
	db_team(db, 2);
	db_team(db, 2);
	return db;
}

static void test_worked_example(void **state)
{
	enum { W = 1, D = 2 };
	sqlite3 *db = two_threads();
	int64_t m1 = db_event(db, 0, "send", "s.c:1", 0, 1);
	int64_t m4 = db_event(db, 0, "send", "s.c:4", 5, 6);
	int64_t m2 = db_event(db, 0, "send", "s.c:2", 10, 11);
	int64_t m3 = db_event(db, 0, "send", "s.c:3", 20, 21);
	int64_t r1 = db_event(db, 1, "receive_nb", "r.c:1", 30, 30);
	int64_t r2 = db_event(db, 1, "receive_nb", "r.c:2", 31, 31);
	int64_t r3 = db_event(db, 1, "receive_nb", "r.c:3", 32, 32);
	int64_t r4 = db_event(db, 1, "receive_nb", "r.c:4", 33, 33);
	int64_t w3 = db_event(db, 1, "wait", "r.c:5", 39, 40);
	int64_t w2 = db_event(db, 1, "wait", "r.c:6", 40, 41);
	int64_t w1 = db_event(db, 1, "wait", "r.c:7", 41, 42);
	int64_t probe = db_call(db, 1, "mprobe", "probe", "r.c:8", 50, 51);
	int64_t mrecv = db_call(db, 1, "mrecv", "receive", "r.c:9", 60, 61);
	int64_t id;

	(void)state;
	add_send(db, m1, m1, W, 1, 5, 100);
	add_send(db, m2, m2, W, 1, 5, 200);
	add_send(db, m3, m3, W, 1, 7, 300);
	add_send(db, m4, m4, D, 1, 5, 100);
	add_receive(db, r1, w1, W, 0, 5, 100);
	posted(db, add_receive(db, r2, w2, W, 0, 5, 200), 0, 5);
	posted(db, add_receive(db, r3, w3, D, 0, 5, 100), 0, 5);
	id = add_receive(db, r4, NOT_YET, W, DB_NULL, DB_NULL, DB_NULL);
	posted(db, id, 0, 9);
	set_state(db, id, "cancelled");
	posted(db, add_receive(db, probe, mrecv, W, 0, 7, 300), 0, ANY);
	db_passes(db);

	assert_string_equal(
		db_rows(db, "SELECT a.line, b.line, m.team_id, m.tag, m.bytes, "
			    "m.sent_ns, m.posted_ns, m.received_ns, "
			    "m.order_uncertain FROM message m "
			    "JOIN event e ON e.id = m.send_event_id "
			    "JOIN source a ON a.id = e.source_id "
			    "JOIN event f ON f.id = m.post_event_id "
			    "JOIN source b ON b.id = f.source_id "
			    "ORDER BY m.sent_ns"),
		"1|1|1|5|100|0|30|42|0\n"
		"4|3|2|5|100|5|32|40|0\n"
		"2|2|1|5|200|10|31|41|0\n"
		"3|8|1|7|300|20|50|61|0\n");
	assert_string_equal(db_rows(db, "%s", outcomes_sql),
			    "0|send|matched|4|700\n"
			    "1|receive|cancelled|1|0\n"
			    "1|receive|matched|4|700\n");
	assert_string_equal(db_rows(db, "SELECT kind, thread_id FROM quality"),
			    "cancelled|1\n");
	assert_int_equal(db_int(db, "SELECT receive_event_id FROM message "
				    "WHERE tag = 7"),
			 mrecv);
	assert_string_equal(
		db_rows(db, "SELECT sum(messages), sum(bytes), min(min_bytes), "
			    "max(max_bytes) FROM message_total"),
		"4|700|100|300\n");
	assert_string_equal(db_rows(db, "SELECT * FROM size_total"),
			    "0|send|64|2|200\n"
			    "0|send|128|1|200\n"
			    "0|send|256|1|300\n");
	db_close(db);
}

static void test_unmatched(void **state)
{
	sqlite3 *db = two_threads();
	int64_t a = db_event(db, 0, "send", "s.c:1", 0, 1);
	int64_t b = db_event(db, 0, "send_nb", "s.c:2", 2, 3);
	int64_t c = db_event(db, 0, "send", "s.c:3", 4, 5);
	int64_t d = db_event(db, 1, "receive", "r.c:1", 0, 9);
	int64_t e = db_event(db, 1, "receive_nb", "r.c:2", 10, 11);
	int64_t f = db_event(db, 1, "receive_nb", "r.c:3", 12, 13);
	int64_t g = db_event(db, 1, "receive_nb", "r.c:4", 14, 15);
	int64_t id;

	(void)state;
	db_exec(db, "INSERT INTO thread(id, rank, number, complete) "
		    "VALUES(2, 2, 0, 0)");
	add_send(db, a, a, 1, 1, 1, 10);
	add_send(db, b, NOT_YET, 1, 1, 2, 20);
	add_send(db, c, c, 1, 2, 3, 30);
	add_receive(db, d, d, 1, 0, 1, 10);
	posted(db, add_receive(db, e, NOT_YET, 1, ANY, ANY, ANY), 0, 4);
	/* From anyone, never completed: whose it was is not known. */
	add_receive(db, f, NOT_YET, 1, ANY, ANY, ANY);
	id = add_receive(db, g, g, 1, ANY, ANY, 0);
	set_state(db, id, "null");
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", outcomes_sql),
			    "0|send|matched|1|10\n"
			    "0|send|unmatched|2|50\n"
			    "1|receive|matched|1|10\n"
			    "1|receive|null|1|0\n"
			    "1|receive|unmatched|1|0\n"
			    "1|receive|wildcard|1|0\n");
	assert_string_equal(db_rows(db, "%s", quality_sql),
			    "request never completed|0|2|1|20\n"
			    "request never completed|1|5|1|-\n"
			    "request never completed|1|6|1|-\n"
			    "unmatched receive|1|5|1|-\n"
			    "unmatched send|0|2|1|20\n"
			    "unmatched send|0|3|1|30\n");
	assert_string_equal(
		db_rows(db, "SELECT detail FROM quality WHERE event_id = 3"),
		"to rank 2, which has no log, tag 3\n");
	db_close(db);
}

/* A freed send is matched; that a receive was freed does not unmatch it. */
static void test_freed(void **state)
{
	sqlite3 *db = two_threads();
	int64_t a = db_event(db, 0, "send_nb", "s.c:1", 0, 1);
	int64_t b = db_event(db, 0, "send", "s.c:2", 2, 3);
	int64_t c = db_event(db, 1, "receive", "r.c:1", 0, 9);
	int64_t d = db_event(db, 1, "receive_nb", "r.c:2", 10, 11);
	int64_t id;

	(void)state;
	set_state(db, add_send(db, a, NOT_YET, 1, 1, 1, 10), "freed");
	add_send(db, b, b, 1, 1, 2, 20);
	add_receive(db, c, c, 1, 0, 1, 10);
	id = add_receive(db, d, NOT_YET, 1, ANY, ANY, ANY);
	posted(db, id, 0, 2);
	set_state(db, id, "freed");
	db_passes(db);
	assert_string_equal(
		db_rows(db,
			"SELECT send_event_id, complete_event_id, "
			"receive_event_id, received_ns, bytes FROM message"),
		"1|-|3|9|10\n"
		"2|2|-|-|20\n");
	assert_string_equal(
		db_rows(db, "SELECT kind, event_id, detail "
			    "FROM quality ORDER BY event_id"),
		"request never completed|1|send, freed before\n"
		"request never completed|4|receive, freed before\n");
	db_close(db);
}

/*
 * While thread 1 was not recorded it received two of the four; without that
 * knowledge the fourth would pair with the second.
 */
static void test_recording_off(void **state)
{
	sqlite3 *db = two_threads();
	int64_t sends[5], r1, r2;

	(void)state;
	for (int i = 0; i < 5; i++)
		sends[i] = db_event(db, 0, "send", "s.c:1", i * 10, i * 10 + 1);
	r1 = db_event(db, 1, "receive", "r.c:1", 0, 50);
	r2 = db_event(db, 1, "receive", "r.c:1", 90, 95);
	for (int i = 0; i < 4; i++)
		add_send(db, sends[i], sends[i], 1, 1, 1, 8);
	add_receive(db, r1, r1, 1, 0, 1, 8);
	add_receive(db, r2, r2, 1, 0, 1, 8);
	db_exec(db, "INSERT INTO passed VALUES(1, 90, 1, 0, 1, 0, 2)");
	/* On this channel both ends were off, and one send was not. */
	add_send(db, sends[4], sends[4], 1, 1, 2, 8);
	db_exec(db, "INSERT INTO passed VALUES(0, 20, 1, 1, 2, 3, 0), "
		    "(1, 90, 1, 0, 2, 0, 4)");
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT sent_ns, posted_ns "
					"FROM message"),
			    "0|0\n30|90\n");
	assert_string_equal(db_rows(db, "%s", outcomes_sql),
			    "0|send|matched|2|16\n"
			    "0|send|not recorded|3|24\n"
			    "1|receive|matched|2|16\n");
	assert_string_equal(db_rows(db, "%s", quality_sql),
			    "partner not recorded|0|2|1|8\n"
			    "partner not recorded|0|3|1|8\n"
			    "partner not recorded|0|5|1|8\n");
	db_close(db);
}

/*
 * A block is damaged, in which a persistent send was made: it is started only
 * after the second of the sends.  What the channel lacks is no loss of the
 * block's place, and nothing is paired from there on.
 */
static void test_unknown_channel(void **state)
{
	sqlite3 *db = two_threads();
	int64_t a = db_event(db, 0, "send", "s.c:1", 0, 1);
	int64_t b = db_event(db, 0, "send", "s.c:1", 20, 21);
	int64_t c = db_event(db, 0, "start", "s.c:2", 30, 31);
	int64_t r[3];

	(void)state;
	for (int i = 0; i < 3; i++)
		r[i] = db_event(db, 1, "receive", "r.c:1", i * 10, i * 10 + 9);
	add_send(db, a, a, 1, 1, 1, 8);
	add_send(db, b, b, 1, 1, 1, 8);
	set_null(db, "team_id", add_send(db, c, c, 1, 1, 1, 8), ANY);
	for (int i = 0; i < 3; i++)
		add_receive(db, r[i], r[i], 1, 0, 1, 8);
	db_exec(db, "INSERT INTO gap(thread_id, start_ns, end_ns, kind) "
		    "VALUES(0, 5, 15, 'damage')");
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT sent_ns, posted_ns "
					"FROM message"),
			    "0|0\n");
	assert_string_equal(db_rows(db, "%s", outcomes_sql),
			    "0|send|matched|1|8\n"
			    "0|send|unknown|1|8\n"
			    "0|send|unmatched|1|8\n"
			    "1|receive|matched|1|8\n"
			    "1|receive|unmatched|2|16\n");
	db_close(db);
}

/* Sizes that contradict end the trust in their channel, and only there. */
static void test_bytes_differ(void **state)
{
	sqlite3 *db = two_threads();
	int64_t id;

	(void)state;
	db_apart(db);
	for (int i = 0; i < 5; i++)
		db_event(db, 0, "send", "s.c:1", i * 10, i * 10 + 1);
	for (int i = 0; i < 5; i++)
		db_event(db, 1, "receive", "r.c:1", i * 8, i * 8 + 7);
	for (int i = 1; i <= 3; i++) {
		add_send(db, i, i, 1, 1, 1, 8);
		add_receive(db, i + 5, i + 5, 1, 0, 1, i == 2 ? 4 : 8);
	}
	add_send(db, 4, 4, 1, 1, 2, 8);
	add_receive(db, 9, 9, 1, 0, 2, 8);
	/* Cut to the buffer, and said so: no contradiction. */
	add_send(db, 5, 5, 1, 1, 3, 8);
	id = add_receive(db, 10, 10, 1, 0, 3, 4);
	db_exec(db,
		"UPDATE p2p SET limit_bytes = 4, error = 15 WHERE id = %lld",
		(long long)id);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT tag, sent_ns, bytes, "
					"order_uncertain FROM message"),
			    "1|0|8|0\n"
			    "1|10|4|1\n"
			    "1|20|8|1\n"
			    "2|30|8|0\n"
			    "3|40|4|0\n");
	assert_string_equal(db_rows(db, "SELECT kind, event_id, bytes "
					"FROM quality WHERE kind LIKE 'b%%'"),
			    "bytes differ|7|4\n");
	db_close(db);
}

/* Threads of one rank that post at the same time. */
static void test_uncertain_order(void **state)
{
	sqlite3 *db = db_new();
	int64_t e[8];

	(void)state;
	db_threads(db, 2, 1000);
	db_team(db, 2);
	db_exec(db, "INSERT INTO thread(id, rank, number, first_ns, last_ns, "
		    "complete) VALUES(2, 1, 1, 0, 1000, 1)");
	e[0] = db_event(db, 0, "receive", "r.c:1", 0, 20);
	e[1] = db_event(db, 0, "receive", "r.c:1", 30, 50);
	e[2] = db_event(db, 0, "receive", "r.c:1", 60, 90);
	e[3] = db_event(db, 0, "receive", "r.c:1", 100, 120);
	e[4] = db_event(db, 1, "send", "s.c:1", 5, 10);
	e[5] = db_event(db, 1, "send", "s.c:1", 40, 50);
	e[6] = db_event(db, 2, "send", "s.c:2", 45, 55);
	e[7] = db_event(db, 2, "send", "s.c:2", 70, 75);
	for (int i = 0; i < 4; i++)
		add_receive(db, e[i], e[i], 1, 1, 1, 8);
	for (int i = 4; i < 8; i++)
		add_send(db, e[i], e[i], 1, 0, 1, 8);
	db_passes(db);
	assert_string_equal(db_rows(db, "SELECT sent_ns, posted_ns, sender, "
					"order_uncertain FROM message"),
			    "5|0|1|0\n"
			    "40|30|1|1\n"
			    "45|60|1|1\n"
			    "70|100|1|0\n");
	db_close(db);
}

static void test_late_sender(void **state)
{
	sqlite3 *db = two_threads();
	int64_t e[10];

	(void)state;
	e[0] = db_event(db, 0, "send", "s.c:1", 50, 60);
	e[1] = db_event(db, 0, "send_nb", "s.c:2", 160, 161);
	e[2] = db_event(db, 0, "wait", "s.c:3", 170, 180);
	e[3] = db_event(db, 0, "send", "s.c:4", 400, 410);
	e[4] = db_event(db, 1, "receive", "r.c:1", 10, 62);
	e[5] = db_event(db, 1, "receive_nb", "r.c:2", 100, 101);
	e[6] = db_event(db, 1, "wait", "r.c:3", 150, 165);
	e[7] = db_event(db, 1, "receive_nb", "r.c:4", 300, 301);
	e[8] = db_event(db, 1, "test", "r.c:5", 302, 420);
	add_send(db, e[0], e[0], 1, 1, 1, 8);
	add_send(db, e[1], e[2], 1, 1, 1, 8);
	add_send(db, e[3], e[3], 1, 1, 1, 8);
	add_receive(db, e[4], e[4], 1, 0, 1, 8);
	add_receive(db, e[5], e[6], 1, 0, 1, 8);
	add_receive(db, e[7], e[8], 1, 0, 1, 8);
	db_passes(db);
	/* In the receive, in the wait, and in the test that saw it come. */
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late sender|1|10|50|0|0\n"
			    "late sender|1|150|160|0|0\n"
			    "late sender|1|302|400|0|0\n");
	assert_string_equal(
		db_rows(db, "SELECT t.kind, s.line, t.thread_id, "
			    "t.cause_thread_id, c.line, t.waits, t.time_ns, "
			    "t.longest_ns FROM wait_total t "
			    "JOIN source s ON s.id = t.source_id "
			    "JOIN source c ON c.id = t.cause_source_id "
			    "ORDER BY s.line"),
		"late sender|1|1|0|1|1|40|40\n"
		"late sender|3|1|0|2|1|10|10\n"
		"late sender|5|1|0|4|1|98|98\n");
	db_close(db);
}

static void test_late_receiver(void **state)
{
	sqlite3 *db = two_threads();
	int64_t e[8];

	(void)state;
	e[0] = db_event(db, 0, "send", "s.c:1", 10, 60);
	e[1] = db_event(db, 0, "send_nb", "s.c:2", 100, 101);
	e[2] = db_event(db, 0, "wait", "s.c:3", 110, 150);
	e[3] = db_event(db, 0, "send", "s.c:4", 200, 210);
	e[4] = db_event(db, 1, "receive", "r.c:1", 50, 62);
	e[5] = db_event(db, 1, "receive", "r.c:2", 140, 155);
	e[6] = db_event(db, 1, "receive", "r.c:3", 210, 220);
	add_send(db, e[0], e[0], 1, 1, 1, 8);
	add_send(db, e[1], e[2], 1, 1, 1, 8);
	add_send(db, e[3], e[3], 1, 1, 1, 8);
	for (int i = 4; i < 7; i++)
		add_receive(db, e[i], e[i], 1, 0, 1, 8);
	db_passes(db);
	/* The third send did not wait: it ended when the receive began. */
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late receiver|0|10|50|1|0\n"
			    "late receiver|0|110|140|1|0\n");
	db_close(db);
}

/*
 * A call that completes several: the largest Late Sender; a Late Receiver only
 * where there is no Late Sender, though it were longer.
 */
static void test_several(void **state)
{
	sqlite3 *db = two_threads();
	int64_t e[16];
	int n = 0;

	(void)state;
	e[n++] = db_event(db, 0, "send", "s.c:1", 20, 21);	/* 0 */
	e[n++] = db_event(db, 0, "send", "s.c:2", 40, 41);	/* 1 */
	e[n++] = db_event(db, 0, "receive", "s.c:3", 60, 75);	/* 2 */
	e[n++] = db_event(db, 0, "receive", "s.c:4", 250, 300); /* 3 */
	e[n++] = db_event(db, 0, "receive", "s.c:5", 260, 300); /* 4 */
	e[n++] = db_event(db, 1, "receive_nb", "r.c:1", 1, 2);	/* 5 */
	e[n++] = db_event(db, 1, "receive_nb", "r.c:2", 3, 4);	/* 6 */
	e[n++] = db_event(db, 1, "send_nb", "r.c:3", 5, 6);	/* 7 */
	e[n++] = db_event(db, 1, "wait", "r.c:4", 10, 80);	/* 8 */
	e[n++] = db_event(db, 1, "send_nb", "r.c:5", 201, 202); /* 9 */
	e[n++] = db_event(db, 1, "send_nb", "r.c:6", 203, 204); /* 10 */
	e[n++] = db_event(db, 1, "wait", "r.c:7", 210, 300);	/* 11 */
	add_send(db, e[0], e[0], 1, 1, 1, 8);
	add_send(db, e[1], e[1], 1, 1, 2, 8);
	add_receive(db, e[2], e[2], 1, 1, 3, 8);
	add_receive(db, e[3], e[3], 1, 1, 4, 8);
	add_receive(db, e[4], e[4], 1, 1, 5, 8);
	add_receive(db, e[5], e[8], 1, 0, 1, 8);
	add_receive(db, e[6], e[8], 1, 0, 2, 8);
	add_send(db, e[7], e[8], 1, 0, 3, 8);
	add_send(db, e[9], e[11], 1, 0, 4, 8);
	add_send(db, e[10], e[11], 1, 0, 5, 8);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late sender|1|10|40|0|0\n"
			    "late receiver|1|210|260|0|0\n");
	db_close(db);
}

/* Received before it was sent, on two hosts: the clocks contradict. */
static void test_clock(void **state)
{
	sqlite3 *db = two_threads();
	int64_t s = db_event(db, 0, "send", "s.c:1", 100, 110);
	int64_t r = db_event(db, 1, "receive", "r.c:1", 10, 70);

	(void)state;
	db_apart(db);
	add_send(db, s, s, 1, 1, 1, 8);
	add_receive(db, r, r, 1, 0, 1, 8);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late sender|1|10|70|0|1\n");
	assert_string_equal(db_rows(db,
				    "SELECT kind, thread_id, count, time_ns "
				    "FROM quality"),
			    "clock contradiction|1|1|30\n");
	db_close(db);
}

/* Both kinds of probes wait for the message they see. */
static void test_probes(void **state)
{
	sqlite3 *db = two_threads();
	int64_t s1 = db_event(db, 0, "send", "s.c:1", 5, 6);
	int64_t s2 = db_event(db, 0, "send", "s.c:2", 50, 60);
	int64_t s3 = db_event(db, 0, "send", "s.c:3", 150, 160);
	int64_t r1 = db_event(db, 1, "receive", "r.c:1", 10, 12);
	int64_t p2 = db_event(db, 1, "probe", "r.c:2", 20, 55);
	int64_t r2 = db_event(db, 1, "receive", "r.c:3", 70, 72);
	int64_t p3 = db_event(db, 1, "probe", "r.c:4", 100, 155);
	int64_t r3 = db_event(db, 1, "receive", "r.c:5", 170, 171);
	const int64_t probes[] = { p2, p3 };

	(void)state;
	for (int i = 0; i < 2; i++) {
		db_exec(db, "UPDATE event SET peer = 0 WHERE id = %lld",
			(long long)probes[i]);
		db_arg(db, probes[i], "team", 1);
		db_arg(db, probes[i], "tag", 1);
	}
	add_send(db, s1, s1, 1, 1, 1, 8);
	add_send(db, s2, s2, 1, 1, 1, 8);
	add_send(db, s3, s3, 1, 1, 1, 8);
	add_receive(db, r1, r1, 1, 0, 1, 8);
	add_receive(db, r2, r2, 1, 0, 1, 8);
	add_receive(db, p3, r3, 1, 0, 1, 8); /* a matched one posts it */
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "late sender|1|20|50|0|0\n"
			    "late sender|1|100|150|0|0\n");
	db_close(db);
}

/* One call completes a receive and a collective: waits do not overlap. */
static void test_message_and_collective(void **state)
{
	sqlite3 *db = two_threads();
	int64_t s, b, r, done;

	(void)state;
	s = db_event(db, 0, "send", "s.c:1", 40, 41);
	b = db_call(db, 0, "ibarrier", "barrier", "s.c:2", 60, 61);
	db_collective(db, b, 1, 0);
	r = db_event(db, 1, "receive_nb", "r.c:1", 1, 2);
	b = db_call(db, 1, "ibarrier", "barrier", "r.c:2", 3, 4);
	db_collective(db, b, 1, 0);
	done = db_event(db, 1, "wait", "r.c:3", 10, 80);
	db_exec(db,
		"INSERT INTO collective_request VALUES(%lld, 1, %lld, 0, NULL, NULL)",
		(long long)b, (long long)done);
	add_send(db, s, s, 1, 1, 1, 8);
	add_receive(db, r, done, 1, 0, 1, 8);
	db_passes(db);
	assert_string_equal(db_rows(db, "%s", waits_sql),
			    "barrier|1|10|60|0|0\n");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_unmatched),
		cmocka_unit_test(test_freed),
		cmocka_unit_test(test_recording_off),
		cmocka_unit_test(test_unknown_channel),
		cmocka_unit_test(test_bytes_differ),
		cmocka_unit_test(test_uncertain_order),
		cmocka_unit_test(test_late_sender),
		cmocka_unit_test(test_late_receiver),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_clock),
		cmocka_unit_test(test_probes),
		cmocka_unit_test(test_message_and_collective),
	};

	return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
