/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles: the same events as a trace and as a profile give the same sums. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_profile.h"

/* Sites, defined alike in each log of a run. */
struct sites {
	unsigned send, receive, barrier, f, g, phase, get, put, copy, atomic,
		mark, init, f2;
};

static unsigned moving(struct log *l, const char *name, const char *type,
		       unsigned line)
{
	const unsigned op = log_op(l, name, type, "communication",
				   "peer:u bytes:z", "");

	return log_site(l, op, "a.c", line);
}

enum { SITE_PC = 4, FRAME = 12 };

/* The site of a barrier that was recorded with its call stack: 3 < 2 < 1. */
static unsigned define_stack(struct log *l)
{
	const unsigned op = log_op(l, "MPI_Barrier", "barrier",
				   "synchronization", "", "");

	for (uint64_t i = 1; i <= 3; i++)
		log_numbers(l, FRAME, 4,
			    (uint64_t[]){ i, i << 12, 0, i - 1 });
	log_numbers(l, SITE_PC, 5, (uint64_t[]){ 500, op, 0x3000, 0, 3 });
	return 500;
}

static struct sites define(struct log *l, bool stacks)
{
	struct sites s;

	s.send = moving(l, "MPI_Send", "send", 1);
	s.receive = moving(l, "MPI_Recv", "receive", 2);
	s.barrier = log_plain(l, "MPI_Barrier", "barrier", "synchronization",
			      3);
	s.f = log_plain(l, "f", "function", "computation", 4);
	s.f2 = log_plain(l, "f", "function", "computation", 40);
	s.g = log_plain(l, "g", "function", "computation", 5);
	s.phase = log_plain(l, "phase", "user", "none", 6);
	s.get = moving(l, "get", "get", 7);
	s.put = moving(l, "put", "put", 8);
	s.copy = log_plain(l, "sort", "reduce", "communication", 9);
	s.atomic = moving(l, "add", "atomic", 10);
	s.mark = log_plain(l, "mark", "user", "none", 11);
	s.init = log_plain(l, "MPI_Init", "init", "runtime", 12);
	if (stacks)
		s.barrier = define_stack(l);
	return s;
}

/* Recursion, calls within calls and callbacks, user events across calls, and
   calls that are open at the end. */
static void run_rank(struct profile *p, const struct sites *s, unsigned rank)
{
	const uint64_t late = 100 * rank;

	p->is_overlay[s->phase] = p->is_overlay[s->mark] = true;
	p->is_function[s->f] = p->is_function[s->g] = p->is_function[s->f2] =
		true;
	profile_call(p, 0, 1000, s->init);
	profile_call(p, 1010, 1050 + rank, s->barrier);
	profile_start(p, 1100, s->f, NONE);
	profile_moves(p, 1200, 1300 + late, s->send, 0, 1 - rank, 100);
	profile_moves(p, 1600, 1650, s->send, 0, 1 - rank, 0);
	profile_moves(p, 1700, 1800, s->receive, 1, 1 - rank, 127);
	profile_start(p, 1900, s->g, NONE);
	profile_start(p, 1910, s->f, NONE);
	profile_call(p, 1920, 1950 + late, s->barrier);
	profile_end(p, 2100, s->f, NONE);
	profile_start(p, 2110, s->f2, NONE);
	profile_atomic(p, 2120, s->mark);
	profile_end(p, 2150, s->f2, NONE);
	profile_end(p, 2200, s->g, NONE);
	profile_end(p, 2300, s->f, NONE);

	profile_start(p, 2400, s->phase, NONE);
	profile_start(p, 2500, s->copy, NONE); /* calls f back */
	profile_start(p, 2510, s->f, NONE);
	profile_moves(p, 2520, 2540, s->put, 0, 1 - rank, 8);
	profile_end(p, 2600, s->f, NONE);
	profile_moves(p, 2610, 2620, s->get, 1, 1 - rank, 64); /* nested */
	profile_end(p, 2700, s->copy, NONE);
	profile_moves(p, 2710, 2720, s->get, 1, 1 - rank, 64);
	profile_moves(p, 2730, 2740, s->get, 1, rank, 65);
	profile_moves(p, 2750, 2751, s->atomic, 0, 1 - rank, 4);
	profile_end(p, 2790, s->phase, NONE);
	profile_start(p, 2800, s->f, NONE);
	profile_call(p, 2820, 2900, s->barrier);
	profile_end(p, 3000, s->f, NONE);
	profile_start(p, 3100, s->f, NONE);
	profile_start(p, 3150, s->barrier, NONE);
	profile_call(p, 3200, 3300, s->barrier); /* then it hangs */
}

/* The run as traces (0), profiles (1), both, or traces that go on as profiles
   after so many events. */
enum { TRACE, PROFILE, BOTH, REST };

static bool with_stacks; /* barriers have call stacks */
static unsigned cut_after;
static bool was_in_overlay, was_in_call; /* at the cut */

static sqlite3 *run(int mode, double ticks_per_ns, bool killed)
{
	char *folder = run_new();
	sqlite3 *db;

	for (unsigned rank = 0; rank < 2; rank++) {
		struct log *l = log_new_ticks("node", 100 + rank, 0,
					      ticks_per_ns);
		struct profile *p =
			profile_new(mode == PROFILE ? NULL : l);
		struct sites s;

		p->cut_after = mode == REST ? cut_after : 0;
		log_meta(l, "rank", rank ? "1" : "0");
		log_meta(l, "ranks", "2");
		log_meta(l, "model", "MPI");
		if (mode == PROFILE || mode == BOTH)
			log_meta(l, "mode", mode == BOTH ? "both" : "profile");
		s = define(l, with_stacks);
		run_rank(p, &s, rank);
		if (mode != TRACE && (mode != REST || p->is_cut))
			profile_write(p, l, !killed);
		if (killed)
			log_kill(l, 64);
		else
			log_close(l);
		was_in_overlay = p->in_overlay;
		was_in_call = p->in_call;
		profile_free(p);
		run_add(folder, l);
	}
	db = run_open(folder);
	run_remove(folder);
	return db;
}

static const char *const sums[] = {
	"SELECT thread_id, source_id, nested, calls, total_ns, self_ns, "
	"min_ns, max_ns, variation, bytes, open, raw_events, recorded, "
	"inner_ns, again_ns FROM profile ORDER BY 1, 2, 3",
	"SELECT * FROM profile_total ORDER BY 1, 2, 3",
	"SELECT * FROM spread ORDER BY 1, 2, 3, 4",
	"SELECT depth, position, last_position, source_id, threads, calls, "
	"total_ns, self_ns, min_ns, max_ns, bytes, longest_ns, "
	"longest_thread_id, computation_ns, most_ns, most_thread_id, "
	"inner_ns, variation FROM callpath ORDER BY position",
	"SELECT thread_id, c.position, t.calls, t.total_ns, t.self_ns, "
	"t.min_ns, t.max_ns, t.bytes, t.inner_ns, t.variation FROM "
	"callpath_total t JOIN callpath c ON c.id = callpath_id "
	"ORDER BY 1, 2",
	"SELECT source_id, threads, calls, total_ns, longest_ns, "
	"longest_thread_id, computation_ns, most_ns, most_thread_id "
	"FROM region ORDER BY source_id",
	"SELECT * FROM category_time ORDER BY 1, 2",
	"SELECT * FROM traffic ORDER BY 1, 2, 3, 4, 5",
	"SELECT * FROM traffic_total ORDER BY 1, 2, 3, 4",
	"SELECT id, rank, first_ns, last_ns FROM thread ORDER BY 1",
	"SELECT thread_id, raw_events FROM recording ORDER BY 1",
};

/* Fails with the first lines that differ. */
static void fail_at(const char *sql, const char *expected, const char *got)
{
	while (*expected && *expected == *got) {
		const char *next = strchr(expected, '\n');
		const size_t n = next ? (size_t)(next - expected) + 1 : 0;

		if (!n || strncmp(expected, got, n))
			break;
		expected += n;
		got += n;
	}
	fail_msg("%s\nexpected: %.*s\ngot:      %.*s", sql,
		 (int)strcspn(expected, "\n"), expected,
		 (int)strcspn(got, "\n"), got);
}

static void compare_of(sqlite3 *a, sqlite3 *b, const char *const *queries,
		       size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *expected = strdup(db_rows(a, "%s", queries[i]));
		const char *got = db_rows(b, "%s", queries[i]);

		assert_non_null(expected);
		if (strcmp(expected, got))
			fail_at(queries[i], expected, got);
		free(expected);
	}
}

static void compare(sqlite3 *a, sqlite3 *b)
{
	compare_of(a, b, sums, sizeof sums / sizeof *sums);
}

static void same_sums(void **state)
{
	sqlite3 *trace = run(TRACE, 0, false), *profile = run(PROFILE, 0, false);

	(void)state;
	assert_int_equal(db_int(trace, "SELECT count(*) FROM traffic"), 12);
	compare(trace, profile);
	assert_int_equal(db_int(profile, "SELECT count(*) FROM event"), 0);
	assert_int_equal(db_int(profile, "SELECT count(*) FROM bin"), 0);
	assert_string_equal(
		db_rows(profile, "SELECT value FROM meta WHERE key = 'mode'"),
		"profile\n");
	assert_int_equal(db_int(trace, "SELECT count(*) FROM meta "
				       "WHERE key = 'mode'"),
			 0);
	db_close(trace);
	db_close(profile);
}

/* Functions that are known from call stacks stand above outermost calls. */
static void call_stacks(void **state)
{
	sqlite3 *trace, *profile;

	(void)state;
	with_stacks = true;
	trace = run(TRACE, 0, false);
	profile = run(PROFILE, 0, false);
	with_stacks = false;
	compare(trace, profile);
	db_close(trace);
	db_close(profile);
}

/* A clock of four ticks a ns. */
static void ticks(void **state)
{
	sqlite3 *trace = run(TRACE, 4, false), *profile = run(PROFILE, 4, false);

	(void)state;
	compare(trace, profile);
	db_close(trace);
	db_close(profile);
}

/* Where the killed run was. */
static void hangs(sqlite3 *db)
{
	assert_string_equal(
		db_rows(db,
			"SELECT thread_id, depth, operation, start_ns, torn "
			"FROM open_call JOIN place USING (source_id) "
			"ORDER BY 1, 2"),
		"0|1|f|3100|0\n0|2|MPI_Barrier|3150|0\n"
		"1|1|f|3100|0\n1|2|MPI_Barrier|3150|0\n");
	assert_int_equal(db_int(db, "SELECT count(*) FROM quality "
				    "WHERE kind = 'open event'"),
			 4);
}

/* Killed in a barrier, within a function: the same sums, and where it was. */
static void killed(void **state)
{
	sqlite3 *trace = run(TRACE, 0, true), *profile = run(PROFILE, 0, true);

	(void)state;
	compare(trace, profile);
	hangs(profile);
	assert_int_equal(db_int(profile, "SELECT count(*) FROM quality "
					 "WHERE kind = 'no end block'"),
			 2);
	assert_int_equal(db_int(profile, "SELECT count(*) FROM quality "
					 "WHERE severity = 'loss'"),
			 2);
	db_close(trace);
	db_close(profile);
}

/* A trace and a profile of all: nothing counts twice. */
static void both(void **state)
{
	sqlite3 *trace = run(TRACE, 0, false), *two = run(BOTH, 0, false);

	(void)state;
	compare(trace, two);
	assert_int_equal(db_int(two, "SELECT count(*) FROM event"),
			 db_int(trace, "SELECT count(*) FROM event"));
	assert_int_equal(db_int(two, "SELECT count(*) FROM open_call"), 0);
	assert_int_equal(db_int(two, "SELECT count(*) FROM quality "
				     "WHERE kind = 'profile'"),
			 0);
	assert_string_equal(
		db_rows(two, "SELECT value FROM meta WHERE key = 'mode'"),
		"both\n");
	db_close(trace);
	db_close(two);
}

/* What is known of any cut. */
static const char *const least_sums[] = {
	"SELECT thread_id, source_id, sum(calls), sum(total_ns), sum(bytes), "
	"sum(open), sum(raw_events) FROM profile GROUP BY 1, 2 ORDER BY 1, 2",
	"SELECT * FROM category_time ORDER BY 1, 2",
	"SELECT source_id, threads, calls, total_ns, longest_ns, "
	"longest_thread_id FROM region ORDER BY source_id",
	"SELECT id, rank, first_ns, last_ns FROM thread ORDER BY 1",
	"SELECT thread_id, raw_events FROM recording ORDER BY 1",
};

/* Within a user event: the path of what came later is not known. */
static const char *const overlay_sums[] = {
	"SELECT thread_id, source_id, nested, calls, total_ns, self_ns, "
	"min_ns, max_ns, variation, bytes, open, raw_events, recorded, "
	"inner_ns, again_ns FROM profile ORDER BY 1, 2, 3",
	"SELECT * FROM traffic ORDER BY 1, 2, 3, 4, 5",
};

static void compare_cut(sqlite3 *trace, sqlite3 *rest)
{
	compare_of(trace, rest, least_sums,
		   sizeof least_sums / sizeof *least_sums);
	if (!was_in_call)
		compare_of(trace, rest, overlay_sums,
			   sizeof overlay_sums / sizeof *overlay_sums);
	if (!was_in_call && !was_in_overlay)
		compare(trace, rest);
}

/* A trace that goes on as a profile after any number of events: the same sums
   as a trace of all. */
static void cut_anywhere(double ticks_per_ns, bool killed, unsigned step)
{
	sqlite3 *trace = run(TRACE, ticks_per_ns, killed);
	const int64_t last =
		db_int(trace, "SELECT min(raw_events) FROM recording");

	for (cut_after = 1; cut_after < last; cut_after += step) {
		sqlite3 *rest = run(REST, ticks_per_ns, killed);

		compare_cut(trace, rest);
		if (killed)
			hangs(rest);
		assert_int_equal(db_int(rest,
					"SELECT count(*) FROM thread_meta "
					"WHERE key = 'profile_from_ns'"),
				 2);
		db_close(rest);
	}
	db_close(trace);
}

static void rest(void **state)
{
	(void)state;
	cut_anywhere(0, false, 1);
}

static void rest_ticks(void **state)
{
	(void)state;
	cut_anywhere(4, false, 3);
}

/* Killed within a function and two barriers, of which none has an end. */
static void rest_killed(void **state)
{
	(void)state;
	cut_anywhere(0, true, 1);
}

static void rest_stacks(void **state)
{
	(void)state;
	with_stacks = true;
	cut_anywhere(0, false, 3);
	with_stacks = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_sums),   cmocka_unit_test(call_stacks),
		cmocka_unit_test(ticks),       cmocka_unit_test(killed),
		cmocka_unit_test(both),	       cmocka_unit_test(rest),
		cmocka_unit_test(rest_ticks),  cmocka_unit_test(rest_killed),
		cmocka_unit_test(rest_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
