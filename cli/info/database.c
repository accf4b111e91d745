/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gaspdb info of a database. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/database/analysis.h"
#include "cli/command.h"
#include "cli/database/database.h"
#include "cli/output/human.h"
#include "cli/info/info.h"
#include "cli/database/remarks.h"
#include "cli/database/words.h"
#include "cli/output/text.h"

static void print_text(struct gaspdb_database *db, const char *key,
		       const char *query)
{
	char *value = gaspdb_database_text(db, query);

	gaspdb_info_print(key, value);
	free(value);
}

static void print_time(struct gaspdb_database *db, const char *key,
		       const char *query)
{
	char text[GASPDB_HUMAN_BYTES];
	int64_t ns = gaspdb_database_integer(db, query, -1);

	if (ns >= 0)
		gaspdb_info_print(key, gaspdb_human_time(text, ns));
}

/* Prints a fact, for each program if there are several. */
static void print_value(struct gaspdb_database *db, const char *key)
{
	char *value = gaspdb_remarks_values(db, key);

	gaspdb_info_print(key, value);
	free(value);
}

static void print_status(struct gaspdb_database *db)
{
	char *status = gaspdb_remarks_status(db);

	gaspdb_info_print("exit status", status);
	free(status);
}

static void print_worlds(struct gaspdb_database *db)
{
	char *worlds = gaspdb_remarks_worlds(db);

	gaspdb_info_print("spawned", worlds);
	free(worlds);
}

static void print_run(struct gaspdb_database *db)
{
	struct stat st = { 0 };
	char text[GASPDB_HUMAN_BYTES];

	stat(db->path, &st);
	gaspdb_info_print("database", db->path);
	gaspdb_info_print("size", gaspdb_human_size(text, st.st_size));
	print_text(db, "schema version", "PRAGMA user_version");
#define META(key) "SELECT value FROM meta WHERE key = '" key "'"
	print_text(db, "imported by", META("gaspdb_version"));
	print_text(db, "run", META("run_directory"));
	print_value(db, "program");
	print_value(db, "arguments");
	print_text(db, "start", META("start_time"));
#undef META
	print_time(db, "duration", "SELECT max(last_ns) FROM thread");
	print_status(db);
	print_text(db, "runtime",
		   "SELECT group_concat(value, ', ') FROM (SELECT DISTINCT "
		   "value FROM thread_meta WHERE key = 'runtime' ORDER BY 1)");
	print_text(db, "hosts",
		   "SELECT group_concat(host || ' (' || n || ')', ', ') FROM "
		   "(SELECT host, count(*) AS n FROM thread WHERE host IS NOT "
		   "NULL GROUP BY host ORDER BY host LIMIT 20)");
	print_worlds(db);
}

static void print_count(struct gaspdb_database *db, const char *key,
			const char *query)
{
	char text[GASPDB_HUMAN_BYTES];
	int64_t n = gaspdb_database_integer(db, query, 0);

	gaspdb_info_print(key, gaspdb_human_count(text, n));
}

/* Prints the rows of an analysis as a table. */
static int print_analysis(struct gaspdb_database *db, const char *name)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(name);
	struct gaspdb_error err;
	sqlite3_stmt *stmt = NULL;
	enum gaspdb_status status =
		a ? gaspdb_analysis_prepare(db, a, &stmt, &err)
		  : gaspdb_fail(&err, GASPDB_FAILED, "no analysis '%s'", name);

	putchar('\n');
	if (status == GASPDB_OK)
		status = gaspdb_analysis_write(
			db, stmt, a, stdout,
			&(struct gaspdb_output_style){
				.format = GASPDB_OUTPUT_TABLE,
				.terminal = isatty(STDOUT_FILENO) },
			NULL, &err);
	sqlite3_finalize(stmt);
	if (status != GASPDB_OK)
		gaspdb_print_error("%s", err.msg);
	return status == GASPDB_OK ? GASPDB_EXIT_DONE : GASPDB_EXIT_FAILED;
}

/* Prints each kind of loss on stderr; returns their number. */
static int print_losses(struct gaspdb_database *db)
{
	sqlite3_stmt *stmt = NULL;
	int n = 0;

	sqlite3_prepare_v2(db->sql,
			   "SELECT kind, sum(count) FROM quality WHERE "
			   "severity = 'loss' GROUP BY kind ORDER BY kind",
			   -1, &stmt, NULL);
	for (; sqlite3_step(stmt) == SQLITE_ROW; n++)
		gaspdb_print_error("%s: %" PRId64, sqlite3_column_text(stmt, 0),
				   (int64_t)sqlite3_column_int64(stmt, 1));
	sqlite3_finalize(stmt);
	return n;
}

int gaspdb_info_database(const char *path)
{
	struct gaspdb_database db;
	struct gaspdb_error err;

	if (gaspdb_database_open(&db, path, &err) != GASPDB_OK) {
		gaspdb_print_error("%s", err.msg);
		return GASPDB_EXIT_FAILED;
	}
	print_run(&db);
	struct gaspdb_run_words words;
	gaspdb_run_words_read(db.sql, &words);
	print_count(&db, words.threads, "SELECT count(*) FROM thread");
	gaspdb_run_words_free(&words);
	print_text(&db, "mode", "SELECT value FROM meta WHERE key = 'mode'");
	print_count(&db, "events",
		    "SELECT sum(last_event - first_event + 1) FROM thread");
	print_count(&db, "raw events", "SELECT sum(raw_events) FROM recording");
	if (!gaspdb_database_integer(
		    &db,
		    "SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'mode' "
		    "AND value = 'profile')",
		    0))
		print_count(&db, "messages",
			    "SELECT sum(messages) FROM message_total");
	int status = print_analysis(&db, "threads");
	if (status == GASPDB_EXIT_DONE &&
	    gaspdb_database_integer(&db, "SELECT count(*) FROM quality", 0))
		status = print_analysis(&db, "quality");
	if (print_losses(&db) && status == GASPDB_EXIT_DONE)
		status = GASPDB_EXIT_DAMAGED;
	gaspdb_database_close(&db);
	return status;
}
