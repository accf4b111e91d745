/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the creation of a database: the output file, and the remains after
 * an early end by a signal or a full disk: while logs are read, between import
 * and analyses, during the analyses, or after them.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/util_db.h"
#include "tests/unit/util_log.h"

static int count_files(const char *run)
{
	char command[400];
	int n = -1;
	FILE *f;

	snprintf(command, sizeof command, "ls -A %s | wc -l", run);
	f = popen(command, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &n), 1);
	pclose(f);
	return n;
}

/* --- the file ------------------------------------------------------------- */

static void output_file(void **state)
{
	struct gaspdb_made made;
	struct gaspdb_error err = { 0 };
	struct log *l = log_rank(0, 1);
	unsigned put = log_plain(l, "put", "put", "communication", 1);
	char *run = run_new(), output[300], message[400];
	struct gaspdb_make_options options = { .import.run = run,
					       .output = output };
	sqlite3 *db;

	(void)state;
	log_call(l, 0, 1, put);
	log_close(l);
	run_add(run, l);
	snprintf(output, sizeof output, "%s/db", run);
	assert_int_equal(gaspdb_make(&options, &made, &err), GASPDB_OK);
	assert_int_equal(count_files(run), 2);

	snprintf(message, sizeof message,
		 "'%s' already exists; --force replaces it", output);
	assert_int_equal(gaspdb_make(&options, &made, &err), GASPDB_FAILED);
	assert_string_equal(err.msg, message);
	options.force = true;
	assert_int_equal(gaspdb_make(&options, &made, &err), GASPDB_OK);
	assert_int_equal(count_files(run), 2);

	snprintf(output, sizeof output, "%s/no/such/folder", run);
	assert_int_equal(gaspdb_make(&options, &made, &err), GASPDB_FAILED);
	assert_non_null(strstr(err.msg, "No such file or directory"));
	options.import.run = "/nonexistent";
	snprintf(output, sizeof output, "%s/other", run);
	assert_int_equal(gaspdb_make(&options, &made, &err), GASPDB_FAILED);
	assert_non_null(strstr(err.msg, "cannot open '/nonexistent'"));
	assert_int_equal(count_files(run), 2); /* no debris */

	snprintf(output, sizeof output, "%s/db", run);
	assert_int_equal(sqlite3_open(output, &db), SQLITE_OK);
	assert_int_equal(db_int(db, "PRAGMA application_id"), 0x67617370);
	assert_int_equal(db_int(db, "PRAGMA user_version"), 2);
	assert_string_equal(db_rows(db, "PRAGMA integrity_check"), "ok\n");
	assert_string_equal(db_rows(db, "PRAGMA foreign_key_check"), "");
	db_close(db);
	run_remove(run);
}

/* --- ends before its time ------------------------------------------------- */

/* Phases of the early end, at their first progress call. */
static const struct phase {
	const char *name; /* NULL: any */
	bool made;	  /* the database is complete by then */
} phases[] = {
	{ "reading logs", false },
	/* The last phase of the import: the interrupt is noticed after it. */
	{ "resolving lines", false },
	{ "analyzing: memory", false },
	{ "analyzing: waits", false },
	{ "analyzing: findings", false },
	{ "finishing", true },
};
#define N_PHASES (sizeof phases / sizeof *phases)

static void add_logs(const char *run)
{
	for (int rank = 0; rank < 2; rank++) {
		struct log *l = log_rank(rank, 2);
		unsigned put = log_plain(l, "put", "put", "communication", 1);

		log_call(l, 0, 1, put);
		log_close(l);
		run_add(run, l);
	}
}

struct signalling {
	const struct phase *phase;
	int signal;
};

static void raise_signal(void *user, const char *phase, uint64_t done,
			 uint64_t total)
{
	const struct signalling *s = user;

	(void)done, (void)total;
	if (!strcmp(phase, s->phase->name))
		raise(s->signal);
}

/* Create a database in a child process, which dies of the signal. */
static int make_with(struct signalling *s, const char *run, char *output,
		     unsigned jobs)
{
	const struct gaspdb_make_options options = { .import = { .run = run,
								 .jobs = jobs },
						     .output = output,
						     .progress = raise_signal,
						     .user = s };
	struct gaspdb_made made;
	struct gaspdb_error err;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		/* cmocka catches some. */
		sigaction(s->signal,
			  &(struct sigaction){ .sa_handler = SIG_DFL }, NULL);
		gaspdb_make(&options, &made, &err);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

/* The process dies of the signal and leaves no file, except a complete
   database. */
static void interrupted(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM };
	char *run = run_new(), output[300];

	(void)state;
	add_logs(run);
	snprintf(output, sizeof output, "%s/db", run);
	for (unsigned i = 0; i < 2 * 2 * N_PHASES; i++) {
		struct signalling s = { &phases[i / 4], signals[i % 2] };
		const int status = make_with(&s, run, output, 1 + i / 2 % 2);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), s.signal);
		assert_int_equal(count_files(run), 2 + s.phase->made);
		if (s.phase->made)
			assert_int_equal(unlink(output), 0);
	}
	run_remove(run);
}

/* Limit files to 64 KiB from that phase on. */
static void fill_disk(void *user, const char *phase, uint64_t done,
		      uint64_t total)
{
	const struct phase *from = user;
	struct rlimit limit;

	(void)done, (void)total;
	if (strcmp(phase, from->name) != 0)
		return;
	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 64 << 10;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* On a full disk it fails, names the file and leaves no file; with room it
   succeeds. */
static void full_disk(void **state)
{
	char *run = run_new(), output[300], message[400];
	struct gaspdb_make_options options = { .import.run = run,
					       .output = output,
					       .progress = fill_disk };
	struct rlimit room;
	void (*old)(int) = signal(SIGXFSZ, SIG_IGN);

	(void)state;
	add_logs(run);
	snprintf(output, sizeof output, "%s/db", run);
	snprintf(message, sizeof message, "cannot write '%s", output);
	getrlimit(RLIMIT_FSIZE, &room);
	for (unsigned i = 0; i < 2 * N_PHASES; i++) {
		struct gaspdb_made made;
		struct gaspdb_error err = { 0 };
		enum gaspdb_status status;

		options.import.jobs = 1 + i % 2;
		options.user = (void *)&phases[i / 2];
		status = gaspdb_make(&options, &made, &err);
		setrlimit(RLIMIT_FSIZE, &room);
		assert_int_equal(status, GASPDB_FAILED);
		assert_memory_equal(err.msg, message, strlen(message));
		assert_int_equal(count_files(run), 2);
		options.progress = NULL;
		assert_int_equal(gaspdb_make(&options, &made, &err), GASPDB_OK);
		options.progress = fill_disk;
		assert_int_equal(count_files(run), 3);
		assert_int_equal(unlink(output), 0);
	}
	signal(SIGXFSZ, old);
	run_remove(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_file),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("make", tests, NULL, NULL);
}
