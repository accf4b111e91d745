/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hostile database: opened, reported, analyzed, queried, compared.  Input is
 * either the bytes of a file, or, after "SQL:", statements that are applied to
 * a good one before (views in place of tables, triggers, absurd rows).
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "sql/sql.h"

extern const struct gaspdb_command gaspdb_cmd_report, gaspdb_cmd_analyze,
	gaspdb_cmd_shell, gaspdb_cmd_info, gaspdb_cmd_compare;

static int out_of_steps(void *steps)
{
	return --*(int *)steps < 0;
}

/* The statements of a file; the caller frees them. */
static char *read_text(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 1 << 20);

	if (!f || !text || !fread(text, 1, (1 << 20) - 1, f))
		abort();
	fclose(f);
	return text;
}

/* A small run, once made. */
static void write_template(const char *path)
{
	static unsigned char bytes[1 << 20];
	static size_t n;
	char version[200], *totals, *rows, *fill;
	sqlite3 *db;
	FILE *f;

	if (!n) {
		unlink(path);
		totals = read_text(FUZZ_TESTS "totals.sql");
		rows = read_text(FUZZ_TESTS "golden/run.sql");
		fill = read_text(FUZZ_TESTS "golden/fill.sql");
		if (sqlite3_open(path, &db))
			abort();
		snprintf(version, sizeof version,
			 "PRAGMA page_size = 1024; PRAGMA application_id = %d; "
			 "PRAGMA user_version = %d; BEGIN",
			 GASPDB_APPLICATION_ID, GASPDB_SCHEMA_VERSION);
		if (sqlite3_exec(db, version, NULL, NULL, NULL) ||
		    sqlite3_exec(db, gaspdb_schema, NULL, NULL, NULL) ||
		    gaspdb_views_add(db) ||
		    sqlite3_exec(db, "PRAGMA writable_schema = RESET", NULL,
				 NULL, NULL) ||
		    gaspdb_views_make_temporary(db, false) ||
		    sqlite3_exec(db, rows, NULL, NULL, NULL) ||
		    sqlite3_exec(db, totals, NULL, NULL, NULL) ||
		    sqlite3_exec(db, fill, NULL, NULL, NULL) ||
		    sqlite3_exec(db, "COMMIT", NULL, NULL, NULL))
			abort();
		sqlite3_close(db);
		free(totals);
		free(rows);
		free(fill);
		f = fopen(path, "r");
		n = fread(bytes, 1, sizeof bytes, f);
		fclose(f);
	}
	fuzz_write(path, bytes, n);
}

/* What a stranger might have made with sqlite3. */
static void apply(const char *path, const char *sql)
{
	sqlite3 *db;
	int steps = 300;

	write_template(path);
	if (!sqlite3_open(path, &db)) {
		sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
		sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
		sqlite3_progress_handler(db, 1000, out_of_steps, &steps);
		sqlite3_exec(db,
			     "PRAGMA journal_mode = OFF; "
			     "PRAGMA synchronous = OFF; "
			     "PRAGMA writable_schema = ON; BEGIN",
			     NULL, NULL, NULL);
		sqlite3_exec(db, sql, NULL, NULL, NULL);
		sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	}
	sqlite3_close(db);
}

static void run(const struct gaspdb_command *command, char *a, char *b)
{
	char *argv[] = { (char *)(uintptr_t)command->name, a, b, NULL };

	command->run(b ? 3 : 2, argv);
	fflush(stdout);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	int null = open("/dev/null", O_WRONLY);

	(void)argc;
	(void)argv;
	fuzz_sqlite();
	setenv("PAGER", "", 1);
	dup2(null, 1); /* what fuzzing tells goes to stderr */
	close(null);
	return 0;
}

/* One of the commands: all of them would take a second. */
static void read_with(const uint8_t *data, size_t n, char *path)
{
	char query[] = "SELECT * FROM events; SELECT * FROM messages; "
		       "SELECT * FROM sqlite_schema; SELECT * FROM meta";
	size_t n_analyses = 0, which = n;

	while (gaspdb_analyses[n_analyses].name)
		n_analyses++;
	for (size_t i = 0; i < n; i++)
		which = which * 31 + data[i];
	which %= n_analyses + 5;
	if (which < n_analyses)
		run(&gaspdb_cmd_analyze,
		    (char *)(uintptr_t)gaspdb_analyses[which].name, path);
	else if (which == n_analyses)
		run(&gaspdb_cmd_info, path, NULL);
	else if (which == n_analyses + 1)
		run(&gaspdb_cmd_shell, path, query);
	else if (which == n_analyses + 2)
		run(&gaspdb_cmd_compare, path, path);
	else
		run(&gaspdb_cmd_report, path, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *path = fuzz_path("hostile.db");
	char *text;

	if (n >= 4 && !memcmp(data, "SQL:", 4)) {
		text = calloc(1, n - 3);
		memcpy(text, data + 4, n - 4);
		apply(path, text);
		free(text);
	} else {
		fuzz_write(path, data, n);
	}
	fuzz_quiet(true);
	read_with(data, n, path);
	fuzz_quiet(false);
	return 0;
}
