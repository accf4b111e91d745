/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell: commands that show the database's schema. */
#include <stdlib.h>
#include <string.h>

#include "cli/shell/dots.h"
#include "sql/sql.h"
#include "cli/output/text.h"

/* Runs a query and writes its rows; ?1: text. */
static bool write_query(struct gaspdb_shell *s, const char *query,
			const char *text)
{
	sqlite3_stmt *stmt;
	struct gaspdb_output_column columns[8] = { 0 };
	int rc = gaspdb_shell_prepare(s, query, &stmt, NULL);

	if (rc == SQLITE_OK) {
		int n = sqlite3_column_count(stmt);
		for (int i = 0; i < n; i++)
			columns[i].name = sqlite3_column_name(stmt, i);
		sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
		FILE *out = gaspdb_shell_open_out(s);
		struct gaspdb_output *o =
			gaspdb_output_open(out, &s->style, columns, n);
		/*
		 * format table is not fitted: it would cut the lists of columns
		 */
		if (s->style.format != GASPDB_OUTPUT_TABLE)
			gaspdb_output_fit(o);
		rc = gaspdb_output_statement(o, stmt, NULL);
		gaspdb_output_close(o);
		gaspdb_shell_close_out(s, out);
	}
	if (rc != SQLITE_DONE)
		gaspdb_shell_complain(s, sqlite3_errmsg(s->db.sql), NULL);
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE;
}

/* SQL function gaspdb_columns: columns of a table or view; NULL: unknown, as
   for a view without its tables. */
static void columns_function(sqlite3_context *to, int n, sqlite3_value **name)
{
	sqlite3_stmt *stmt = NULL;

	(void)n;
	if (!sqlite3_prepare_v2(sqlite3_context_db_handle(to),
				"SELECT group_concat(name, ', ') "
				"FROM pragma_table_xinfo(?1)",
				-1, &stmt, NULL) &&
	    !sqlite3_bind_value(stmt, 1, *name) &&
	    sqlite3_step(stmt) == SQLITE_ROW)
		sqlite3_result_value(to, sqlite3_column_value(stmt, 0));
	sqlite3_finalize(stmt);
}

/* SQL: does the name match pattern ?1? A LIKE pattern, or GLOB if it has GLOB's
   characters. */
#define MATCHES(name)                                  \
	"CASE WHEN ?1 GLOB '*[*?[]*' THEN lower(" name \
	") GLOB lower(?1) ELSE " name " LIKE ?1 ESCAPE '\\' END"

/* Does a table, view or index match? Otherwise reports it with a hint. */
static bool is_there(struct gaspdb_shell *s, const char *pattern)
{
	if (gaspdb_shell_has_row(s,
				 "SELECT name FROM (SELECT name FROM "
				 "sqlite_schema UNION SELECT name FROM "
				 "sqlite_temp_schema) WHERE " MATCHES("name"),
				 pattern))
		return true;
	char *hint = gaspdb_shell_table_hint(s, pattern);
	gaspdb_shell_error(s, "there is no table or view '%s'%s", pattern,
			   hint);
	free(hint);
	return false;
}

/* SQL function gaspdb_internal: 1 for tables and views used only by analyses
   and reports. */
static void internal_function(sqlite3_context *to, int n, sqlite3_value **name)
{
	/* tables for users; other programs' tables count as such */
	static const char *const asked[] = {
		"analysis",	"argument",	"callpath",   "callpath_wait",
		"category_time", "collective",	"collective_member", "completion",
		"critical_path", "event",	"event_arg",  "event_path",
		"gap",		"host",		"lock_use",   "memory_line",
		"memory_peak",	"message",	"meta",	      "object",
		"operation",	"operation_type", "p2p",      "profile",
		"quality",	"quality_kind",	"recording",  "root_cause",
		"segment",	"source",	"team",	      "team_member",
		"thread",	"thread_meta",	"traffic",    "wait",
	};
	const char *text = (const char *)sqlite3_value_text(*name);

	(void)n;
	for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
		if (!strcmp(text, asked[i])) {
			sqlite3_result_int(to, 0);
			return;
		}
	sqlite3_result_int(to, gaspdb_table_sql(text) != NULL ||
				       gaspdb_view_is_derived(text));
}

static const char all_of_them[] =
	"SELECT name, type, gaspdb_columns(name) AS columns "
	"FROM (SELECT name, type FROM sqlite_schema "
	"    UNION SELECT name, type FROM sqlite_temp_schema) "
	"WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' "
	"  ESCAPE '~' AND " MATCHES("name")
	" ORDER BY gaspdb_internal(name), name LIKE 'analysis~_%' ESCAPE '~', "
	"type, name";

static const char asked_ones[] =
	"SELECT name, type, gaspdb_columns(name) AS columns "
	"FROM (SELECT name, type FROM sqlite_schema "
	"    UNION SELECT name, type FROM sqlite_temp_schema) "
	"WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' "
	"  ESCAPE '~' AND name LIKE ?1 AND NOT gaspdb_internal(name) "
	"ORDER BY type, name";

bool gaspdb_shell_tables(struct gaspdb_shell *s, char *argument)
{
	char *words[1];

	if (!gaspdb_shell_words(s, argument, words, 0, 1))
		return false;
	const bool all = words[0] && !strcmp(words[0], "--all");
	const char *pattern = words[0] && !all ? words[0] : "%";
	if (!is_there(s, pattern))
		return false;
	sqlite3_create_function(s->db.sql, "gaspdb_columns", 1, SQLITE_UTF8,
				NULL, columns_function, NULL, NULL);
	sqlite3_create_function(s->db.sql, "gaspdb_internal", 1, SQLITE_UTF8,
				NULL, internal_function, NULL, NULL);
	return write_query(s, words[0] ? all_of_them : asked_ones, pattern);
}

bool gaspdb_shell_schema(struct gaspdb_shell *s, char *argument)
{
	sqlite3_stmt *stmt;
	char *words[1];

	if (!gaspdb_shell_words(s, argument, words, 0, 1))
		return false;
	const char *pattern = words[0] ? words[0] : "%";
	if (!is_there(s, pattern))
		return false;
	gaspdb_shell_prepare(
		s,
		"SELECT sql FROM (SELECT * FROM sqlite_schema "
		"    UNION ALL SELECT t.* FROM sqlite_temp_schema "
		"    AS t LEFT JOIN sqlite_schema AS s USING (name) "
		"    WHERE s.name IS NULL) "
		"WHERE sql IS NOT NULL AND (" MATCHES("name") " OR " MATCHES(
			"tbl_name") ")",
		&stmt, NULL);
	sqlite3_bind_text(stmt, 1, pattern, -1, SQLITE_STATIC);
	FILE *out = gaspdb_shell_open_out(s);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		/* line by line, to keep line breaks */
		char *sql = gaspdb_text_copy(
			(const char *)sqlite3_column_text(stmt, 0),
			(size_t)sqlite3_column_bytes(stmt, 0));
		for (char *p = sql; p;) {
			char *line = strsep(&p, "\n");
			char *safe = gaspdb_text_safe(line, strlen(line));
			fprintf(out, "%s%s\n", safe, p ? "" : ";");
			free(safe);
		}
		free(sql);
	}
	gaspdb_shell_close_out(s, out);
	sqlite3_finalize(stmt);
	return true;
}

/* Prints a step of a query plan, indented below its parent. */
static void print_step(FILE *out, sqlite3_stmt *stmt, int *parents, int *depth)
{
	int parent = sqlite3_column_int(stmt, 1);
	const char *detail = (const char *)sqlite3_column_text(stmt, 3);

	while (*depth > 0 && parents[*depth - 1] != parent)
		--*depth;
	char *safe = gaspdb_text_safe(detail ? detail : "",
				      detail ? strlen(detail) : 0);
	fprintf(out, "%*s%s\n", 2 * *depth, "", safe);
	free(safe);
	if (*depth < 64)
		parents[(*depth)++] = sqlite3_column_int(stmt, 0);
}

bool gaspdb_shell_explain(struct gaspdb_shell *s, char *argument)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(argument);
	char *query = gaspdb_text_format("EXPLAIN QUERY PLAN %s",
					 a ? a->sql : argument);
	sqlite3_stmt *stmt;
	int parents[64], depth = 0;
	int rc = gaspdb_shell_prepare(s, query, &stmt, NULL);

	if (rc != SQLITE_OK)
		gaspdb_shell_complain(s, sqlite3_errmsg(s->db.sql), query);
	free(query);
	if (rc != SQLITE_OK)
		return false;
	FILE *out = gaspdb_shell_open_out(s);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		print_step(out, stmt, parents, &depth);
	gaspdb_shell_close_out(s, out);
	sqlite3_finalize(stmt);
	return true;
}
