/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends and receives of all kinds: table p2p, and bytes of events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

/* Sites of the calls, each at its own line. */
struct calls {
	unsigned send, recv, isend, irecv, wait, sendrecv, send_init, recv_init,
		start, probe, mrecv, imrecv, free, ibarrier, put;
};

#define SEND	"peer:i tag:i bytes:z team:u"
#define RECEIVE "posted_peer:i posted_tag:i limit:z team:u"
#define STATUS	"peer:i tag:i bytes:z error:i"

static unsigned call(struct log *l, const char *name, const char *type,
		     const char *start, const char *end, unsigned line)
{
	return log_site(l, log_op(l, name, type, "communication", start, end),
			"a.c", line);
}

/* A log of a rank of 4, with the world as team 1 and the calls. */
static struct log *new_rank(int rank, struct calls *c)
{
	struct log *l = log_rank(rank, 4);

	log_team(l, 1, 0, 0, rank, 4, "world", "WORLD", 0);
	c->send = call(l, "Send", "send", SEND, "", 1);
	c->recv = call(l, "Recv", "receive", RECEIVE, STATUS, 2);
	c->isend = call(l, "Isend", "send_nb", SEND, "request:u", 3);
	c->irecv = call(l, "Irecv", "receive_nb", RECEIVE, "request:u", 4);
	c->wait = call(l, "Wait", "wait", "requests:u", "", 5);
	c->sendrecv = call(l, "Sendrecv", "send_receive",
			   "peer:i tag:i bytes:z posted_peer:i posted_tag:i "
			   "limit:z team:u",
			   "receive_peer:i receive_tag:i bytes_received:z "
			   "error:i",
			   6);
	c->send_init = call(l, "Send_init", "send_init", SEND, "request:u", 7);
	c->recv_init =
		call(l, "Recv_init", "receive_init", RECEIVE, "request:u", 8);
	c->start = call(l, "Start", "start", "requests:u", "", 9);
	c->probe = call(l, "Mprobe", "probe",
			"posted_peer:i posted_tag:i team:u", "", 10);
	c->mrecv =
		call(l, "Mrecv", "receive", "message:u " RECEIVE, STATUS, 11);
	c->imrecv = call(l, "Imrecv", "receive_nb", "message:u " RECEIVE,
			 "request:u", 12);
	c->free = call(l, "Request_free", "request", "", "", 13);
	c->ibarrier =
		log_site(l,
			 log_op(l, "Ibarrier", "barrier", "synchronization",
				"team:u sequence:u", "request:u"),
			 "a.c", 14);
	c->put = call(l, "Rput", "put_nb", "peer:i bytes:z", "request:u", 15);
	return l;
}

#define P2P                                                                   \
	"SELECT id, direction, post_event_id, complete_event_id, team_id, "   \
	"peer, tag, bytes, posted_peer, posted_tag, limit_bytes, posted_ns, " \
	"completed_ns, request, number, state, error FROM p2p ORDER BY id"

static void blocking(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, c.send, ARGS(1, 7, 100, 1));
	log_end(l, 10, c.send, NONE);
	log_start(l, 20, c.recv, ARGS(-1, -1, 500, 1)); /* any, any */
	log_end(l, 30, c.recv, ARGS(2, 9, 300, 0));
	log_start(l, 40, c.recv, ARGS(3, 5, 10, 1)); /* truncated */
	log_end(l, 50, c.recv, ARGS(3, 5, 10, 15));
	log_start(l, 60, c.sendrecv, ARGS(1, 1, 64, 2, -1, 32, 1));
	log_end(l, 70, c.sendrecv, ARGS(2, 4, 16, 0));
	log_start(l, 80, c.send, ARGS(-1, 7, 0, 1)); /* to MPI_PROC_NULL */
	log_end(l, 81, c.send, NONE);
	log_start(l, 82, c.recv, ARGS(-2, -1, 9, 1)); /* from MPI_PROC_NULL */
	log_end(l, 83, c.recv, ARGS(-1, -1, 0, 0));
	log_start(l, 84, c.sendrecv, ARGS(-1, 1, 0, -2, -1, 32, 1));
	log_end(l, 85, c.sendrecv, ARGS(-1, -1, 0, 0));
	log_start(l, 90, c.recv, ARGS(1, 1, 8, 1)); /* no message */
	log_clock(l, 95, LOG_BASE + 95, LOG_REAL + 95, 1);
	log_kill(l, 0);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, P2P),
		"1|send|1|1|1|1|7|100|-|-|-|0|10|-|-|complete|0\n"
		"2|receive|2|2|1|2|9|300|-|-|500|20|30|-|-|complete|0\n"
		"3|receive|3|3|1|3|5|10|3|5|10|40|50|-|-|complete|15\n"
		"4|send|4|4|1|1|1|64|-|-|-|60|70|-|-|complete|0\n"
		"5|receive|4|4|1|2|4|16|2|-|32|60|70|-|-|complete|0\n"
		"6|send|5|5|1|-|7|0|-|-|-|80|81|-|-|null|0\n"
		"7|receive|6|6|1|-|-|0|-|-|9|82|83|-|-|null|0\n"
		"8|send|7|7|1|-|1|0|-|-|-|84|85|-|-|null|0\n"
		"9|receive|7|7|1|-|-|0|-|-|32|84|85|-|-|null|0\n"
		"10|receive|8|-|1|-|-|-|1|1|8|90|-|-|-|open|0\n");
	assert_string_equal(db_rows(db, "SELECT bytes, peer FROM event "
					"ORDER BY id"),
			    "100|1\n300|2\n10|3\n64|1\n0|-\n0|-\n0|-\n-|-\n");
	assert_string_equal(db_rows(db, "SELECT location, peer, operations, "
					"bytes, time_ns FROM traffic "
					"JOIN place USING (source_id) "
					"ORDER BY 1"),
			    "a.c:1|1|1|100|10\na.c:6|1|1|64|10\n");
	db_close(db);
}

static void non_blocking(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, c.irecv, ARGS(-1, 3, 1000, 1));
	log_end(l, 1, c.irecv, ARGS(1));
	log_start(l, 2, c.isend, ARGS(2, 4, 50, 1));
	log_end(l, 3, c.isend, ARGS(2));
	log_start(l, 4, c.irecv, ARGS(1, 1, 8, 1));
	log_end(l, 5, c.irecv, ARGS(3));
	log_start(l, 6, c.ibarrier, ARGS(1, 0));
	log_end(l, 7, c.ibarrier, ARGS(4));
	log_start(l, 8, c.put, ARGS(1, 16));
	log_end(l, 9, c.put, ARGS(5));
	log_start(l, 10, c.wait, ARGS(5)); /* all of them, in any order */
	log_complete(l, 4, 3, 4, -1, -1, 0, 0);
	log_complete(l, 2, 1, 0, 2, 4, 50, 0);
	log_complete(l, 1, 0, 1, 3, 3, 700, 0);
	log_complete(l, 5, 4, 8, -1, -1, 0, 0);
	log_complete(l, 3, 2, 3, -1, -1, 0, 0); /* cancelled */
	log_end(l, 20, c.wait, NONE);
	log_start(l, 30, c.isend, ARGS(1, 1, 9, 1)); /* freed */
	log_end(l, 31, c.isend, ARGS(6));
	log_start(l, 32, c.free, NONE);
	log_numbers(l, 18, 1, (uint64_t[]){ 6 });
	log_end(l, 33, c.free, NONE);
	log_start(l, 34, c.irecv, ARGS(1, 1, 8, 1)); /* left open */
	log_end(l, 35, c.irecv, ARGS(7));
	log_start(l, 36, c.ibarrier, ARGS(1, 1));
	log_end(l, 37, c.ibarrier, ARGS(8));
	log_start(l, 38, c.isend, ARGS(1, 1, 9, 1)); /* failed: no request */
	log_end(l, 39, c.isend, ARGS(0));
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, P2P),
		"1|receive|1|6|1|3|3|700|-|3|1000|0|20|1|-|complete|0\n"
		"2|send|2|6|1|2|4|50|-|-|-|2|20|2|-|complete|0\n"
		"3|receive|3|6|1|-|-|-|1|1|8|4|20|3|-|cancelled|0\n"
		"4|send|7|-|1|1|1|9|-|-|-|30|-|6|-|freed|0\n"
		"5|receive|9|-|1|-|-|-|1|1|8|34|-|7|-|open|0\n"
		"6|send|11|-|1|1|1|9|-|-|-|38|-|-|-|open|0\n");
	assert_string_equal(db_rows(db, "SELECT * FROM collective_request"),
			    "4|4|6|0|-|-\n5|5|6|0|-|-\n10|8|-|0|-|-\n");
	/* Received bytes belong to the call that posted the receive; the wait
	   has 0. */
	assert_string_equal(db_rows(db,
				    "SELECT operation, bytes, peer FROM " NAMED_EVENTS " "
				    "ORDER BY id LIMIT 6"),
			    "Irecv|700|3\nIsend|50|2\nIrecv|-|-\nIbarrier|-|-\n"
			    "Rput|16|1\nWait|0|-\n");
	assert_string_equal(db_rows(db, "SELECT location, calls, f.bytes FROM "
					"profile f JOIN place "
					"USING (source_id) WHERE location IN "
					"('a.c:4', 'a.c:5') ORDER BY 1"),
			    "a.c:4|3|700\na.c:5|1|0\n");
	db_close(db);
}

/* A completion long after the posting row is written. */
static void late_completion(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;
	uint64_t t = 10;

	(void)state;
	log_start(l, 0, c.irecv, ARGS(-1, 3, 1000, 1));
	log_end(l, 1, c.irecv, ARGS(1));
	for (; t < 30000; t += 2) {
		if (t % 5000 == 0)
			log_block(l, t);
		log_start(l, t, c.send, ARGS(1, 1, 1, 1));
		log_end(l, t + 1, c.send, NONE);
	}
	log_start(l, t, c.wait, ARGS(1));
	log_complete(l, 1, 0, 1, 2, 3, 70, 0);
	log_end(l, t + 5, c.wait, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT bytes, peer FROM event "
					"WHERE id = 1"),
			    "70|2\n");
	assert_string_equal(db_rows(db, "SELECT id, completed_ns, bytes "
					"FROM p2p WHERE direction = 'receive'"),
			    "1|30005|70\n");
	assert_int_equal(db_int(db, "SELECT bytes FROM profile f JOIN place "
				    "USING (source_id) "
				    "WHERE location = 'a.c:4'"),
			 70);
	assert_int_equal(db_int(db, "SELECT count(*) FROM p2p"), 14996);
	db_close(db);
}

/* A request completed by an unrecorded call, inside a recorded function: its
   completion is unseen. */
static void completed_unrecorded(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	unsigned function =
		log_site(l, log_op(l, "f", "function", "computation", "", ""),
			 "a.c", 20);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, function, NONE);
	log_start(l, 1, c.irecv, ARGS(2, 3, 1000, 1));
	log_end(l, 2, c.irecv, ARGS(1));
	log_recording(l, false, 10);
	log_complete(l, 1, 0, 1, 2, 3, 70, 0);
	log_recording(l, true, 20);
	log_end(l, 30, function, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(db_rows(db, "SELECT complete_event_id, "
					"completed_ns, peer, bytes, state "
					"FROM p2p"),
			    "-|-|2|70|unseen\n");
	assert_string_equal(db_rows(db, "SELECT id, bytes FROM event"),
			    "1|-\n2|70\n");
	db_close(db);
}

static void persistent(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, c.send_init, ARGS(1, 7, 100, 1));
	log_end(l, 1, c.send_init, ARGS(1));
	log_start(l, 2, c.send_init, ARGS(2, 7, 60, 1));
	log_end(l, 3, c.send_init, ARGS(2));
	log_start(l, 4, c.recv_init, ARGS(-1, 5, 500, 1));
	log_end(l, 5, c.recv_init, ARGS(3));
	for (uint64_t i = 0; i < 2; i++) {
		uint64_t t = 10 + 100 * i;

		log_start(l, t, c.start, ARGS(3));
		for (uint64_t r = 1; r <= 3; r++)
			log_numbers(l, 17, 2, (uint64_t[]){ r, i + 1 });
		log_end(l, t + 9, c.start, NONE);
		log_start(l, t + 20, c.wait, ARGS(3));
		log_complete(l, 1, 0, 0, 1, 7, 100, 0);
		log_complete(l, 2, 1, 0, 2, 7, 60, 0);
		log_complete(l, 3, 2, 1, 3, 5, 40 + i, 0);
		log_end(l, t + 30, c.wait, NONE);
	}
	log_start(l, 300, c.start, ARGS(1));
	log_numbers(l, 17, 2, (uint64_t[]){ 1, 3 });
	log_end(l, 302, c.start, NONE);
	log_start(l, 303, c.free, NONE); /* while it is active */
	log_numbers(l, 18, 1, (uint64_t[]){ 1 });
	log_end(l, 304, c.free, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, P2P),
		"1|send|4|5|1|1|7|100|-|-|-|10|40|1|1|complete|0\n"
		"2|send|4|5|1|2|7|60|-|-|-|10|40|2|1|complete|0\n"
		"3|receive|4|5|1|3|5|40|-|5|500|10|40|3|1|complete|0\n"
		"4|send|6|7|1|1|7|100|-|-|-|110|140|1|2|complete|0\n"
		"5|send|6|7|1|2|7|60|-|-|-|110|140|2|2|complete|0\n"
		"6|receive|6|7|1|3|5|41|-|5|500|110|140|3|2|complete|0\n"
		"7|send|8|-|1|1|7|100|-|-|-|300|-|1|3|freed|0\n");
	/* Sends to two peers have no peer; received bytes are added. */
	assert_string_equal(db_rows(db, "SELECT bytes, peer FROM event "
					"WHERE id IN (4, 6, 8)"),
			    "200|-\n201|-\n100|1\n");
	/* Two sends in 9 ns, twice; one in 2 ns. */
	assert_string_equal(db_rows(db, "SELECT peer, operations, bytes, "
					"time_ns FROM traffic ORDER BY 1"),
			    "1|3|300|12\n2|2|120|8\n");
	db_close(db);
}

static void matched_probes(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, c.probe, ARGS(-1, -1, 1));
	log_probed(l, 1, 2, 8, 90);
	log_end(l, 5, c.probe, NONE);
	log_start(l, 6, c.probe, ARGS(3, -1, 1));
	log_probed(l, 2, 3, 1, 70);
	log_end(l, 7, c.probe, NONE);
	log_start(l, 8, c.probe, ARGS(1, 1, 1)); /* probed, not matched */
	log_probed(l, 0, 1, 1, 5);
	log_end(l, 9, c.probe, NONE);
	log_start(l, 10, c.probe, ARGS(-1, -1, 1)); /* never received */
	log_probed(l, 3, 1, 2, 30);
	log_end(l, 11, c.probe, NONE);
	log_start(l, 12, c.send, ARGS(1, 1, 1, 1));
	log_end(l, 13, c.send, NONE);
	log_start(l, 20, c.imrecv, ARGS(2, 3, -1, 100, 1));
	log_end(l, 21, c.imrecv, ARGS(50));
	log_start(l, 22, c.mrecv, ARGS(1, -1, -1, 200, 1));
	log_end(l, 25, c.mrecv, ARGS(2, 8, 90, 0));
	log_start(l, 30, c.wait, ARGS(1));
	log_complete(l, 50, 0, 1, 3, 1, 70, 0);
	log_end(l, 31, c.wait, NONE);
	/* Matched while recording was off: the receive has no probe. */
	log_start(l, 40, c.mrecv, ARGS(0, -1, -1, 200, 1));
	log_end(l, 41, c.mrecv, ARGS(1, 2, 7, 0));
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, P2P),
		"1|receive|1|7|1|2|8|90|-|-|200|0|25|-|-|complete|0\n"
		"2|receive|2|8|1|3|1|70|3|-|100|6|31|50|-|complete|0\n"
		"3|receive|4|-|1|1|2|30|-|-|-|10|-|-|-|open|0\n"
		"4|send|5|5|1|1|1|1|-|-|-|12|13|-|-|complete|0\n"
		"5|receive|9|9|1|1|2|7|-|-|200|40|41|-|-|complete|0\n");
	/* A probe has no bytes, but a message. */
	assert_string_equal(
		db_rows(db, "SELECT operation, bytes, peer, (SELECT value FROM "
			    "call_argument a WHERE a.event_id = call.id "
			    "AND a.name = 'tag') "
			    "FROM " NAMED_EVENTS " WHERE id IN (2, 3, 6)"),
		"Mprobe|-|3|1\nMprobe|-|1|1\nImrecv|70|3|-\n");
	db_close(db);
}

/* Threads of a process: one posts, another completes, in either order of
   reading. */
static void across_threads(void **state)
{
	struct calls c;
	struct log *l;
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	for (unsigned number = 0; number < 3; number++) {
		l = new_rank(0, &c);
		l->ordinal = number;
		l->bytes[48] = (unsigned char)number;
		log_meta(l, "thread",
			 number == 0   ? "0"
			 : number == 1 ? "1"
				       : "2");
		if (number == 1) {
			log_start(l, 0, c.irecv, ARGS(-1, 3, 1000, 1));
			log_end(l, 1, c.irecv, ARGS(1));
			log_start(l, 2, c.irecv, ARGS(-1, 3, 1000, 1));
			log_end(l, 3, c.irecv, ARGS(2));
			log_start(l, 4, c.recv_init, ARGS(1, 5, 500, 1));
			log_end(l, 5, c.recv_init, ARGS(3));
			log_start(l, 6, c.probe, ARGS(-1, -1, 1));
			log_probed(l, 9, 2, 8, 90);
			log_end(l, 7, c.probe, NONE);
		} else {
			uint64_t n = number ? 2 : 1;

			log_start(l, 20, c.wait, ARGS(1));
			log_complete(l, n, 0, 1, 3, 3, 10 * n, 0);
			log_end(l, 20 + n, c.wait, NONE);
		}
		if (number == 0) { /* before its creation is read */
			log_start(l, 30, c.start, ARGS(1));
			log_numbers(l, 17, 2, (uint64_t[]){ 3, 1 });
			log_end(l, 31, c.start, NONE);
			log_start(l, 32, c.mrecv, ARGS(9, -1, -1, 200, 1));
			log_end(l, 33, c.mrecv, ARGS(2, 8, 90, 0));
		}
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT p.thread_id, e.thread_id, p.peer, p.tag, "
			    "p.bytes, posted_peer, limit_bytes, completed_ns, "
			    "request, number, state FROM p2p p JOIN event e "
			    "ON e.id = coalesce(complete_event_id, "
			    "post_event_id) ORDER BY post_event_id"),
		/* Ranks 1 to 3 are threads 3 to 5. */
		"0|0|-|-|-|3|500|-|3|1|open\n"
		"1|0|5|3|10|-|1000|21|1|-|complete\n"
		"1|2|5|3|20|-|1000|22|2|-|complete\n"
		"1|0|4|8|90|-|200|33|-|-|complete\n");
	assert_string_equal(db_rows(db, "SELECT bytes FROM " NAMED_EVENTS " "
					"WHERE operation = 'Irecv'"),
			    "10\n20\n");
	assert_string_equal(db_rows(db, "SELECT sum(f.bytes) FROM profile f "
					"JOIN place USING (source_id) "
					"WHERE location = 'a.c:4'"),
			    "30\n");
	db_close(db);
	run_remove(run);
}

#define ZIGZAG(n) (2 * (uint64_t)(n)) /* of numbers from 0 */

/* Messages with one of two calls recorded. */
static void half_recorded(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, c.send, ARGS(1, 5, 10, 1));
	log_end(l, 1, c.send, NONE);
	log_start(l, 10, c.recv, ARGS(1, 5, 100, 1));
	log_end(l, 11, c.recv, ARGS(1, 5, 20, 0));
	/* Its probe was at 6. */
	log_numbers(l, 20, 5,
		    (uint64_t[]){ 7, ZIGZAG(1), ZIGZAG(5), 30, LOG_BASE + 6 });
	log_start(l, 20, c.mrecv, ARGS(7, 1, 5, 100, 1));
	log_end(l, 21, c.mrecv, ARGS(1, 5, 30, 0));
	log_numbers(l, 20, 5,
		    (uint64_t[]){ 8, ZIGZAG(1), ZIGZAG(5), 40, LOG_BASE + 7 });
	log_start(l, 30, c.imrecv, ARGS(8, -1, 5, 100, 1));
	log_end(l, 31, c.imrecv, ARGS(1));
	/* It has no receive. */
	log_numbers(l, 20, 5,
		    (uint64_t[]){ 9, ZIGZAG(1), ZIGZAG(5), 50, LOG_BASE + 8 });
	log_start(l, 32, c.wait, ARGS(1));
	log_complete(l, 1, 0, 1, 1, 5, 40, 0);
	log_end(l, 33, c.wait, NONE);
	/* Created before: a send and a receive. */
	log_start(l, 40, c.start, ARGS(2));
	log_numbers(l, 22, 6,
		    (uint64_t[]){ 2, 0, ZIGZAG(2), ZIGZAG(6), 60, 1 });
	log_numbers(l, 17, 2, (uint64_t[]){ 2, 3 });
	log_numbers(l, 22, 6,
		    (uint64_t[]){ 3, 1, ZIGZAG(3), ZIGZAG(7), 70, 1 });
	log_numbers(l, 17, 2, (uint64_t[]){ 3, 1 });
	log_end(l, 41, c.start, NONE);
	log_close(l);
	db = run_one(l);
	assert_string_equal(
		db_rows(db, P2P),
		"1|send|1|1|1|1|5|10|-|-|-|0|1|-|-|complete|0\n"
		"2|receive|2|2|1|1|5|20|1|5|100|10|11|-|-|complete|0\n"
		"3|receive|3|3|1|1|5|30|1|5|100|6|21|-|-|complete|0\n"
		"4|receive|4|5|1|1|5|40|-|5|100|7|33|1|-|complete|0\n"
		"6|send|6|-|1|2|6|60|-|-|-|40|-|2|3|open|0\n"
		"7|receive|6|-|1|-|-|-|3|7|70|40|-|3|1|open|0\n");
	db_close(db);
}

/* Receives by the thread whose log is read first, in several ways. */
static void probe_read_later(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	char *run = run_new();
	sqlite3 *db;

	(void)state;
	log_meta(l, "thread", "0");
	for (uint64_t message = 1; message <= 3; message++) {
		log_start(l, 20 + message, c.imrecv,
			  ARGS(message, 1, 5, 100, 1));
		log_end(l, 20 + message, c.imrecv, ARGS(message));
	}
	log_start(l, 30, c.wait, ARGS(1));
	log_complete(l, 1, 0, 1, 1, 5, 10, 0);
	log_end(l, 31, c.wait, NONE);
	log_close(l);
	run_add(run, l);
	l = new_rank(0, &c);
	l->ordinal = 1;
	l->bytes[48] = 1;
	log_meta(l, "thread", "1");
	for (uint64_t message = 1; message <= 3; message++) {
		log_start(l, message - 1, c.probe, ARGS(1, 5, 1));
		log_probed(l, message, 1, 5, 10 * message);
		log_end(l, message, c.probe, NONE);
	}
	log_start(l, 30, c.wait, ARGS(1));
	log_complete(l, 2, 0, 1, 1, 5, 20, 0);
	log_end(l, 32, c.wait, NONE);
	log_close(l);
	run_add(run, l);
	db = run_open(run);
	assert_string_equal(
		db_rows(db, "SELECT thread_id, bytes, posted_ns, completed_ns, "
			    "request, state FROM p2p ORDER BY posted_ns"),
		"1|10|0|31|1|complete\n"
		"1|20|1|32|2|complete\n"
		"1|-|2|-|3|open\n");
	db_close(db);
	run_remove(run);
}

/* Calls of the runtime inside its own are no messages of the program. */
static void nested(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;

	(void)state;
	log_start(l, 0, c.ibarrier, ARGS(1, 0));
	log_start(l, 1, c.send, ARGS(1, 1, 5, 1));
	log_end(l, 2, c.send, NONE);
	log_start(l, 3, c.irecv, ARGS(1, 1, 5, 1));
	log_end(l, 4, c.irecv, ARGS(1));
	log_start(l, 5, c.wait, ARGS(1));
	log_complete(l, 1, 0, 1, 1, 1, 5, 0);
	log_end(l, 6, c.wait, NONE);
	log_end(l, 7, c.ibarrier, ARGS(2));
	log_close(l);
	db = run_one(l);
	assert_int_equal(db_int(db, "SELECT count(*) FROM p2p"), 0);
	assert_int_equal(db_int(db, "SELECT count(*) FROM traffic"), 0);
	assert_int_equal(db_int(db, "SELECT sum(nested) FROM event"), 3);
	db_close(db);
}

/* Records without an open call, and contradictory ones. */
static void nonsense(void **state)
{
	struct calls c;
	struct log *l = new_rank(0, &c);
	sqlite3 *db;

	(void)state;
	log_complete(l, 1, 0, 1, 1, 1, 5, 0);
	log_probed(l, 1, 2, 8, 90);
	log_numbers(l, 17, 2, (uint64_t[]){ 3, 1 });
	log_numbers(l, 18, 1, (uint64_t[]){ 9 });
	log_start(l, 0, c.irecv, ARGS(1, 1, 5, 1));
	log_end(l, 1, c.irecv, ARGS(1));
	log_start(l, 2, c.isend, ARGS(1, 1, 5, 1)); /* the same request */
	log_complete(l, 1, 0, 0, 1, 1, 5, 0);
	log_complete(l, 1, 0, 0, 1, 1, 5, INT64_MIN);
	log_end(l, 3, c.isend, ARGS(1));
	for (unsigned i = 0; i < 2; i++) { /* one message, received twice */
		log_start(l, 10 + i, c.probe, ARGS(-1, -1, 1));
		log_probed(l, 5, 2, 8, 90);
		log_end(l, 10 + i, c.probe, NONE);
	}
	for (unsigned i = 0; i < 2; i++) {
		log_start(l, 20, c.mrecv, ARGS(5, -1, -1, 200, 1));
		log_end(l, 20, c.mrecv, ARGS(2, 8, UINT64_MAX, 0));
	}
	log_close(l);
	db = run_one(l);
	/* The first completion has no call: its call is unknown. */
	assert_string_equal(
		db_rows(db, "SELECT direction, complete_event_id, bytes, state "
			    "FROM p2p ORDER BY id"),
		"receive|-|5|unseen\nsend|2|5|complete\n"
		"receive|5|281474976710656|complete\n"
		"receive|6|281474976710656|complete\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM event"), 6);
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocking),
		cmocka_unit_test(non_blocking),
		cmocka_unit_test(late_completion),
		cmocka_unit_test(completed_unrecorded),
		cmocka_unit_test(persistent),
		cmocka_unit_test(matched_probes),
		cmocka_unit_test(across_threads),
		cmocka_unit_test(half_recorded),
		cmocka_unit_test(probe_read_later),
		cmocka_unit_test(nested),
		cmocka_unit_test(nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
