/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell's dot-commands: one table gives them, .help and completion. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "remarks.h"
#include "shell.h"
#include "text.h"

/* Run the query and write its rows; the parameter ?1 is text, or NULL. */
static bool write_query(struct gaspdb_shell *s, const char *query,
			const char *text)
{
	sqlite3_stmt *stmt;
	struct gaspdb_output_column columns[8] = { 0 };
	int rc = sqlite3_prepare_v2(s->db.sql, query, -1, &stmt, NULL);

	if (rc == SQLITE_OK) {
		int n = sqlite3_column_count(stmt);
		for (int i = 0; i < n; i++)
			columns[i].name = sqlite3_column_name(stmt, i);
		if (text)
			sqlite3_bind_text(stmt, 1, text, -1, SQLITE_STATIC);
		FILE *out = gaspdb_shell_open_out(s);
		struct gaspdb_output *o =
			gaspdb_output_open(out, &s->style, columns, n);
		rc = gaspdb_output_statement(o, stmt, NULL);
		gaspdb_output_close(o);
		gaspdb_shell_close_out(s, out);
	}
	if (rc != SQLITE_DONE)
		gaspdb_shell_complain(s, sqlite3_errmsg(s->db.sql), NULL);
	sqlite3_finalize(stmt);
	return rc == SQLITE_DONE;
}

/* SQL: the columns of a table or view; NULL: they cannot be told, as of a view
   whose tables are gone. */
static void tell_columns(sqlite3_context *to, int n, sqlite3_value **name)
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

static bool run_tables(struct gaspdb_shell *s, char *argument)
{
	(void)argument;
	sqlite3_create_function(s->db.sql, "gaspdb_columns", 1, SQLITE_UTF8,
				NULL, tell_columns, NULL, NULL);
	return write_query(
		s,
		"SELECT name, type, gaspdb_columns(name) AS columns "
		"FROM (SELECT name, type FROM sqlite_schema "
		"    UNION SELECT name, type FROM sqlite_temp_schema) "
		"WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' "
		"  ESCAPE '~' ORDER BY type, name",
		NULL);
}

static bool run_schema(struct gaspdb_shell *s, char *argument)
{
	sqlite3_stmt *stmt;
	int n = 0;

	sqlite3_prepare_v2(s->db.sql,
			   "SELECT sql FROM (SELECT * FROM sqlite_schema "
			   "    UNION ALL SELECT t.* FROM sqlite_temp_schema "
			   "    AS t LEFT JOIN sqlite_schema AS s USING (name) "
			   "    WHERE s.name IS NULL) "
			   "WHERE sql IS NOT NULL AND (?1 = '' OR "
			   "  name = ?1 COLLATE NOCASE OR "
			   "  tbl_name = ?1 COLLATE NOCASE)",
			   -1, &stmt, NULL);
	sqlite3_bind_text(stmt, 1, argument, -1, SQLITE_STATIC);
	FILE *out = gaspdb_shell_open_out(s);
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		/* Line by line: its line breaks are its own. */
		char *sql = gaspdb_text_copy(
			(const char *)sqlite3_column_text(stmt, 0),
			(size_t)sqlite3_column_bytes(stmt, 0));
		for (char *p = sql; p; n++) {
			char *line = strsep(&p, "\n");
			char *safe = gaspdb_text_safe(line, strlen(line));
			fprintf(out, "%s%s\n", safe, p ? "" : ";");
			free(safe);
		}
		free(sql);
	}
	gaspdb_shell_close_out(s, out);
	sqlite3_finalize(stmt);
	if (n == 0 && *argument)
		gaspdb_print_error("there is no table or view '%s'", argument);
	return n > 0;
}

static bool run_analyses(struct gaspdb_shell *s, char *argument)
{
	FILE *out = gaspdb_shell_open_out(s);

	(void)argument;
	gaspdb_analysis_list(out, &s->style);
	gaspdb_shell_close_out(s, out);
	return true;
}

static bool bind_argument(sqlite3_stmt *stmt, const struct gaspdb_analysis *a,
			  char *word)
{
	const struct gaspdb_analysis_param *param;
	struct gaspdb_error err;

	while (*word == '-')
		word++;
	char *value = strchr(word, '=');
	if (value)
		*value++ = '\0';
	param = gaspdb_analysis_param_find(a, word);
	if (!param || !value) {
		gaspdb_print_error(param ? "'%s' needs a value: %s=VALUE"
					 : "there is no parameter '%s'; '.help "
					   "%s' lists them",
				   word, param ? word : a->name);
		return false;
	}
	if (!gaspdb_analysis_check_found(sqlite3_db_handle(stmt), param, value,
					 &err) &&
	    !gaspdb_analysis_bind(stmt, a, param, value, &err))
		return true;
	gaspdb_print_error("%s", err.msg);
	return false;
}

static bool write_analysis(struct gaspdb_shell *s, sqlite3_stmt *stmt,
			   const struct gaspdb_analysis *a)
{
	struct gaspdb_error err = { 0 };
	FILE *out = gaspdb_shell_open_out(s);
	enum gaspdb_status status = gaspdb_analysis_write(
		&s->db, stmt, a, out, &s->style, NULL, &err);

	gaspdb_shell_close_out(s, out);
	if (status == GASPDB_OK)
		gaspdb_remarks_print(&s->db);
	else
		gaspdb_shell_complain(s, err.msg, NULL);
	return status == GASPDB_OK;
}

/* The analysis that the argument begins with; *rest: what follows. */
static const struct gaspdb_analysis *find_analysis(char *argument, char **rest)
{
	char *name = strsep(&argument, " \t");
	const struct gaspdb_analysis *a = gaspdb_analysis_find(name);

	*rest = argument;
	if (!a && *name) {
		char *text =
			gaspdb_analysis_unknown(name, "'.analyses' lists them");
		gaspdb_print_error("%s", text);
		free(text);
	} else if (!a)
		gaspdb_print_error("which analysis? '.analyses' lists them");
	return a;
}

/* The next word; quotes keep blanks in it, and go.  NULL: there is none. */
static char *next_word(char **rest)
{
	char *from = *rest ? *rest + strspn(*rest, " \t") : NULL;
	char *word = from, *to = from, quote = '\0';

	if (!from || !*from)
		return NULL;
	for (; *from && (quote || !strchr(" \t", *from)); from++) {
		if (quote ? *from == quote : strchr("'\"", *from) != NULL)
			quote = quote ? '\0' : *from;
		else
			*to++ = *from;
	}
	*rest = *from ? from + 1 : from;
	*to = '\0';
	return word;
}

static bool run_analyze(struct gaspdb_shell *s, char *argument)
{
	const struct gaspdb_analysis *a = find_analysis(argument, &argument);
	struct gaspdb_error err;
	sqlite3_stmt *stmt = NULL;

	if (!a)
		return false;
	gaspdb_database_forget_reads(&s->db);
	if (gaspdb_analysis_prepare(&s->db, a, &stmt, &err) != GASPDB_OK) {
		gaspdb_shell_complain(s, err.msg, NULL);
		return false;
	}
	bool good = true;
	for (char *word; good && (word = next_word(&argument));)
		good = bind_argument(stmt, a, word);
	good = good && write_analysis(s, stmt, a);
	sqlite3_finalize(stmt);
	return good;
}

/* One step of a query plan, indented below the one it is part of. */
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

static bool run_explain(struct gaspdb_shell *s, char *argument)
{
	const struct gaspdb_analysis *a = gaspdb_analysis_find(argument);
	char *query = gaspdb_text_format("EXPLAIN QUERY PLAN %s",
					 a ? a->sql : argument);
	sqlite3_stmt *stmt;
	int parents[64], depth = 0;
	int rc = sqlite3_prepare_v2(s->db.sql, query, -1, &stmt, NULL);

	free(query);
	if (rc != SQLITE_OK) {
		gaspdb_shell_complain(s, sqlite3_errmsg(s->db.sql), NULL);
		return false;
	}
	FILE *out = gaspdb_shell_open_out(s);
	while (sqlite3_step(stmt) == SQLITE_ROW)
		print_step(out, stmt, parents, &depth);
	gaspdb_shell_close_out(s, out);
	sqlite3_finalize(stmt);
	return true;
}

/* As sqlite3, texts are broken in modes that come by this command. */
enum { WRAP = 60 };

/* "--wrap N", or nothing; false: something else */
static bool read_wrap(char *rest, int *wrap)
{
	const char *option = next_word(&rest), *value = next_word(&rest);
	char *end = NULL;

	*wrap = WRAP;
	if (!option)
		return true;
	long n = value ? strtol(value, &end, 10) : -1;
	*wrap = (int)n;
	return !strcmp(option, "--wrap") && n >= 0 && n <= INT_MAX && !*end &&
	       !next_word(&rest);
}

static bool run_mode(struct gaspdb_shell *s, char *argument)
{
	const char *name = next_word(&argument);
	int wrap;

	if (!name) {
		printf("%s\n", gaspdb_output_modes[s->style.format].name);
		return true;
	}
	if (!read_wrap(argument, &wrap)) {
		gaspdb_print_error("usage: .mode NAME [--wrap COLUMNS]");
		return false;
	}
	if (!gaspdb_output_format_parse(name, &s->style.format)) {
		gaspdb_print_error("no such mode as '%s'; there "
				   "are" GASPDB_OUTPUT_FORMATS,
				   name);
		return false;
	}
	s->style.wrap = wrap;
	return true;
}

/* "on", "off", or nothing: the other one */
static bool set_switch(bool *value, const char *argument)
{
	if (!strcmp(argument, "on"))
		*value = true;
	else if (!strcmp(argument, "off"))
		*value = false;
	else if (!*argument)
		*value = !*value;
	else
		gaspdb_print_error("on or off, not '%s'", argument);
	return !*argument || !strcmp(argument, "on") ||
	       !strcmp(argument, "off");
}

static bool run_timer(struct gaspdb_shell *s, char *argument)
{
	return set_switch(&s->timer, argument);
}

static bool run_pager(struct gaspdb_shell *s, char *argument)
{
	return set_switch(&s->pager, argument);
}

static bool run_quit(struct gaspdb_shell *s, char *argument)
{
	(void)argument;
	s->quit = true;
	return true;
}

static bool run_help(struct gaspdb_shell *s, char *argument);

const struct gaspdb_shell_dot gaspdb_shell_dots[] = {
	{ ".analyses", "", "list the analyses", run_analyses },
	{ ".analyze", "NAME [PARAMETER=VALUE...]",
	  "run an analysis; values with blanks in quotes", run_analyze },
	{ ".explain", "NAME|SQL", "how an analysis or a query would be run",
	  run_explain },
	{ ".help", "[NAME]", "this list, or all about an analysis", run_help },
	{ ".mode", "[NAME [--wrap N]]", "how rows are written", run_mode },
	{ ".pager", "[on|off]", "long output through $PAGER, or not",
	  run_pager },
	{ ".quit", "", "leave; so does Ctrl-D", run_quit },
	{ ".schema", "[NAME]",
	  "how tables and views were made, and what "
	  "their columns mean",
	  run_schema },
	{ ".tables", "", "list the tables and views with their columns",
	  run_tables },
	{ ".timer", "[on|off]", "tell how long each statement took",
	  run_timer },
	{ NULL, NULL, NULL, NULL },
};

static bool run_help(struct gaspdb_shell *s, char *argument)
{
	char *rest;

	if (*argument) {
		const struct gaspdb_analysis *a =
			find_analysis(argument, &rest);
		if (!a)
			return false;
		FILE *out = gaspdb_shell_open_out(s);
		gaspdb_analysis_help(out, a);
		gaspdb_shell_close_out(s, out);
		return true;
	}
	for (const struct gaspdb_shell_dot *d = gaspdb_shell_dots; d->name; d++)
		printf("  %-9s %-26s %s\n", d->name, d->arguments, d->doc);
	puts("Anything else is SQL, ended by a semicolon.  Times are ns since "
	     "the run's start.\n"
	     "TAB completes; Ctrl-C stops a query.");
	return true;
}

bool gaspdb_shell_dot(struct gaspdb_shell *s, const char *line)
{
	char *copy = gaspdb_text_copy(line, strlen(line)), *argument = copy;
	size_t n = strlen(copy);

	while (n > 0 &&
	       (isspace((unsigned char)copy[n - 1]) || copy[n - 1] == ';'))
		copy[--n] = '\0';
	char *name = strsep(&argument, " \t");
	argument = argument ? argument + strspn(argument, " \t") : copy + n;
	const struct gaspdb_shell_dot *d = gaspdb_shell_dots;
	while (d->name && strcmp(d->name, name))
		d++;
	if (!d->name && !strcmp(name, ".exit"))
		s->quit = true;
	else if (!d->name)
		gaspdb_print_error("there is no '%s'; '.help' lists what "
				   "there is",
				   name);
	bool good = d->name ? d->run(s, argument) : s->quit;
	free(copy);
	return good;
}
