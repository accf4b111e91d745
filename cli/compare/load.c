/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading of runs to compare. Their figures are copied to a database in memory,
   because each file is opened alone and SQL on it can reach no other. */
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"
#include "cli/database/remarks.h"
#include "cli/database/words.h"
#include "sql/sql.h"
#include "cli/output/text.h"

static enum gaspdb_status fail(struct gaspdb_compare *c,
			       struct gaspdb_error *err)
{
	return gaspdb_fail(err, GASPDB_FAILED, "cannot compare: %s",
			   sqlite3_errmsg(c->db.sql));
}

static enum gaspdb_status execute(struct gaspdb_compare *c, const char *sql,
				  struct gaspdb_error *err)
{
	if (sqlite3_exec(c->db.sql, sql, NULL, NULL, NULL) == SQLITE_OK)
		return GASPDB_OK;
	return fail(c, err);
}

enum gaspdb_status gaspdb_compare_open(struct gaspdb_compare *c, const char *by,
				       struct gaspdb_error *err)
{
	memset(c, 0, sizeof *c);
	if (sqlite3_open(":memory:", &c->db.sql) != SQLITE_OK)
		return fail(c, err);
	char *sql = sqlite3_mprintf("%s; INSERT INTO setting VALUES(%Q)",
				    gaspdb_compare_sql_tables, by);
	enum gaspdb_status status = execute(c, sql ? sql : "", err);
	sqlite3_free(sql);
	return status;
}

void gaspdb_compare_close(struct gaspdb_compare *c)
{
	sqlite3_close(c->db.sql);
}

static enum gaspdb_status add_run(struct gaspdb_compare *c, const char *side,
				  struct gaspdb_database *from,
				  struct gaspdb_error *err)
{
	char *arguments = gaspdb_remarks_values(from, "arguments");
	char *start = gaspdb_database_text(
		from, "SELECT value FROM meta WHERE key = 'start_time'");
	struct gaspdb_run_words words;
	gaspdb_run_words_read(from->sql, &words);
	char *sql = sqlite3_mprintf(
		"INSERT INTO word VALUES(%Q, %Q, %Q, %Q); "
		"INSERT INTO run VALUES(NULL, %Q, %Q, nullif(%Q, ''), "
		"nullif(%Q, ''), %lld, %lld, %d)",
		words.thread, words.threads, words.process, words.processes,
		side, from->path, arguments, start,
		(long long)gaspdb_database_integer(
			from,
			"SELECT count(*) FROM thread WHERE first_ns NOT NULL",
			0),
		(long long)gaspdb_database_integer(
			from, "SELECT max(last_ns) - min(first_ns) FROM thread",
			0),
		gaspdb_database_integer(
			from,
			"SELECT EXISTS (SELECT 1 FROM meta WHERE key = 'mode' "
			"AND value = 'profile')",
			0) > 0);
	enum gaspdb_status status = execute(c, sql ? sql : "", err);

	sqlite3_free(sql);
	gaspdb_run_words_free(&words);
	free(start);
	free(arguments);
	return status;
}

/* Copies the facts; false: either database failed. */
static bool copy_rows(sqlite3_stmt *facts, sqlite3_stmt *insert)
{
	int rc, n = sqlite3_column_count(facts);

	while ((rc = sqlite3_step(facts)) == SQLITE_ROW) {
		for (int i = 0; i < n; i++)
			sqlite3_bind_value(insert, i + 1,
					   sqlite3_column_value(facts, i));
		if (sqlite3_step(insert) != SQLITE_DONE)
			return false;
		sqlite3_reset(insert);
	}
	return rc == SQLITE_DONE;
}

static enum gaspdb_status add_facts(struct gaspdb_compare *c,
				    struct gaspdb_database *from,
				    struct gaspdb_error *err)
{
	static const char into[] =
		"INSERT INTO fact SELECT max(id), ?1, ?2, ?3, ?4, ?5, ?6, ?7, "
		"?8, ?9, ?10 FROM run";
	char *hold = gaspdb_views_hold("loss", true);
	sqlite3_stmt *facts = NULL, *insert = NULL;
	enum gaspdb_status status = GASPDB_OK;

	if (gaspdb_analysis_make_view(
		    from->sql, gaspdb_analysis_find("load-imbalance")) ||
	    sqlite3_exec(from->sql, hold ? hold : "", NULL, NULL, NULL) !=
		    SQLITE_OK ||
	    sqlite3_prepare_v2(from->sql, gaspdb_compare_sql_facts, -1, &facts,
			       NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(c->db.sql, into, -1, &insert, NULL) !=
		    SQLITE_OK ||
	    !copy_rows(facts, insert)) {
		const int rc = sqlite3_errcode(from->sql);
		const bool read = rc == SQLITE_OK || rc == SQLITE_ROW ||
				  rc == SQLITE_DONE;

		status = gaspdb_fail(
			err, GASPDB_FAILED, "cannot read '%s': %s", from->path,
			sqlite3_errmsg(read ? c->db.sql : from->sql));
	}
	sqlite3_free(hold);
	sqlite3_finalize(facts);
	sqlite3_finalize(insert);
	return status;
}

enum gaspdb_status gaspdb_compare_add(struct gaspdb_compare *c,
				      const char *side, const char *path,
				      struct gaspdb_error *err)
{
	struct gaspdb_database from;

	if (gaspdb_database_open(&from, path, err) != GASPDB_OK)
		return err->status;
	enum gaspdb_status status = execute(c, "BEGIN", err);
	if (status == GASPDB_OK)
		status = add_run(c, side, &from, err);
	if (status == GASPDB_OK)
		status = add_facts(c, &from, err);
	if (status == GASPDB_OK)
		status = execute(c, "COMMIT", err);
	char *incomplete = gaspdb_remarks_threads(&from);
	if (status == GASPDB_OK && *incomplete)
		gaspdb_print_error("'%s': %s", path, incomplete);
	free(incomplete);
	gaspdb_database_close(&from);
	return status;
}

enum gaspdb_status gaspdb_compare_match(struct gaspdb_compare *c,
					struct gaspdb_error *err)
{
	return execute(c, gaspdb_compare_sql_match, err);
}
