/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matching against a simulated MPI: processes send and post receives, with
 * wildcards, cancels and times in which they are not recorded; messages arrive
 * late but do not overtake, and each takes the first receive that fits, as
 * MPI has it.  What was recorded of it must be put together again.
 *
 * GASPDB_TEST_SEED repeats a run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "analysis/messages/match.h"
#include "sql/store/table.h"
#include "analysis/waits/waits.h"
#include "tests/unit/util_db.h"

enum {
	CASES = 2000,
	MAX_PROCESSES = 4,
	MAX_TEAMS = 2,
	MAX_STEPS = 60,
	ANYONE = -1
};

struct message {
	int from, to, team, tag, step;
	bool recorded, arrived;
	int receive; /* that got it; -1: none */
	int64_t event;
};

struct receive {
	int at, team, peer, tag, step;
	bool recorded, cancelled;
	int message; /* that it got; -1: none */
	int64_t event;
};

static struct {
	int processes, teams, tags;
	struct message messages[MAX_STEPS];
	struct receive receives[MAX_STEPS];
	int n_messages, n_receives;
	int unexpected[MAX_STEPS]; /* arrived, not received; in that order */
	int n_unexpected;
	bool off[MAX_PROCESSES];
	int switched_on[MAX_PROCESSES][MAX_STEPS]; /* steps */
	int n_switched_on[MAX_PROCESSES];
} sim;

static int below(int n)
{
	return (int)(random() % n);
}

static bool fits(const struct receive *r, const struct message *m)
{
	return r->message < 0 && !r->cancelled && r->at == m->to &&
	       r->team == m->team &&
	       (r->peer == ANYONE || r->peer == m->from) &&
	       (r->tag == ANYONE || r->tag == m->tag);
}

static void join(int message, int receive)
{
	sim.messages[message].receive = receive;
	sim.receives[receive].message = message;
}

static void arrive(int message)
{
	sim.messages[message].arrived = true;
	for (int i = 0; i < sim.n_receives; i++)
		if (fits(&sim.receives[i], &sim.messages[message])) {
			join(message, i);
			return;
		}
	sim.unexpected[sim.n_unexpected++] = message;
}

/* Of one sender, receiver and team, the oldest arrives first. */
static void deliver(int message)
{
	const struct message *m = &sim.messages[message];

	for (int i = 0; i <= message; i++) {
		const struct message *o = &sim.messages[i];

		if (!o->arrived && o->from == m->from && o->to == m->to &&
		    o->team == m->team) {
			arrive(i);
			return;
		}
	}
}

static void send_one(int step)
{
	int from = below(sim.processes);

	sim.messages[sim.n_messages++] =
		(struct message){ .from = from,
				  .to = below(sim.processes),
				  .team = below(sim.teams),
				  .tag = below(sim.tags),
				  .step = step,
				  .recorded = !sim.off[from],
				  .receive = -1 };
}

static void post_one(int step)
{
	int at = below(sim.processes), index = sim.n_receives++;
	struct receive *r = &sim.receives[index];

	*r = (struct receive){ .at = at,
			       .team = below(sim.teams),
			       .peer = below(3) ? below(sim.processes) : ANYONE,
			       .tag = below(3) ? below(sim.tags) : ANYONE,
			       .step = step,
			       .recorded = !sim.off[at],
			       .message = -1 };
	for (int i = 0; i < sim.n_unexpected; i++)
		if (fits(r, &sim.messages[sim.unexpected[i]])) {
			join(sim.unexpected[i], index);
			for (int j = i + 1; j < sim.n_unexpected; j++)
				sim.unexpected[j - 1] = sim.unexpected[j];
			sim.n_unexpected--;
			return;
		}
}

static void toggle(int step)
{
	int p = below(sim.processes);

	if (sim.off[p])
		sim.switched_on[p][sim.n_switched_on[p]++] = step;
	sim.off[p] = !sim.off[p];
}

static void cancel_one(void)
{
	struct receive *r = &sim.receives[below(sim.n_receives)];

	if (r->message < 0 && r->recorded)
		r->cancelled = true;
}

static void simulate(void)
{
	int steps = 1 + below(MAX_STEPS);

	sim.processes = 1 + below(MAX_PROCESSES);
	sim.teams = 1 + below(MAX_TEAMS);
	sim.tags = 1 + below(3);
	sim.n_messages = sim.n_receives = sim.n_unexpected = 0;
	for (int p = 0; p < MAX_PROCESSES; p++) {
		sim.off[p] = false;
		sim.n_switched_on[p] = 0;
	}
	for (int step = 0; step < steps; step++) {
		int what = below(16);

		if (what < 6)
			send_one(step);
		else if (what < 12)
			post_one(step);
		else if (what < 14 && sim.n_messages)
			deliver(below(sim.n_messages));
		else if (what == 14)
			toggle(step);
		else if (sim.n_receives)
			cancel_one();
	}
	for (int i = 0; i < sim.n_messages; i++)
		while (!sim.messages[i].arrived)
			deliver(i);
	for (int p = 0; p < sim.processes; p++)
		if (sim.off[p])
			sim.switched_on[p][sim.n_switched_on[p]++] = steps;
}

/* The step at which recording went on again after this one. */
static int on_again(int process, int step)
{
	for (int i = 0; i < sim.n_switched_on[process]; i++)
		if (sim.switched_on[process][i] > step)
			return sim.switched_on[process][i];
	fail_msg("recording never went on again");
	return 0;
}

/* Times: step s is [10 s, 10 s + 5). */
static int64_t add_event(sqlite3 *db, int thread, int source, int step)
{
	db_exec(db,
		"INSERT INTO event(thread_id, source_id, start_ns, duration_ns, "
		"nested, open) VALUES(%d, %d, %d, 5, 0, 0)",
		thread, source, step * 10);
	return sqlite3_last_insert_rowid(db);
}

static void record_message(sqlite3 *db, struct message *m, int bytes)
{
	if (!m->recorded) {
		db_exec(db,
			"INSERT INTO passed VALUES(%d, %d, %d, %d, %d, 1, 0)",
			m->from, on_again(m->from, m->step) * 10, m->team + 1,
			m->to, m->tag);
		return;
	}
	m->event = add_event(db, m->from, 1, m->step);
	db_exec(db,
		"INSERT INTO p2p(thread_id, direction, post_event_id, "
		"complete_event_id, team_id, peer, tag, bytes, posted_ns, "
		"state, error) VALUES(%d, 'send', %lld, %lld, %d, %d, %d, %d, "
		"%d, 'complete', 0)",
		m->from, (long long)m->event, (long long)m->event, m->team + 1,
		m->to, m->tag, bytes, m->step * 10);
}

static void record_receive(sqlite3 *db, struct receive *r)
{
	const struct message *m =
		r->message < 0 ? NULL : &sim.messages[r->message];

	if (!r->recorded) {
		if (m)
			db_exec(db,
				"INSERT INTO passed "
				"VALUES(%d, %d, %d, %d, %d, 0, 1)",
				r->at, on_again(r->at, r->step) * 10,
				r->team + 1, m->from, m->tag);
		return;
	}
	r->event = add_event(db, r->at, 2, r->step);
	db_exec(db,
		"INSERT INTO p2p(thread_id, direction, post_event_id, "
		"complete_event_id, team_id, peer, tag, bytes, posted_peer, "
		"posted_tag, posted_ns, request, state, error) "
		"VALUES(%d, 'receive', %lld, nullif(%lld, -1), %d, "
		"nullif(%d, -1), nullif(%d, -1), nullif(%d, -1), "
		"nullif(%d, -1), nullif(%d, -1), %d, 1, '%s', 0)",
		r->at, (long long)r->event, m ? (long long)r->event : -1,
		r->team + 1, m ? m->from : -1, m ? m->tag : -1,
		m ? r->message + 1 : -1, r->peer, r->tag, r->step * 10,
		m	       ? "complete"
		: r->cancelled ? "cancelled"
			       : "open");
}

static void record(sqlite3 *db)
{
	static const char *const tables[] = { "message",
					      "message_total",
					      "p2p_total",
					      "size_total",
					      "quality",
					      "wait_total",
					      "wait",
					      "p2p",
					      "passed",
					      "event",
					      "message_wait_total" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		db_exec(db, "DELETE FROM %s", tables[i]);
	for (int p = 0; p < sim.processes; p++) {
		for (int i = 0; i < sim.n_messages; i++)
			if (sim.messages[i].from == p)
				record_message(db, &sim.messages[i], i + 1);
		for (int i = 0; i < sim.n_receives; i++)
			if (sim.receives[i].at == p)
				record_receive(db, &sim.receives[i]);
	}
}

static void check_messages(sqlite3 *db)
{
	int expected = 0;

	for (int i = 0; i < sim.n_messages; i++) {
		const struct message *m = &sim.messages[i];
		const struct receive *r =
			m->receive < 0 ? NULL : &sim.receives[m->receive];

		if (!m->recorded || !r || !r->recorded)
			continue;
		expected++;
		assert_int_equal(
			db_int(db,
			       "SELECT count(*) FROM message WHERE "
			       "send_event_id = %lld AND post_event_id = %lld "
			       "AND sender = %d AND receiver = %d AND tag = %d "
			       "AND bytes = %d AND team_id = %d "
			       "AND order_uncertain = 0",
			       (long long)m->event, (long long)r->event,
			       m->from, m->to, m->tag, i + 1, m->team + 1),
			1);
	}
	assert_int_equal(db_int(db, "SELECT count(*) FROM message"), expected);
}

static void check_quality(sqlite3 *db, const char *kind, int expected)
{
	assert_int_equal(db_int(db,
				"SELECT coalesce(sum(count), 0) FROM quality "
				"WHERE kind = '%s'",
				kind),
			 expected);
}

static void check_others(sqlite3 *db)
{
	int sends = 0, receives = 0, off = 0, cancelled = 0;

	for (int i = 0; i < sim.n_messages; i++) {
		const struct message *m = &sim.messages[i];
		bool other =
			m->receive >= 0 && sim.receives[m->receive].recorded;

		sends += m->recorded && m->receive < 0;
		off += m->receive >= 0 && m->recorded != other;
	}
	for (int i = 0; i < sim.n_receives; i++) {
		const struct receive *r = &sim.receives[i];

		cancelled += r->recorded && r->cancelled;
		receives += r->recorded && !r->cancelled && r->message < 0 &&
			    r->peer != ANYONE && r->tag != ANYONE;
	}
	check_quality(db, "unmatched send", sends);
	check_quality(db, "unmatched receive", receives);
	check_quality(db, "partner not recorded", off);
	check_quality(db, "cancelled", cancelled);
	check_quality(db, "bytes differ", 0);
	assert_int_equal(db_int(db, "SELECT coalesce(sum(operations), 0) "
				    "FROM p2p_total"),
			 db_int(db, "SELECT count(*) FROM p2p"));
}

static void test_simulated(void **state)
{
	const char *given = getenv("GASPDB_TEST_SEED");
	unsigned int seed = given ? (unsigned int)strtoul(given, NULL, 10)
				  : (unsigned int)time(NULL);
	sqlite3 *db = db_new();
	struct gaspdb_error err = { 0 };
	struct gaspdb_run run;

	(void)state;
	printf("# seed %u\n", seed);
	srandom(seed);
	db_threads(db, MAX_PROCESSES, MAX_STEPS * 10);
	db_apart(db); /* receives last no longer than any step */
	for (int i = 0; i < MAX_TEAMS; i++)
		db_team(db, MAX_PROCESSES);
	db_event(db, 0, "send", "s.c:1", 0, 1);
	db_event(db, 0, "receive", "r.c:1", 0, 1);
	db_exec(db, "BEGIN");
	for (int i = 0; i < CASES; i++) {
		simulate();
		record(db);
		gaspdb_run_open(&run, db, &err);
		gaspdb_pass_messages(&run);
		gaspdb_table_writer_finish(&run.tables);
		gaspdb_pass_waits(&run);
		assert_int_equal(gaspdb_run_close(&run), GASPDB_OK);
		check_messages(db);
		check_others(db);
	}
	db_exec(db, "COMMIT");
	db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_simulated),
	};

	return cmocka_run_group_tests_name("match random", tests, NULL, NULL);
}
