/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is read of the tables that grow with the events: by rowid or in ranges
 * of rowids, never all of it, in whatever the command asks of a database; and
 * of a part of a thread's time, its pages only.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "cli/command.h"
#include "sql/sql.h"
#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

extern const struct gaspdb_command gaspdb_cmd_report, gaspdb_cmd_analyze,
	gaspdb_cmd_info, gaspdb_cmd_shell, gaspdb_cmd_compare;

static char folder[] = "/tmp/test_plans-XXXXXX";
static char path[64];

/* --- no table of events is read as a whole -------------------------------- */

#define CURSORS 2000

static int n_statements, n_uses, n_scans;
static const char *running; /* the command */
static int messages;	    /* stderr */

/* Table "event" or "event_arg" by its root page; NULL: another. */
static const char *events_at(sqlite3 *db, int root)
{
	static char name[20];
	sqlite3_stmt *stmt;

	*name = 0;
	if (sqlite3_prepare_v2(db,
			       "SELECT name FROM main.sqlite_schema WHERE "
			       "rootpage = ? AND name IN ('event', "
			       "'event_arg')",
			       -1, &stmt, NULL))
		fail_msg("%s", sqlite3_errmsg(db));
	sqlite3_bind_int(stmt, 1, root);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		snprintf(name, sizeof name, "%s",
			 (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return *name ? name : NULL;
}

/* One instruction of a statement's program; cursors: of tables of events. */
static void look_at(sqlite3 *db, const char *sql, sqlite3_stmt *program,
		    bool *cursors)
{
	const char *op = (const char *)sqlite3_column_text(program, 1);
	const int p1 = sqlite3_column_int(program, 2);
	const char *table;

	if (!strcmp(op, "OpenRead") && !sqlite3_column_int(program, 4)) {
		table = events_at(db, sqlite3_column_int(program, 3));
		if (p1 >= CURSORS)
			abort();
		cursors[p1] = table;
		n_uses += table != NULL;
	} else if ((!strcmp(op, "Rewind") || !strcmp(op, "Last") ||
		    !strcmp(op, "Sort") || !strcmp(op, "Count")) &&
		   p1 < CURSORS && cursors[p1]) {
		dprintf(messages, "# %s reads all of %s: %.2000s\n", running,
			op, sql);
		n_scans++;
	}
}

static int traced(unsigned what, void *user, void *stmt, void *sql)
{
	sqlite3 *db = sqlite3_db_handle(stmt);
	const char *text = sqlite3_sql(stmt);
	bool cursors[CURSORS] = { false };
	sqlite3_stmt *program;
	char *explain;

	(void)what;
	(void)user;
	(void)sql;
	if (!text || !strncmp(text, "EXPLAIN", 7) ||
	    !sqlite3_stmt_readonly(stmt) || strstr(text, "main.sqlite_schema"))
		return 0;
	explain = sqlite3_mprintf("EXPLAIN %s", text);
	/* What a statement was made of may be gone when it has run. */
	if (sqlite3_prepare_v2(db, explain, -1, &program, NULL) == SQLITE_OK) {
		n_statements++;
		while (sqlite3_step(program) == SQLITE_ROW)
			look_at(db, text, program, cursors);
	}
	sqlite3_finalize(program);
	sqlite3_free(explain);
	return 0;
}

static int trace(sqlite3 *db, const char **why, const void *api)
{
	(void)why;
	(void)api;
	return sqlite3_trace_v2(db, SQLITE_TRACE_PROFILE, traced, NULL);
}

static int run(const struct gaspdb_command *command, const char *a,
	       const char *b)
{
	char *argv[] = { (char *)(uintptr_t)command->name, (char *)(uintptr_t)a,
			 (char *)(uintptr_t)b, NULL };
	const int out = dup(1), null = open("/dev/null", O_WRONLY);
	int status;

	fflush(stdout);
	dup2(null, 1);
	dup2(null, 2);
	running = b ? a : command->name;
	sqlite3_auto_extension((void (*)(void))(uintptr_t)trace);
	status = command->run(b ? 3 : 2, argv);
	sqlite3_cancel_auto_extension((void (*)(void))(uintptr_t)trace);
	fflush(stdout);
	dup2(out, 1);
	dup2(messages, 2);
	close(out);
	close(messages);
	close(null);
	return status;
}

static void finds_scans(void **state)
{
	(void)state;
	n_scans = n_uses = 0;
	run(&gaspdb_cmd_shell, path, "SELECT sum(bytes) FROM event");
	assert_int_equal(n_scans, 1);
	run(&gaspdb_cmd_shell, path,
	    "SELECT * FROM thread t JOIN call_argument");
	assert_int_equal(n_scans, 2);
	run(&gaspdb_cmd_shell, path, "SELECT * FROM event WHERE id = 3");
	run(&gaspdb_cmd_shell, path,
	    "SELECT * FROM thread t JOIN event e ON e.id BETWEEN t.first_event "
	    "AND t.last_event");
	assert_int_equal(n_scans, 2);
	assert_int_equal(n_uses, 4);
}

static void no_section(void **state)
{
	(void)state;
	n_scans = n_statements = n_uses = 0;
	assert_in_range(run(&gaspdb_cmd_report, path, NULL), 0, 3);
	assert_true(n_statements > 30);
	assert_true(n_uses > 0);
	run(&gaspdb_cmd_info, path, NULL);
	run(&gaspdb_cmd_shell, path, ".tables");
	run(&gaspdb_cmd_compare, path, path);
	assert_int_equal(n_scans, 0);
}

static void no_analysis(void **state)
{
	(void)state;
	n_scans = 0;
	for (int i = 0; gaspdb_analyses[i].name; i++) {
		n_statements = 0;
		run(&gaspdb_cmd_analyze, gaspdb_analyses[i].name, path);
		if (!n_statements)
			fail_msg("%s asks nothing", gaspdb_analyses[i].name);
	}
	assert_int_equal(n_scans, 0);
}

/* --- a part of a thread's time -------------------------------------------- */

#define RANGE                                                         \
	"SELECT count(*), CAST(round(min(start_s) * 1e9) AS INTEGER), " \
	"CAST(round(max(start_s) * 1e9) AS INTEGER) FROM events "     \
	"WHERE event_id BETWEEN (SELECT first_event FROM event_piece " \
	"WHERE thread_id = 2 AND start_ns < %lld "                    \
	"ORDER BY start_ns DESC LIMIT 1) AND (SELECT last_event "      \
	"FROM event_piece WHERE thread_id = 2 AND start_ns <= %lld "  \
	"ORDER BY start_ns DESC LIMIT 1) "                            \
	"AND start_s BETWEEN %lld / 1e9 AND %lld / 1e9"

static int64_t pages_read(sqlite3 *db)
{
	int now, most;

	sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &now, &most, 1);
	return now;
}

/* Pages that 100 calls in the midst of a thread of n take, of four. */
static int64_t pages_of_part(uint64_t n)
{
	const int64_t from = 10 * (int64_t)n / 2, to = from + 999;
	char *run = run_new(), rows[100];
	int64_t pages;
	sqlite3 *db;

	for (int rank = 0; rank < 4; rank++) {
		struct log *l = log_rank(rank, 4);
		unsigned put = log_plain(l, "put", "put", "communication", 1);

		for (uint64_t i = 0; i < n; i++) {
			if (i % 5000 == 4999)
				log_block(l, 10 * i);
			log_call(l, 10 * i, 10 * i + 5, put);
		}
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	run_remove(run);
	assert_int_equal(db_int(db, "SELECT max(last_event) FROM thread"),
			 4 * (int64_t)n);
	/* The schema's pages are not the range's; the cache is left empty. */
	db_int(db, "SELECT count(*) FROM events WHERE event_id < 0");
	sqlite3_db_release_memory(db);
	pages_read(db);
	snprintf(rows, sizeof rows, "100|%lld|%lld\n", (long long)from,
		 (long long)to - 9);
	assert_string_equal(db_rows(db, RANGE, (long long)from, (long long)to,
				    (long long)from, (long long)to),
			    rows);
	pages = pages_read(db);
	db_close(db);
	return pages;
}

static void part_of_time(void **state)
{
	const int64_t few = pages_of_part(2500), many = pages_of_part(250000);

	(void)state;
	print_message("# %d and %d pages\n", (int)few, (int)many);
	assert_in_range(few, 4, 40);
	/* A level of a tree, and a part of the list of pieces. */
	assert_in_range(many, few, few + 12);
}

static void plan_of_part(void **state)
{
	sqlite3 *db;
	const char *plan;

	(void)state;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	plan = db_rows(db, "EXPLAIN QUERY PLAN " RANGE, 1ll, 2ll, 1ll, 2ll);
	if (!strstr(plan, "SEARCH event_piece USING PRIMARY KEY (thread_id=? "
			  "AND start_ns<?)") ||
	    !strstr(plan, "SEARCH e USING INTEGER PRIMARY KEY (rowid>? AND "
			  "rowid<?)") ||
	    strstr(plan, "SCAN"))
		fail_msg("%s", plan);
	db_close(db);
}

/* --- the analysis timeline ------------------------------------------------ */

#define STEP 3000 /* puts */

/* Of each thread: the program's main, in it steps of 3,000 puts, and from the
   middle of each step to that of the next a user event. */
static sqlite3 *steps_run(int64_t n)
{
	char *run = run_new();
	sqlite3 *db;

	for (int rank = 0; rank < 3; rank++) {
		struct log *l = log_rank(rank, 3);
		unsigned put = log_plain(l, "put", "put", "communication", 1);
		unsigned main_ = log_plain(l, "main", "function", "none", 2);
		unsigned step = log_plain(l, "step", "function", "none", 3);
		unsigned phase = log_plain(l, "phase", "user", "none", 4);

		log_start(l, 0, main_, NONE);
		for (int64_t i = 0; i < n; i++) {
			const uint64_t t = 10 * (uint64_t)i + 10;

			if (i % STEP == 0)
				log_start(l, t - 1, step, NONE);
			if (i % STEP == STEP / 2)
				log_start(l, t - 1, phase, NONE);
			log_call(l, t, t + 5, put);
			if (i % STEP == STEP - 1)
				log_end(l, t + 6, step, NONE);
			if (i > STEP && i % STEP == STEP / 2 - 1)
				log_end(l, t + 6, phase, NONE);
			if (i % 3500 == 3499)
				log_block(l, t + 6);
		}
		log_end(l, 10 * (uint64_t)n + 10, main_, NONE);
		log_close(l);
		run_add(run, l);
	}
	db = run_open(run);
	run_remove(run);
	return db;
}

/* What it finds is what a look at each event finds; its pages. */
static int64_t look_at_window(sqlite3 *db, int64_t from, int64_t to)
{
	char params[100];
	char *found;
	int64_t pages;

	snprintf(params, sizeof params, "from=%.9f to=%.9f limit=-1",
		 (double)from / 1e9, (double)to / 1e9);
	sqlite3_db_release_memory(db);
	pages_read(db);
	found = strdup(db_analysis(db, "timeline", "event", params));
	pages = pages_read(db);
	assert_string_equal(
		found,
		db_rows(db,
			"SELECT id FROM event WHERE start_ns < %lld AND "
			"(start_ns >= %lld OR start_ns + duration_ns > %lld) "
			"ORDER BY start_ns, thread_id, id",
			(long long)to, (long long)from, (long long)from));
	free(found);
	return pages;
}

/* A window of 50 calls a thread, wherever it begins. */
static void window_of_time(void **state)
{
	const int64_t n = 60000;
	sqlite3 *db = steps_run(n);
	int64_t most = 0;

	(void)state;
	assert_in_range(db_int(db, "SELECT count(*) FROM event"), 3 * n, 4 * n);
	/* main, 20 steps, and 19 phases that end */
	assert_int_equal(db_int(db, "SELECT count(*) FROM long_event "
				    "WHERE thread_id = 1 AND end_ns < 600010"),
			 39);
	for (int64_t from = 0; from < 10 * n; from += 7919) {
		const int64_t pages = look_at_window(db, from, from + 500);

		most = pages > most ? pages : most;
	}
	/* At an end of a call, of a piece, and of the run. */
	look_at_window(db, 14, 15);
	look_at_window(db, 15, 16);
	look_at_window(db, 10 * n + 9, 10 * n + 10);
	look_at_window(db, 10 * n + 10, 10 * n + 11);
	for (int64_t piece = 0; piece < 3; piece++) {
		const int64_t at = db_int(
			db,
			"SELECT start_ns FROM event_piece WHERE thread_id = 0 "
			"LIMIT 1 OFFSET %d",
			7 + 10 * (int)piece);

		look_at_window(db, at - 1, at);
		look_at_window(db, at, at + 1);
		look_at_window(db, at, at);
	}
	print_message("# at most %d pages\n", (int)most);
	assert_in_range(most, 10, 150);
	assert_true(db_int(db, "PRAGMA page_count") > 1000);
	db_close(db);
}

/* The first rows are the same, whatever the limit. */
static void window_is_cut(void **state)
{
	sqlite3 *db = steps_run(20000);
	char *all = strdup(
		db_analysis(db, "timeline", "event", "from=0.00019 limit=-1"));

	(void)state;
	for (int limit = 0; limit < 2500; limit = limit * 2 + 1) {
		char params[60];
		const char *some;
		int lines = 0;

		snprintf(params, sizeof params, "from=0.00019 limit=%d", limit);
		some = db_analysis(db, "timeline", "event", params);
		assert_memory_equal(some, all, strlen(some));
		for (const char *s = some; *s; s++)
			lines += *s == '\n';
		assert_int_equal(lines, limit);
	}
	free(all);
	db_close(db);
}

static void plan_of_window(void **state)
{
	char *sql = sqlite3_mprintf("EXPLAIN QUERY PLAN %s",
				    gaspdb_analysis_find("timeline")->sql);
	sqlite3 *db;
	const char *plan;

	(void)state;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	plan = db_rows(db, "%s", sql);
	for (const char *line = plan; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strstr(line, "SCAN event") == line ||
		    strstr(line, "SCAN long_event") == line)
			fail_msg("%s", line);
	}
	assert_non_null(strstr(plan, "SEARCH e USING INTEGER PRIMARY KEY "
				     "(rowid>? AND rowid<?)"));
	assert_non_null(strstr(plan, "SEARCH l USING PRIMARY KEY (thread_id=? "
				     "AND end_ns>?)"));
	assert_non_null(strstr(plan, "SEARCH event_piece USING PRIMARY KEY "
				     "(thread_id=? AND start_ns<?)"));
	assert_non_null(strstr(plan, "SEARCH w USING INTEGER PRIMARY KEY "
				     "(rowid>? AND rowid<?)"));
	sqlite3_free(sql);
	db_close(db);
}

static int set_up(void **state)
{
	const char *top = getenv("TOP");
	char command[1000];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/run.db", folder);
	snprintf(command, sizeof command,
		 "cd '%s' && tests/golden/make_db %s tests/golden/run.sql",
		 top ? top : ".", path);
	setenv("PAGER", "", 1);
	return system(command);
}

static int tear_down(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_scans),
		cmocka_unit_test(no_section),
		cmocka_unit_test(no_analysis),
		cmocka_unit_test(part_of_time),
		cmocka_unit_test(plan_of_part),
		cmocka_unit_test(window_of_time),
		cmocka_unit_test(window_is_cut),
		cmocka_unit_test(plan_of_window),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
