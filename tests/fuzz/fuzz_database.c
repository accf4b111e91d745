/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hostile database: opened, reported, analyzed, queried.  Input is either
 * the bytes of a file, or, after "SQL:", statements that are applied to a good
 * one before (views in place of tables, triggers, absurd rows).
 */
#include "fuzz.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "sql/sql.h"

extern const struct gaspdb_command gaspdb_cmd_report, gaspdb_cmd_analyze,
	gaspdb_cmd_shell, gaspdb_cmd_info;

static int out_of_steps(void *steps)
{
	return --*(int *)steps < 0;
}

/* What a stranger might have made with sqlite3. */
static void apply(const char *path, const char *sql)
{
	sqlite3 *db;
	int steps = 1000;

	unlink(path);
	if (!sqlite3_open(path, &db)) {
		char version[100];

		snprintf(version, sizeof version,
			 "PRAGMA application_id = %d; PRAGMA user_version = %d",
			 GASPDB_APPLICATION_ID, GASPDB_SCHEMA_VERSION);
		sqlite3_exec(db, version, NULL, NULL, NULL);
		sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
		sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
		sqlite3_exec(db, gaspdb_schema, NULL, NULL, NULL);
		sqlite3_progress_handler(db, 1000, out_of_steps, &steps);
		sqlite3_exec(db, "PRAGMA writable_schema = ON", NULL, NULL,
			     NULL);
		sqlite3_exec(db, sql, NULL, NULL, NULL);
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
	setenv("PAGER", "", 1);
	dup2(null, 1); /* what fuzzing tells goes to stderr */
	close(null);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char *path = fuzz_path("hostile.db");
	char query[] = "SELECT * FROM call; SELECT * FROM messages; "
		       "SELECT * FROM sqlite_schema; SELECT * FROM meta";
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
	run(&gaspdb_cmd_report, path, NULL);
	run(&gaspdb_cmd_info, path, NULL);
	for (size_t i = 0; gaspdb_analyses[i].name; i++)
		run(&gaspdb_cmd_analyze,
		    (char *)(uintptr_t)gaspdb_analyses[i].name, path);
	run(&gaspdb_cmd_shell, path, query);
	fuzz_quiet(false);
	return 0;
}
